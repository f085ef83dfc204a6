"""Packs: folders of files that an installed distribution offers to every library.

Packs are found through the entry point group ``treec.packs``: the entry's name is the pack's, its
value the Python package whose folder holds the pack's ``treec.toml``, or lies below that folder (as
in an editable install, where the pack is the root of its repository). That package is located, not
imported. ``[pack]`` in the ``treec.toml`` repeats the name and defines the parts that ``uses:`` can
name: ``treec/depot/tasks`` is the part ``depot/tasks`` of the pack ``treec``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from treec.companions import MOVED_PARTS, missing_help
from treec.files.modules import package_folder
from treec.files.settings import SETTINGS, PartSpec, Settings, settings_of
from treec.frozen import frozen
from treec.installed import EntryPoint, entry_points
from treec.source.diagnostics import suggestion

GROUP = "treec.packs"


class PackError(Exception):
    """A pack, or a part of one, that cannot be used; ``help`` says how to correct it."""

    def __init__(self, message: str, help: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.help = help


@frozen(slots=False, eq=False)
class Pack:
    """An installed pack: its folder and its settings."""

    name: str
    root: Path
    """The folder that holds its ``treec.toml``."""
    settings: Settings
    distribution: str
    version: str

    @property
    def about(self) -> str | None:
        """What it is for, in one line."""
        return None if self.settings.pack is None else self.settings.pack.about

    @property
    def parts(self) -> Mapping[str, PartSpec]:
        """Its parts by name."""
        return {} if self.settings.pack is None else self.settings.pack.parts

    @property
    def templates(self) -> Path | None:
        """The folder that holds its templates for `treec init`."""
        folder = None if self.settings.pack is None else self.settings.pack.templates
        return None if folder is None else self.root / folder


def pack_names() -> tuple[str, ...]:
    """Return the sorted names of all installed packs, including broken ones."""
    return tuple(sorted(_points()))


def find_pack(name: str) -> Pack:
    """Return the installed pack of a name. Raises PackError."""
    points = _points().get(name, ())
    if not points:
        help = missing_help("packs", name) or suggestion(name, pack_names(), "packs")
        raise PackError(f"unknown pack '{name}'", help)
    if len(points) > 1:
        offering = " and ".join(sorted(_distribution(point)[0] for point in points))
        raise PackError(f"{offering} both offer a pack '{name}'", "uninstall one of them")
    return _open_pack(points[0])


def part_folders(pack: str, parts: Mapping[str, PartSpec], part: str) -> Sequence[str]:
    """Return the folders of a part, relative to the pack's root; '' is all. Raises PackError."""
    if not part:
        return (".",)
    if part not in parts:
        full = [f"{pack}/{name}" for name in parts]
        message = f"unknown part '{part}' of the pack '{pack}'"
        moved = MOVED_PARTS.get(f"{pack}/{part}")
        if moved is not None:
            raise PackError(message, f"write '{moved}'")
        raise PackError(message, suggestion(f"{pack}/{part}", full, "its parts"))
    return [folder.strip("/") for folder in parts[part].folders]


@lru_cache(maxsize=1)
def _points() -> Mapping[str, tuple[EntryPoint, ...]]:
    found: dict[str, tuple[EntryPoint, ...]] = {}
    for point in entry_points(GROUP):
        found[point.name] = (*found.get(point.name, ()), point)
    return found


@lru_cache(maxsize=64)
def _open_pack(point: EntryPoint) -> Pack:
    distribution, version = _distribution(point)
    folder = package_folder(point.value)
    by = f"of the distribution '{distribution}'"
    if folder is None or not folder.is_dir():
        raise PackError(f"the pack '{point.name}' {by} cannot be used: no package '{point.value}'")
    path = next((at / SETTINGS for at in _places(folder) if (at / SETTINGS).is_file()), None)
    if path is None:
        raise PackError(f"the pack '{point.name}' {by} cannot be used: no {SETTINGS} in {folder}")
    settings, _, problems = settings_of(path.parent)
    if problems:
        problem = f"{path}:{problems[0].span.line}: {problems[0].message}"
        raise PackError(f"the pack '{point.name}' {by} cannot be used: {problem}")
    own = None if settings.pack is None else settings.pack.name
    if own != point.name:
        says = "has no [pack]" if own is None else f"says that its pack is '{own}'"
        raise PackError(f"the pack '{point.name}' {by} cannot be used: {path} {says}")
    assert settings.pack is not None
    root = path.resolve().parent  # an editable install may link it
    return Pack(point.name, root, settings, distribution, settings.pack.version or version)


def _places(folder: Path) -> tuple[Path, ...]:
    """Where a pack's settings can be: its package's folder, and the two above it."""
    return (folder, *folder.resolve().parents[:2])


def _distribution(point: EntryPoint) -> tuple[str, str]:
    dist = point.dist
    return ("unknown", "0") if dist is None else (dist.name, dist.version)
