"""A library's own Python package, named by `[library] package` in its `treec.toml`.

The package is a folder of the library's root, or installed. Reading and checking a library imports
none of it (`treec.files.modules` parses its source); code that runs a library first calls
:func:`provide`, which lets Python find the package under its own name. ``sys.path`` is not changed,
so nothing else in the library's folder can be imported or hide an installed package.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import ModuleType

from treec.frozen import frozen


class PackageConflict(Exception):
    """The name of a library's package already stands for another package in this process."""


@frozen(slots=False)
class OwnPackage:
    """The name of a library's package, and its folder."""

    name: str
    folder: Path

    def spec(self) -> ModuleSpec:
        """Return the module spec; a folder without ``__init__.py`` is a package, too."""
        start = self.folder / "__init__.py"
        places = [str(self.folder)]
        if start.is_file():
            found = spec_from_file_location(self.name, start, submodule_search_locations=places)
            assert found is not None
            return found
        spec = ModuleSpec(self.name, None, is_package=True)
        spec.submodule_search_locations = places
        return spec


class _Finder:
    """A meta path finder of the packages that libraries have provided."""

    def __init__(self) -> None:
        self.provided: dict[str, OwnPackage] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Return the package of a name; its modules are then found through its ``__path__``."""
        package = self.provided.get(fullname)
        return None if package is None else package.spec()


_finder = _Finder()


def own_package(root: Path, name: str | None) -> tuple[OwnPackage | None, str | None]:
    """Return a library's package if it is a folder of its root, and the problem with it.

    For an installed package, which needs no finder, both are None. In a clone of a library whose
    package is installed from elsewhere, the clone's own folder is meant.
    """
    if name is None:
        return None, None
    if not name.isidentifier():
        return None, f"'{name}' cannot be the name of a Python package"
    folder = root / name
    elsewhere = _folder(installed_spec(name))
    if not folder.is_dir():
        wrong = f"unknown package '{name}': neither a folder of the library nor installed"
        return None, None if elsewhere is not None else wrong
    if elsewhere is not None and not _same(elsewhere, folder) and not _is_clone(elsewhere):
        return None, f"the package '{name}' is installed already, from {elsewhere}"
    package = OwnPackage(name, folder)
    if elsewhere is not None and not _same(elsewhere, folder):
        with suppress(PackageConflict):  # before an extension of that name imports the other clone
            provide(package)
    return package, None


def provide(package: OwnPackage | None) -> None:
    """Let Python find a library's own package. Raises PackageConflict.

    Nothing is imported. A second library with a package of the same name can be provided only while
    the first one's has not been imported, so that modules of two libraries never get mixed up.
    """
    if package is None or _finder.provided.get(package.name) == package:
        return
    loaded = sys.modules.get(package.name)
    place = None if loaded is None else _folder(loaded.__spec__)
    if place is None:
        _finder.provided.pop(package.name, None)
        place = _folder(installed_spec(package.name))
        if place is not None and _is_clone(place):
            place = None
    if place is not None and not _same(place, package.folder):
        raise PackageConflict(
            f"'{package.name}' is {package.folder} for this library, and {place} in this process: "
            "rename one of the packages, or use a process for each library"
        )
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
    _finder.provided[package.name] = package


def installed_spec(name: str) -> ModuleSpec | None:
    """Return the spec of a top-level module outside of libraries; nothing is imported."""
    loaded = sys.modules.get(name)
    if loaded is not None and name not in _finder.provided:
        return loaded.__spec__
    for finder in sys.meta_path:
        if finder is _finder:
            continue
        try:
            spec = finder.find_spec(name, None, None)
        except (AttributeError, ImportError, ValueError):
            continue
        if spec is not None:
            return spec
    return None


def _is_clone(folder: Path) -> bool:
    """Whether an installed package is that of a library, of which this one may be a clone."""
    if (folder / "treec.toml").is_file() and not (folder / "__init__.py").is_file():
        return True  # a library of its package's name, found from the folder above
    settings = folder.parent / "treec.toml"
    return settings.is_file() and f'"{folder.name}"' in settings.read_text("utf-8", "replace")


def _folder(spec: ModuleSpec | None) -> Path | None:
    if spec is None:
        return None
    places = list(spec.submodule_search_locations or ())
    if places:
        return Path(places[0])
    return Path(spec.origin or spec.name)


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
