"""A library that is being edited: texts that are not saved, and what the check says of them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Set
from pathlib import Path

from treec.files.library import Library, kind_of, load_library
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile
from treec_editor.judging import Interrupted, LibraryVerdicts, NameSearch, Progress
from treec_editor.mend import mended
from treec_editor.reload import changed_paths, reloaded

__all__ = ["EditorSession", "Interrupted"]


class EditorSession:
    """The library of a folder with the texts of open files in place of those on disk.

    May be used from several threads. Only the views that an edit changed are judged again.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._edited: dict[str, str] = {}
        self._judgement = LibraryVerdicts()
        self._library: Library | None = None
        self._readable: dict[str, str] = {}
        self._last: Library | None = None
        self._tried: Library | None = None
        self._texts = threading.Lock()
        self._checking = threading.Lock()

    def shown(self, path: Path) -> str | None:
        """Return a file's path as the library shows it; None if it is not a file of the library."""
        try:
            shown = path.relative_to(self.root).as_posix()
        except ValueError:
            return None
        return shown if kind_of(path.name) is not None else None

    def edit(self, shown: str, text: str) -> None:
        """Take a text in place of a file's."""
        with self._texts:
            self._edited[shown] = SourceFile(shown, text).text
            self._library = None

    def close(self, shown: str) -> None:
        """Take the file's own text again."""
        with self._texts:
            self._edited.pop(shown, None)
            self._library = None

    def forget(self, *, verdicts: bool = True) -> None:
        """Read the files anew: others than open ones have changed.

        With ``verdicts`` judge everything anew: files have changed that are not the library's own
        YAML: Python, settings, task graphs.
        """
        if verdicts:
            with self._checking:
                self._judgement.forget()
        with self._texts:
            self._library = self._last = self._tried = None

    @property
    def is_judged(self) -> bool:
        """Whether the whole library has been checked once."""
        return not self._judgement.is_empty

    @property
    def library(self) -> Library:
        """The library as it is now, read once for each edit.

        A text whose syntax is broken is mended, or, if it cannot be, as it was last readable.
        """
        with self._texts:
            if self._library is None:
                for path, text in self._edited.items():
                    good = mended(SourceFile(path, text))
                    last = self._readable.get(path, text)
                    self._readable[path] = last if good is None else good.text
                self._library = self._load({path: self._readable[path] for path in self._edited})
            return self._library

    def text(self, shown: str) -> SourceFile | None:
        """Return a file's text as it is, be it readable or not."""
        with self._texts:
            if shown in self._edited:
                return SourceFile(shown, self._edited[shown])
        return self.library.sources.get(shown)

    def check(
        self,
        is_wanted: Callable[[], bool] = lambda: True,
        progress: Progress = lambda done, of: None,
    ) -> list[Diagnostic]:
        """Return what `treec check` would say of the files as they are now.

        Raises Interrupted as soon as it is no longer wanted.
        """
        with self._checking:
            return self._judgement.whole(self._now({}), is_wanted, progress)

    def check_reached(self) -> list[Diagnostic]:
        """Return the same with judging only what the edits since the last check reach.

        What an edit changes far from it, without a name that both have, :meth:`check` finds.
        """
        with self._checking:
            if self._judgement.is_empty:
                return self._judgement.whole(self._now({}))
            return self._judgement.reached(self._now({}))

    def check_with(
        self,
        texts: Mapping[str, str],
        within: Set[str] | None = None,
        search: NameSearch | None = None,
    ) -> list[Diagnostic]:
        """Return what is wrong with some texts tried in place of those of files, where it is used.

        Judged is what these texts and the edits since the last check reach: ``within`` some files,
        in a ``search`` what they reach since its last round, by rules that report unknown names,
        and no file again in which a system was found to have a new problem.
        """
        with self._checking:
            if self._judgement.is_empty:
                self._judgement.whole(self._now({}))
            now = self._now(texts)
            return self._judgement.reached(now, at_uses=True, within=within, search=search)

    def _now(self, texts: Mapping[str, str]) -> Library:
        """A library of its own for a check, which leaves what it has found out in it."""
        with self._texts:
            now = self._load({**self._edited, **texts})
            self._tried = now if texts else None
            return now

    def _load(self, edited: dict[str, str]) -> Library:
        if self._last is None:
            self._last = load_library(self.root, edited)
        known = [self._last] if self._tried is None else [self._tried, self._last]
        return reloaded(min(known, key=lambda it: len(changed_paths(it, edited))), edited)
