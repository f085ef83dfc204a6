"""Find a library or a system by name, for commands and programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from treec.api.errors import NotFound, TreecError
from treec.files.entry import Entry
from treec.files.library import Library, NoLibrary, find_root, load_around, load_library
from treec.files.own_package import PackageConflict, provide
from treec.files.packs import PackError, find_pack, pack_names
from treec.files.systems import SystemFile
from treec.source.diagnostics import unknown


def find_library(
    where: str | Path | None = None,
    *,
    or_none: bool = False,
    tree: Path | None = None,
    system: str | None = None,
    scenario: str | None = None,
) -> Library:
    """The library in a folder, an installed pack, or the library of the current folder.

    Makes the library's own Python importable, but imports none of it. With ``or_none``, returns an
    empty library if the current folder is in none. With ``tree``, the file of one, reads only what
    it reaches in the system of that name, without one that system with the scenario of that name
    (`load_around`). Raises TreecError.
    """

    def load(root: Path) -> Library:
        if tree is None and system is None:
            return load_library(root)
        return load_around(root, tree, system, scenario)

    if where is not None:
        library = _library_of(Path(where), load)
    else:
        try:
            library = load(find_root(Path.cwd()))
        except NoLibrary as error:
            if not or_none:
                raise TreecError(str(error)) from None
            library = Library(Path.cwd())
    provide_package(library)
    return library


def provide_package(library: Library) -> None:
    """Make the library's own package importable. Raises TreecError if another has its name."""
    try:
        provide(library.package)
    except PackageConflict as error:
        raise TreecError(str(error)) from None


def _library_of(folder: Path, load: Callable[[Path], Library]) -> Library:
    if folder.is_dir():
        if not (folder / "treec.toml").is_file():
            raise TreecError(f"{folder} is not a library: it has no treec.toml")
        return load(folder.resolve())
    name = folder.as_posix()
    if name not in pack_names():
        raise TreecError(_format_not_found(name))
    try:
        library = load(find_pack(name).root)
    except PackError as error:
        raise TreecError(error.message) from None
    library.work = Path.cwd()
    return library


def _format_not_found(name: str) -> str:
    """The message for an unknown library; says so if the name is a part of a pack."""
    pack, slash, _ = name.partition("/")
    if slash and pack in pack_names():
        return f"'{name}' is part of the pack '{pack}': open the pack, '{pack}'"
    return unknown("folder or pack", name, pack_names())


def find_system(library: Library, name: str) -> Entry[SystemFile]:
    """The system of that name, of the library itself or else of a pack.

    Raises NotFound.
    """
    try:
        return library.resolve_system(name)
    except PackError as error:
        message = error.message if error.help is None else f"{error.message}; {error.help}"
        raise NotFound(message) from None
