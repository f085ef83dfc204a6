"""A library that is being edited: texts that are not saved, and what the check says of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from pathlib import Path

from treec.check import Verdicts, check_library
from treec.files.library import Library, kind_of, load_library
from treec.source.diagnostics import Diagnostic
from treec.source.text import SourceFile


class EditorSession:
    """The library of a folder with the texts of open files in place of those on disk.

    May be used from several threads. Only the views that an edit changed are judged again.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._edited: dict[str, str] = {}
        self._verdicts: Verdicts = {}
        self._library: Library | None = None
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

    def forget(self) -> None:
        """Judge everything anew: something else than an open file has changed."""
        with self._checking:
            self._verdicts.clear()
        with self._texts:
            self._library = None

    @property
    def library(self) -> Library:
        """The library as it is now, read once for each edit."""
        with self._texts:
            if self._library is None:
                self._library = load_library(self.root, dict(self._edited))
            return self._library

    def check(self, texts: Mapping[str, str] | None = None) -> list[Diagnostic]:
        """Return what the check says, with some further texts in place of those of files."""
        with self._texts:
            edited = {**self._edited, **(texts or {})}
        with self._checking:
            verdicts = dict(self._verdicts) if texts else self._verdicts
            found = load_library(self.root, edited)
            return check_library(found, verdicts=verdicts, at_uses=bool(texts))
