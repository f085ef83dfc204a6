"""What installed packages name in groups of entry points, read from their folders on the path.

`importlib.metadata` reads the same, and imports the packages of mails and archives for it, which
takes longer than anything else that `treec --help` does. Packages that are not in plain folders
are left to it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from functools import cached_property, lru_cache
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from importlib.metadata import Distribution as StandardDistribution


def put_off(package: str) -> None:
    """Let a package be imported without what its own module does, until a name of it is needed.

    The modules in it are imported as ever. Jinja's imports its compiler, filters and loaders: a
    twentieth of the time of a check.
    """
    spec = None if package in sys.modules else find_spec(package)
    if spec is None or spec.loader is None:
        return  # the first import says that it is missing
    loader, module, lock = spec.loader, module_from_spec(spec), RLock()
    known = vars(module)

    def need(name: str) -> object:
        """Give the package one of its modules, or else execute its own."""
        with lock:
            if "__getattr__" in known:
                if PathFinder.find_spec(f"{package}.{name}", spec.submodule_search_locations):
                    return import_module(f"{package}.{name}")
                del known["__getattr__"]
                loader.exec_module(module)
        if name not in known:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        return known[name]

    known["__getattr__"] = need
    sys.modules[package] = module


class Distribution:
    """An installed package; what it says of itself is read on first use."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def name(self) -> str:
        """The package's name."""
        return self._headers["name"]

    @property
    def version(self) -> str:
        """The package's version."""
        return self._headers["version"]

    @cached_property
    def _headers(self) -> dict[str, str]:
        """Headers of one line: a line of others is indented, and a blank line ends them."""
        path = next(path for it in ("METADATA", "PKG-INFO") if (path := self.folder / it).is_file())
        lines = path.read_text("utf-8", "replace").partition("\n\n")[0].splitlines()
        pairs = (line.partition(":") for line in lines if not line.startswith((" ", "\t")))
        return {key.lower(): value.strip() for key, _, value in pairs}


class EntryPoint(NamedTuple):
    """A name that a package gives one of its objects or modules."""

    name: str
    value: str
    group: str
    dist: Distribution | StandardDistribution | None

    @property
    def module(self) -> str:
        """The module that the value names."""
        return self.value.partition("[")[0].partition(":")[0].strip()

    @property
    def attr(self) -> str:
        """What the value names in the module; empty for the module itself."""
        return self.value.partition("[")[0].partition(":")[2].strip()


def entry_points(group: str) -> list[EntryPoint]:
    """What installed packages name in a group, sorted; all groups are read at once."""
    found = [point for point in _installed(tuple(sys.path)) if point.group == group]
    return sorted(found, key=lambda point: (point.name, point.value))


@lru_cache(maxsize=1)
def _installed(path: tuple[str, ...]) -> list[EntryPoint]:
    other = {it for it in sys.meta_path if hasattr(it, "find_distributions")} - {PathFinder}
    if other or any(place.endswith(".egg") or os.path.isfile(place) for place in path):
        from importlib.metadata import distributions

        named = {dist.name: dist for dist in reversed(list(distributions()))}
        return [
            EntryPoint(it.name, it.value, it.group, dist)
            for dist in named.values()
            for it in dist.entry_points
        ]
    found: dict[str, str] = {}
    for place in path:
        for folder in _distributions(place or "."):
            name = folder.rpartition(".")[0].partition("-")[0]
            key = name.lower().replace(".", "_")
            found.setdefault(key, f"{place or '.'}/{folder}")  # the first one is imported
    return [point for folder in found.values() for point in _points(folder)]


def _distributions(place: str) -> list[str]:
    try:
        names = os.listdir(place)
    except OSError:
        return []
    return [name for name in names if name.endswith((".dist-info", ".egg-info"))]


def _points(folder: str) -> Iterator[EntryPoint]:
    try:
        with open(f"{folder}/entry_points.txt", encoding="utf-8") as file:
            text = file.read()
    except OSError:
        return
    distribution, group = Distribution(Path(folder)), ""
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            group = line.strip("[]")
        elif line and not line.startswith("#"):
            name, _, value = map(str.strip, line.partition("="))
            yield EntryPoint(name, value, group, distribution)


def own_version() -> str:
    """The version of treec itself, which installs the command of its name."""
    for point in entry_points("console_scripts"):
        if (point.name, point.module.partition(".")[0]) == ("treec", "treec") and point.dist:
            return point.dist.version
    from importlib.metadata import version

    return version("treec")  # raises PackageNotFoundError where it is on the path, not installed
