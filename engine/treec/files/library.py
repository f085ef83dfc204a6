"""Finds and indexes the files of a library and of the packs that it uses.

A library is the folder that holds ``treec.toml``, with all below it. Every file whose name
ends in ``.KIND.yaml`` belongs to it, except below the folders that ``[library] exclude`` names,
hidden folders, virtual environments and folders with a ``treec.toml`` of their own.

Of an installed pack only the folders that a system uses are read. A pack's file is shown with the
pack's name before its path: ``treec/trees/dispatch/planner.tree.yaml``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePosixPath

from treec.companions import missing, missing_help
from treec.extensions import depends_on_extensions
from treec.files.entry import AnyEntry, Entry
from treec.files.former_kinds import case_files, former_file
from treec.files.kinds import MODELS
from treec.files.own_package import OwnPackage, own_package
from treec.files.packs import Pack, PackError, find_pack, pack_names, part_folders
from treec.files.settings import SETTINGS, PartSpec, Settings, settings_of
from treec.files.systems import SystemFile
from treec.files.validate import WRONG_KIND, a, read_entry
from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic, Severity, did_you_mean, suggestion
from treec.source.rules import register
from treec.source.text import SourceFile, Span
from treec.source.toml import read_toml
from treec.source.yaml import locate, read_documents, read_file
from treec.source.yaml_rules import UNREADABLE

UNKNOWN_ENDING = register(
    "TC105",
    "Unknown ending of a file name",
    """A file's name ends in its kind, so that editors pick the schema and treec finds it.

    Wrong: `get.tsk.yaml`

    Right: `get.task.yaml`
    """,
)

NO_PACKAGE = register(
    "TC106",
    "Unusable Python package of a library",
    """`[library] package` in treec.toml names the library's own Python: a folder of the library's
    root, or an installed package. It cannot have the name of an installed package that lies
    somewhere else, since one of the two would then be taken for the other.

    Wrong: `package = "json"`

    Right: `package = "my_robot"`
    """,
)

NO_PART = register(
    "TC107",
    "Missing folder of a pack's part",
    """Each part under `[pack.parts]` in treec.toml lists folders of the pack, from the folder of
    treec.toml on; so does `templates`. Whoever uses a part whose folder is missing gets nothing.

    Wrong: `"tools" = {folders = ["skils"]}`

    Right: `"tools" = {folders = ["skills"]}`
    """,
)

_BEGINNING = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?\r?\n)*([a-z]+):[ \t]+\S[^\n]*\nabout:[ \t]")

_WITH_KEYS = ("tree", "scene", "scenario", "agent", "skill", "domain")
"""Kinds of files of whose nodes or keys there may be rules."""

_SYSTEM = re.compile(r"""^system:[ \t]+["']?([^\s"'#]+)""", re.MULTILINE)


class NoLibrary(Exception):
    """No ``treec.toml`` here or above."""


def find_root(start: Path) -> Path:
    """The library that a folder lies in. Raises NoLibrary."""
    for folder in (start, *start.parents):
        if (folder / SETTINGS).is_file():
            return folder
    raise NoLibrary(
        f"no {SETTINGS} in {start} or above it: run treec inside a library, "
        "or specify one, or an installed pack, with --library"
    )


class _Index:
    """Entries by kind, by name, and by every folder above them."""

    def __init__(self, library: Library) -> None:
        self.kinds: dict[str, list[AnyEntry]] = {}
        self.names: dict[tuple[str, str], AnyEntry] = {}
        self.folders: dict[str, list[int]] = {}
        for number, entry in enumerate(library.entries):
            self.kinds.setdefault(entry.kind, []).append(entry)
            self.names.setdefault((entry.kind, entry.name), entry)
            folder = entry.folder
            while folder:
                self.folders.setdefault(folder, []).append(number)
                folder = folder.rpartition("/")[0]
            if library.pack_of(entry.path) is None:
                self.folders.setdefault(".", []).append(number)


@frozen(slots=False)
class Use:
    """An entry of a system's ``uses``, and the folders it resolves to."""

    text: str
    folders: tuple[str, ...] = ()
    problem: PackError | None = None
    """Why it cannot be resolved; ``folders`` are then a guess."""


@dataclass
class Library:
    """All entries of a library and of the packs it uses, and the text of every file read."""

    root: Path
    entries: list[AnyEntry] = field(default_factory=list)
    """Its own, then those of packs; only :meth:`add` changes it."""
    sources: dict[str, SourceFile] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    settings: Settings = field(default_factory=lambda: Settings.model_validate({}))
    package: OwnPackage | None = None
    """Its own Python package, if that is a folder of its root."""
    work: Path | None = None
    """The folder to write to instead of its root."""
    not_installed: dict[str, list[str]] = field(default_factory=dict)
    """Files of kinds that a package of ours brings which is not installed, by that package."""
    packs: dict[str, Pack] = field(default_factory=dict)
    """The packs that files have been read from, by the prefix of their paths."""
    edited: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)
    """Texts that an editor has not saved, by the paths of their files; they stand for these."""
    looked_at: set[Path] = field(default_factory=set, repr=False, compare=False)
    """Further files that were read, which are not entries: task graphs, layouts."""
    unread: dict[str, Path] = field(default_factory=dict, repr=False, compare=False)
    """Files of its own that were left out; those that are named by their folder are read then."""
    is_part: bool = field(default=False, compare=False)
    """Whether it is one system of a library, which is judged as a whole."""
    results: dict[Hashable, object] = field(default_factory=dict, repr=False, compare=False)
    """What a check has found out of its entries, for as long as the check lasts."""
    _uses: dict[tuple[str, str], Use] = field(default_factory=dict, repr=False, compare=False)
    _read: set[str] = field(default_factory=set, repr=False, compare=False)
    _index: _Index | None = field(default=None, repr=False, compare=False)
    _in_packs: list[str] = field(default_factory=list, repr=False, compare=False)

    def has(self, kinds: Sequence[str]) -> bool:
        """Whether it may have files of some kinds, readable or not, or such nodes or keys."""
        key = rf"\b(?:{'|'.join(map(re.escape, kinds))})[\"']?\s*:"
        if not self._by.kinds.keys().isdisjoint(kinds):
            return True
        return any(_may_have(file, key, tuple(kinds)) for file in self.sources.values())

    @property
    def runs(self) -> Path:
        """The folder of its runs; for an installed pack, below the working folder."""
        return (self.root if self.work is None else self.work) / "runs"

    def add(self, entries: Iterable[AnyEntry]) -> None:
        """Add the entries of a file."""
        self.entries.extend(entries)
        self._index = None

    def with_entries(self, entries: Iterable[AnyEntry]) -> Library:
        """Return the same library with other entries."""
        return replace(self, entries=list(entries), _index=None)

    @property
    def _by(self) -> _Index:
        """The index, built on first use: the check looks up entries for every system."""
        if self._index is None:
            self._index = _Index(self)
        return self._index

    def of_kind(self, kind: str) -> Iterator[AnyEntry]:
        """Return entries of a kind, the library's own first, in order of path and position."""
        return iter(self._by.kinds.get(kind, ()))

    def own(self, kind: str) -> Iterator[AnyEntry]:
        """Return the library's own entries of a kind, in order of path and position."""
        return (entry for entry in self.of_kind(kind) if self.pack_of(entry.path) is None)

    def find(self, kind: str, name: str) -> AnyEntry | None:
        """Return the first entry of that kind and name, or None."""
        return self._by.names.get((kind, name))

    def inside(self, folders: Iterable[str]) -> list[AnyEntry]:
        """Return the entries in any of the folders, in order of path and position."""
        by = self._by.folders
        found = {number for folder in folders for number in by.get(folder, ())}
        return [self.entries[number] for number in sorted(found)]

    def pack_of(self, path: str) -> Pack | None:
        """Return the pack of a file, by its displayed path; None for the library's own."""
        return self.packs.get(self._prefix(path))

    def file(self, path: str, beside: AnyEntry | None = None) -> Path:
        """Return the file at a displayed path, or at one below the root of ``beside``'s pack."""
        pack = self.pack_of(path if beside is None else beside.path)
        root = self.root if pack is None else pack.root
        if beside is None and pack is not None:
            path = path.partition("/")[2]
        found = root / path
        self.looked_at.add(found)
        return found

    def file_beside(self, entry: AnyEntry, name: str) -> Path:
        """Return the file of a name in the folder of an entry's file."""
        return self.file(str(PurePosixPath(entry.path).parent / name))

    def leads_out(self, path: Path) -> bool:
        """Whether a file lies outside the library, by a symbolic link or by `..`.

        Files of packs lie wherever their installer has put them.
        """
        written = os.path.normpath(path)
        if any(is_below(written, os.path.normpath(pack.root)) for pack in self.packs.values()):
            return False
        return not is_below(os.path.realpath(path), os.path.realpath(self.root))

    def uses(self, system: Entry[SystemFile]) -> list[Use]:
        """Resolve ``uses`` of a system, reading folders of packs that have not been read yet."""
        home = self._prefix(system.path)
        found = []
        for text in system.model.uses:
            if (home, text) not in self._uses:
                self._uses[home, text] = self._resolve_use(home, text)
            found.append(self._uses[home, text])
        return found

    def resolved_uses(self) -> list[tuple[str, ...]]:
        """Return the folders of each entry of ``uses`` that has been resolved."""
        found = ((*key, *use.folders, str(use.problem)) for key, use in self._uses.items())
        return sorted(found)

    def folders(self, system: Entry[SystemFile]) -> list[str]:
        """Return the folders of everything that a system uses."""
        return [folder for use in self.uses(system) for folder in use.folders]

    def find_system(self, name: str, by: AnyEntry | None = None) -> Entry[SystemFile] | None:
        """Return a system of the library, or with ``PACK/NAME`` of a pack, which is then read.

        With ``by``, resolve the name as in that entry: a pack's files name systems of that pack.
        """
        home = "" if by is None else self._prefix(by.path)
        head, slash, rest = name.rpartition("/")
        if slash and not (home == "" and head == self._own_name):
            try:
                home = self._open_pack(find_pack(head))
            except PackError:
                return None
        if home:
            self._read_systems(home)
        for entry in self.of_kind("system"):
            if entry.name == rest and self._prefix(entry.path) == home:
                return entry
        return None

    def resolve_system(self, name: str) -> Entry[SystemFile]:
        """Return the system that a name on the command line stands for. Raises PackError.

        That is the library's own, else that of the only installed pack with such a system;
        PACK/NAME always means a pack's.
        """
        found = self.find_system(name)
        if found is not None:
            return found
        head, slash, rest = name.rpartition("/")
        if slash:
            pack = find_pack(head)
            known = [f"{head}/{other}" for other in sorted(system_names(pack))]
            hint = suggestion(name, known, "its systems")
            raise PackError(f"unknown system '{rest}' in the pack '{head}'", hint)
        places = self.systems_in_packs(name)
        if len(places) > 1:
            hint = f"write {' or '.join(places)}"
            raise PackError(f"several packs have a system '{name}'", hint)
        found = self.find_system(places[0]) if places else None
        if found is None:
            known = [entry.name for entry in self.own("system")] or [
                place.rpartition("/")[2] for place in self.systems_in_packs(None)
            ]
            help = missing_help("systems", name) or suggestion(name, known, "systems")
            raise PackError(f"unknown system '{name}'", help)
        return found

    def systems_in_packs(self, name: str | None) -> list[str]:
        """Return PACK/NAME of the installed packs' systems with this name, or of all."""
        for pack in pack_names() if not self._in_packs else ():
            with suppress(PackError):
                opened = find_pack(pack)
                names = sorted(system_names(opened)) if opened.root != self.root else ()
                self._in_packs.extend(f"{pack}/{it}" for it in names)
        return [it for it in self._in_packs if name is None or it.rpartition("/")[2] == name]

    def belongs_to(self, entry: AnyEntry, system: Entry[SystemFile]) -> bool:
        """Whether a scenario or a case belongs to a system; one that names none to the only one."""
        name, home = entry.model.system, self._prefix(system.path)
        if name is None:
            return len(list(self.own("system"))) == 1
        if "/" not in name:
            return bool(name == system.name and self._prefix(entry.path) == home)
        head, _, rest = name.rpartition("/")
        pack = self.packs.get(home)
        whose = self._own_name if pack is None else pack.name
        return bool(rest == system.name and head == whose)

    def find_qualified(self, kind: str, name: str) -> AnyEntry | None:
        """Find ``FOLDER/NAME`` or ``PACK[/PART]/NAME`` outside of what a system uses."""
        where, _, rest = name.rpartition("/")
        for path in list(self.unread):
            if f"/{path.rpartition('/')[0]}".endswith(f"/{where}"):
                load_file(self, self.unread.pop(path), path)
        for entry in self.of_kind(kind):
            if entry.name == rest and f"/{entry.folder}".endswith(f"/{where}"):
                return entry
        try:
            folders = self._of_pack("", where)
        except PackError:
            return None
        return next((e for e in self.inside(folders) if (e.kind, e.name) == (kind, rest)), None)

    @property
    def _own_name(self) -> str | None:
        return None if self.settings.pack is None else self.settings.pack.name

    def _prefix(self, path: str) -> str:
        if not self.packs:
            return ""
        head = path.partition("/")[0]
        return head if head in self.packs else ""

    def _resolve_use(self, home: str, text: str) -> Use:
        """Resolve an entry of ``uses``, in the library or in the pack ``home``."""
        local = text.removeprefix("./").strip("/") or "."
        by_path = text.startswith("./") or local == "."
        pack = self.packs.get(home)
        root = self.root if pack is None else pack.root
        head = local.partition("/")[0]
        inside = ".." not in PurePosixPath(local).parts
        is_folder = inside and ((root / local).is_dir() or self._holds(home, local))
        is_own = not home and head == self._own_name
        is_pack = not by_path and (is_own or head in pack_names())
        if is_pack and not is_own and not home and (root / head).is_dir():
            message = f"'{head}' is both a folder of this library and an installed pack"
            help = f"write './{local}' for the folder, or rename the folder to use the pack"
            return Use(text, (local,) if is_folder else (), PackError(message, help))
        if is_folder and pack is None and self.leads_out(self.root / local):
            help = "copy the folder into the library, or make a pack of it"
            return Use(text, (), PackError(f"'{text}' leads out of the library", help))
        if is_folder:
            return Use(text, self._in_home(home, local))
        if is_pack:
            try:
                return Use(text, self._of_pack(home, local))
            except PackError as error:
                return Use(text, self._nearest_part(home, local), error)
        own = self._folders_of(home)
        choices = own if by_path else [*own, *pack_names()]
        near = did_you_mean(local, choices) if inside else None
        owner = "the library" if pack is None else f"the pack '{pack.name}'"
        what = "folder" if by_path or head in own else "folder or pack"
        package = None if by_path else missing_help("packs", head)
        if inside:
            help = package or suggestion(local, choices)
            problem = PackError(f"unknown {what} '{text}' in {owner}", help)
        else:
            problem = PackError(f"'{text}' is outside {owner}", "make what lies there a pack")
        return Use(text, self._in_home(home, near) if near in own else (), problem)

    def _holds(self, home: str, folder: str) -> bool:
        """Whether files have been read from a folder that may no longer exist."""
        return (f"{home}/{folder}" if home else folder) in self._by.folders

    def _in_home(self, home: str, folder: str) -> tuple[str, ...]:
        if not home:
            return (folder,)
        self._read_folder(home, folder)
        return (home if folder == "." else f"{home}/{folder}",)

    def _of_pack(self, home: str, name: str) -> tuple[str, ...]:
        """Return the folders of ``PACK[/PART]``. Raises PackError."""
        head, _, part = name.partition("/")
        if head == self._own_name and not home:
            assert self.settings.pack is not None
            own = self.settings.pack.parts
            return (*part_folders(head, own, part), *self._with_part(own, part))
        pack = find_pack(head)
        folders = part_folders(head, pack.parts, part)
        for folder in folders:
            if not (pack.root / folder).is_dir():
                message = f"missing folder '{folder}' of the pack '{head}' in {pack.root}"
                raise PackError(message, f"install '{pack.distribution}' again")
        prefix = self._open_pack(pack)
        places = [place for folder in folders for place in self._in_home(prefix, folder)]
        return (*places, *self._with_part(pack.parts, part))

    def _with_part(self, parts: Mapping[str, PartSpec], part: str) -> Iterator[str]:
        """Yield the folders of the other packs that come with a part. Raises PackError."""
        for name in parts[part].uses if part in parts else ():
            yield from self._of_pack(name.partition("/")[0], name)

    def _nearest_part(self, home: str, name: str) -> tuple[str, ...]:
        """Return the folders of the part with the nearest name, to avoid follow-up errors."""
        head = name.partition("/")[0]
        try:
            parts: Mapping[str, PartSpec] = find_pack(head).parts
            near = did_you_mean(name, [f"{head}/{part}" for part in parts])
            return () if near is None else self._of_pack(home, near)
        except PackError:
            return ()

    def _folders_of(self, home: str) -> list[str]:
        """Return every folder of the library, or of a pack, with files in it or below it."""
        if not home:
            own = (folder for folder in self._by.folders if folder != ".")
            return sorted(folder for folder in own if self._prefix(folder + "/") == "")
        mine = (folder for folder in self._by.folders if folder.startswith(f"{home}/"))
        return sorted(folder.partition("/")[2] for folder in mine)

    def _open_pack(self, pack: Pack) -> str:
        """Return the path prefix of a pack's files, registering the pack."""
        for prefix, known in self.packs.items():
            if known.name == pack.name:
                return prefix
        taken = (self.root / pack.name).exists() and pack.root != self.root
        prefix = f"pack:{pack.name}" if taken else pack.name
        self.packs[prefix] = pack
        return prefix

    def _read_folder(self, prefix: str, folder: str) -> None:
        """Read a folder of a pack, without systems and their scenarios."""
        pack = self.packs[prefix]
        for path in _files(pack.root, pack.settings.library.exclude, folder):
            if kind_of(path.name) not in ("system", "scenario"):
                self._read_file(prefix, path)

    def _read_systems(self, prefix: str) -> None:
        """Read the systems and scenarios of a pack."""
        pack = self.packs[prefix]
        for path in _files(pack.root, pack.settings.library.exclude):
            if kind_of(path.name) in ("system", "scenario"):
                self._read_file(prefix, path)

    def _read_file(self, prefix: str, path: Path) -> None:
        shown = f"{prefix}/{path.relative_to(self.packs[prefix].root).as_posix()}"
        if shown not in self._read:
            self._read.add(shown)
            load_file(self, path, shown)


LEADS_OUT = "is a symbolic link that leads out of the library"


def is_below(path: str, folder: str) -> bool:
    """Whether a path is that of a folder, or of something in it; both are normal."""
    return path == folder or path.startswith(folder.rstrip(os.sep) + os.sep)


def load_library(root: Path, edited: Mapping[str, str] | None = None) -> Library:
    """Read every file of a library, and the folders of packs that its systems use.

    Texts in ``edited`` stand for those of the files at these paths. Invalid files never raise: see
    ``diagnostics``.
    """
    library = Library(root, edited=edited or {})
    _load_settings(library)
    on_disk = {path.relative_to(root).as_posix() for path in _files_of(library)}
    for shown in sorted(on_disk | library.edited.keys()):
        load_file(library, root / shown, shown)
    for system in list(library.of_kind("system")):
        library.uses(system)
    for scenario in list(library.of_kind("scenario")):
        if "/" in scenario.model.system:
            of_pack = library.find_system(scenario.model.system)
            if of_pack is not None:
                library.uses(of_pack)
    return library


def load_around(
    root: Path, tree: Path | None, system: str | None = None, scenario: str | None = None
) -> Library:
    """Read what the file of a tree reaches, and the systems that it can run in.

    These are the systems in whose folders it lies, or ``system``, with all that they use; without
    one, only what lies beside it. A file that is none of the library's reaches nothing of it.
    Without a tree, read ``system`` and its scenarios; the whole library if it has no such system,
    or the system no such ``scenario``.
    """
    library = Library(root, is_part=tree is None)
    _load_settings(library)
    files = {path.relative_to(root).as_posix(): path for path in _files_of(library)}
    folders: list[str] = []
    if tree is not None:
        shown = next((it for it, path in files.items() if path.samefile(tree)), None)
        if shown is None:
            return library
        folders.append(shown.rpartition("/")[0] or ".")
    systems = Library(root, settings=library.settings)
    for name, path in files.items():
        if kind_of(path.name) == "system":
            load_file(systems, path, name)
    holders = [
        entry
        for entry in systems.own("system")
        if (entry.name == system if system else _is_in(folders[0], systems.folders(entry)))
    ]
    if (system or systems.diagnostics) and not holders:  # a pack's, unreadable, or none
        return load_library(root)
    folders += [it for entry in holders for it in systems.folders(entry)]
    chosen = {entry.path for entry in holders}
    for name, path in files.items():
        kind = kind_of(path.name)
        near = kind not in ("system", "scenario") and _is_in(name, folders)
        if near or name in chosen or (tree is None and kind == "scenario" and _is_of(path, system)):
            load_file(library, path, name)
        else:
            library.unread[name] = path
    if scenario is not None and library.find("scenario", scenario) is None:
        return load_library(root)
    for entry in list(library.of_kind("system")):
        library.uses(entry)
    return library


def load_alone(path: Path) -> Library:
    """Read one file and nothing else, with the settings of the library in which it lies, if any."""
    try:
        library = Library(find_root(path.absolute().parent))
        _load_settings(library)
    except NoLibrary:
        library = Library(path.parent)
    load_file(library, path, path.as_posix())
    return library


def _is_in(path: str, folders: Iterable[str]) -> bool:
    return any(folder == "." or f"{path}/".startswith(f"{folder}/") for folder in folders)


def _is_of(scenario: Path, system: str | None) -> bool:
    """Whether a scenario's file may be one of a system, by the line that names it."""
    match = _SYSTEM.search(scenario.read_text("utf-8", "replace"))
    return match is None or match[1].rpartition("/")[2] == system


def _files_of(library: Library) -> Iterator[Path]:
    yield from _own_files(library.root, library.settings.library.exclude)


def system_names(pack: Pack) -> frozenset[str]:
    """Return the names of a pack's systems, from the first key of their files."""
    found = set()
    for path in _files(pack.root, pack.settings.library.exclude):
        if kind_of(path.name) == "system" and path.is_file():
            match = _SYSTEM.search(path.read_text("utf-8", "replace"))
            found.add(path.name.split(".")[0] if match is None else match[1])
    return frozenset(found)


def load_file(library: Library, path: Path, shown: str) -> list[AnyEntry]:
    """Read one file into a library and return its entries."""
    kind = kind_of(path.name)
    if kind is None or path.suffix == ".yml":
        _report_ending(library, path, shown)
        return []
    if path.is_symlink() and library.leads_out(path):
        span = Span(shown, 1, 1, 1, 2)
        library.diagnostics.append(UNREADABLE.at(span, f"this cannot be read: it {LEADS_OUT}"))
        return []
    if shown in library.edited:
        file: SourceFile | None = SourceFile(shown, library.edited[shown])
    else:
        file, problems = read_file(path, shown)
        library.diagnostics.extend(problems)
    if file is None:
        return []
    library.sources[shown] = file
    entries, found = _read_entries(file, kind)
    library.diagnostics.extend(found)
    library.add(entries)
    return list(entries)


@lru_cache(maxsize=2048)
def _read_entries(
    file: SourceFile, kind: str
) -> tuple[tuple[AnyEntry, ...], tuple[Diagnostic, ...]]:
    """Parse and validate a file. Cached by its path and text; entries are immutable."""
    documents, problems = read_documents(file)
    if not documents and not problems:
        problems = [
            Diagnostic(
                WRONG_KIND.code,
                "error",
                Span(file.path, 1, 1, 1, 2),
                f"this {kind} file is empty",
                f"begin with '{kind}: NAME', or delete the file",
            )
        ]
    entries: list[AnyEntry] = []
    for document in documents:
        entry, found = read_entry(document, kind)
        problems.extend(found)
        if entry is not None:
            entries.append(entry)
    return tuple(entries), tuple(problems)


@lru_cache(maxsize=8192)
def _may_have(file: SourceFile, key: str, kinds: tuple[str, ...]) -> bool:
    """Whether a file is of some kinds, or its text has a key; cached, since editors ask often."""
    kind = kind_of(file.path.rpartition("/")[2])
    return kind in kinds or (kind in _WITH_KEYS and re.search(key, file.text) is not None)


forget_files = _read_entries.cache_clear
"""Forget the files that were read: what each has is kept by its path and text."""
depends_on_extensions(forget_files)


def kind_of(filename: str) -> str | None:
    """Return the kind in ``NAME.KIND.yaml``."""
    parts = filename.split(".")
    return parts[-2] if len(parts) >= 3 and parts[-2] in MODELS else None


def _report_ending(library: Library, path: Path, shown: str) -> None:
    parts = path.name.split(".")
    ending = parts[-2] if len(parts) >= 3 else ""
    package = missing("kinds", ending)
    if package is not None:
        library.not_installed.setdefault(package.distribution, []).append(shown)
        return
    former = former_file(shown)
    if former is not None:
        span = Span(shown, 1, 1, 1, 2)
        library.diagnostics.append(
            Diagnostic(UNKNOWN_ENDING.code, "error", span, former.message, former.help)
        )
        return
    near = did_you_mean(ending, MODELS) if ending not in MODELS else ending
    severity: Severity = "error"
    help = f"did you mean '.{near}.yaml'?"
    if near is None:
        kind = _first_kind(path) if not ending else None
        if kind is None:
            return  # some other tool's file
        severity, help = "warning", f"if it is {a(kind)}, rename it to end in '.{kind}.yaml'"
    library.diagnostics.append(
        Diagnostic(
            UNKNOWN_ENDING.code,
            severity,
            Span(shown, 1, 1, 1, 2),
            f"'{path.name}' does not end in a kind of file",
            help,
        )
    )


def _first_kind(path: Path) -> str | None:
    """Return the kind that a file's first key names, if the next one is ``about``."""
    if not path.is_file():  # a pipe
        return None
    try:
        with path.open("rb") as file:
            begin = file.read(4096)
    except OSError:
        return None
    match = _BEGINNING.match(begin)
    kind = match[1].decode() if match else ""
    return kind if kind in MODELS else None


def library_files(root: Path) -> Iterator[Path]:
    """Yield the files of a library, including its settings, in order of path."""
    if (root / SETTINGS).is_file():
        yield root / SETTINGS
    yield from _own_files(root, settings_of(root)[0].library.exclude)


def _own_files(root: Path, excluded: Iterable[str]) -> Iterator[Path]:
    files = dict.fromkeys((*_files(root, excluded), *case_files(root)))
    yield from sorted(files, key=lambda path: path.relative_to(root).as_posix())


def _load_settings(library: Library) -> None:
    """Read ``treec.toml``."""
    library.settings, file, problems = settings_of(library.root)
    name = library.settings.library.package
    library.package, wrong = own_package(library.root, name)
    if file is not None:
        _, nodes, _ = read_toml(file)
        if wrong is not None:
            span = locate(nodes, ("library", "package")).span
            problems = [*problems, NO_PACKAGE.at(span, wrong)]
        for loc, folder in _offered_folders(library.settings):
            if not (library.root / folder).is_dir():
                span = locate(nodes, loc).span
                problems = [
                    *problems,
                    NO_PART.at(span, f"missing folder '{folder}'"),
                ]
    library.diagnostics.extend(problems)
    if problems and file is not None:  # for the excerpt
        library.sources[SETTINGS] = file


def _offered_folders(settings: Settings) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield each folder that a pack offers, and its place in treec.toml."""
    if settings.pack is None:
        return
    if settings.pack.templates is not None:
        yield ("pack", "templates"), settings.pack.templates
    for name, part in settings.pack.parts.items():
        for index, folder in enumerate(part.folders):
            yield ("pack", "parts", name, "folders", index), folder


def _files(root: Path, excluded: Iterable[str], below: str = ".") -> Iterator[Path]:
    """Yield the YAML files in a folder of a library or pack, in order of path."""
    excluded = frozenset(name.strip("/") for name in excluded)
    found: list[Path] = []
    for folder, folders, names in os.walk(root / below):
        path = os.path.relpath(folder, root)
        prefix = "" if path == "." else path.replace(os.sep, "/") + "/"
        folders[:] = [
            name
            for name in folders
            if not name.startswith((".", "__"))
            and prefix + name not in excluded
            and not os.path.exists(os.path.join(folder, name, "pyvenv.cfg"))
            and not os.path.exists(os.path.join(folder, name, SETTINGS))
        ]
        found.extend(Path(folder, name) for name in names if name.endswith((".yaml", ".yml")))
    return iter(sorted(found, key=lambda path: path.relative_to(root).as_posix()))
