"""Finding and indexing the files of a library.

A library is the folder that holds ``treec.toml``, with all below it. Every file whose name
ends in ``.KIND.yaml`` belongs to it, except below the folders that ``[library] exclude`` names,
hidden folders and virtual environments.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from treec.files.entry import AnyEntry
from treec.files.kinds import MODELS
from treec.files.settings import SETTINGS, settings_of
from treec.files.validate import WRONG_KIND, a, read_entry
from treec.source.diagnostics import Diagnostic, Severity, did_you_mean
from treec.source.rules import register
from treec.source.text import SourceFile, Span
from treec.source.yaml import read_documents, read_file

UNKNOWN_ENDING = register(
    "TC105",
    "a file name that ends in no kind",
    """A file's name ends in its kind, so that editors pick the schema and treec finds it.

    Wrong: `get.tsk.yaml`

    Right: `get.task.yaml`
    """,
)


_BEGINNING = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*([a-z]+):[ \t]+\S[^\n]*\nabout:[ \t]")


class NoLibrary(Exception):
    """No ``treec.toml`` here or above."""


def find_root(start: Path) -> Path:
    """The library that a folder lies in. Raises NoLibrary."""
    for folder in (start, *start.parents):
        if (folder / SETTINGS).is_file():
            return folder
    raise NoLibrary(
        f"no {SETTINGS} in {start} or above it: run treec inside a library, "
        "or name one with --library FOLDER"
    )


class _Index:
    """A library's entries by kind, by name, and by every folder above them."""

    def __init__(self, entries: Iterable[AnyEntry]) -> None:
        self.kinds: dict[str, list[AnyEntry]] = {}
        self.names: dict[tuple[str, str], AnyEntry] = {}
        self.folders: dict[str, list[int]] = {}
        for number, entry in enumerate(entries):
            self.kinds.setdefault(entry.kind, []).append(entry)
            self.names.setdefault((entry.kind, entry.name), entry)
            folder = entry.pack
            while folder:
                self.folders.setdefault(folder, []).append(number)
                folder = folder.rpartition("/")[0]


@dataclass
class Library:
    """All entries of a library, and the text of every file that was read."""

    root: Path
    entries: list[AnyEntry] = field(default_factory=list)
    """Read it as you like; :meth:`add` alone adds."""
    sources: dict[str, SourceFile] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _index: _Index | None = field(default=None, repr=False, compare=False)

    def add(self, entries: Iterable[AnyEntry]) -> None:
        """Take in what a file declares."""
        self.entries.extend(entries)
        self._index = None

    @property
    def _by(self) -> _Index:
        """Made at the first question: checks ask for every system, and a scan each is too much."""
        if self._index is None:
            self._index = _Index(self.entries)
        return self._index

    def of_kind(self, kind: str) -> Iterator[AnyEntry]:
        """Entries of a kind, in order of path and place."""
        return iter(self._by.kinds.get(kind, ()))

    def find(self, kind: str, name: str) -> AnyEntry | None:
        """The first entry of that kind and name."""
        return self._by.names.get((kind, name))

    def meant(self, pack: str) -> str:
        """A folder that a system uses, or the one that was meant if there is none of that name.

        The name is a problem of its own; without its files everything that names them would be one.
        """
        if pack in self._by.folders or (self.root / pack).is_dir():
            return pack
        return did_you_mean(pack, self._by.folders) or pack

    def inside(self, packs: Iterable[str]) -> list[AnyEntry]:
        """Entries of the files that lie in one of the folders, in order of path and place."""
        folders = self._by.folders
        found = {number for pack in packs for number in folders.get(pack, ())}
        return [self.entries[number] for number in sorted(found)]


def load_library(root: Path) -> Library:
    """Read every file of a library. Never raises for what is in them: see ``diagnostics``."""
    library = Library(root)
    for path in _files(root, _excluded(root, library)):
        load_file(library, path, path.relative_to(root).as_posix())
    return library


def load_file(library: Library, path: Path, shown: str) -> list[AnyEntry]:
    """Read one file into a library and return its entries."""
    kind = kind_of(path.name)
    if kind is None or path.suffix == ".yml":
        _unknown_ending(library, path, shown)
        return []
    file, problems = read_file(path, shown)
    library.diagnostics.extend(problems)
    if file is None:
        return []
    library.sources[shown] = file
    documents, problems = read_documents(file)
    library.diagnostics.extend(problems)
    if not documents and not problems:
        library.diagnostics.append(
            Diagnostic(
                WRONG_KIND.code,
                "warning",
                Span(shown, 1, 1, 1, 2),
                f"nothing stands in this {kind} file",
                f"begin with '{kind}: NAME', or delete the file",
            )
        )
    found: list[AnyEntry] = []
    for document in documents:
        entry, problems = read_entry(document, kind)
        library.diagnostics.extend(problems)
        if entry is not None:
            found.append(entry)
    library.add(found)
    return found


def kind_of(filename: str) -> str | None:
    """The kind in ``NAME.KIND.yaml``."""
    parts = filename.split(".")
    return parts[-2] if len(parts) >= 3 and parts[-2] in MODELS else None


def _unknown_ending(library: Library, path: Path, shown: str) -> None:
    parts = path.name.split(".")
    ending = parts[-2] if len(parts) >= 3 else ""
    near = did_you_mean(ending, MODELS) if ending not in MODELS else ending
    severity: Severity = "error"
    help = f"did you mean '.{near}.yaml'?"
    if near is None:
        kind = _first_kind(path) if not ending else None
        if kind is None:
            return  # some other tool's file
        severity, help = "warning", f"if it is {a(kind)}, let its name end in '.{kind}.yaml'"
    library.diagnostics.append(
        Diagnostic(
            UNKNOWN_ENDING.code,
            severity,
            Span(shown, 1, 1, 1, 2),
            f"'{path.name}' ends in no kind of file",
            help,
        )
    )


def _first_kind(path: Path) -> str | None:
    """The kind that a file's first key names, when ``about`` comes next as it does in ours."""
    try:
        with path.open("rb") as file:
            begin = file.read(4096)
    except OSError:
        return None
    match = _BEGINNING.match(begin)
    kind = match[1].decode() if match else ""
    return kind if kind in MODELS else None


def library_files(root: Path) -> Iterator[Path]:
    """The files that a library is read from, its settings among them, in order of path."""
    if (root / SETTINGS).is_file():
        yield root / SETTINGS
    yield from _files(root, _excluded(root, Library(root)))


def _excluded(root: Path, library: Library) -> frozenset[str]:
    settings, file, problems = settings_of(root)
    library.diagnostics.extend(problems)
    if problems and file is not None:  # for the excerpt
        library.sources[SETTINGS] = file
    return frozenset(name.strip("/") for name in settings.library.exclude)


def _files(root: Path, excluded: Iterable[str]) -> Iterator[Path]:
    excluded = frozenset(excluded)
    found: list[Path] = []
    for folder, folders, names in os.walk(root):
        below = os.path.relpath(folder, root)
        prefix = "" if below == "." else below.replace(os.sep, "/") + "/"
        folders[:] = [
            name
            for name in folders
            if not name.startswith((".", "__"))
            and prefix + name not in excluded
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
        ]
        found.extend(Path(folder, name) for name in names if name.endswith((".yaml", ".yml")))
    return iter(sorted(found, key=lambda path: path.relative_to(root).as_posix()))
