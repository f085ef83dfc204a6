"""What a check of unchanged files found before, so that `treec run` does not check them twice.

Only one thing is kept: that a library, as it stood, had no error. It stands under a key made of
everything that the check read: the text of every file, the system that is to run, treec's own code,
the installed extensions and packs, and Python's search path. What the check looked at besides
(Python packages that files name, task graphs) is kept with it and compared before it counts.
Whatever is wrong with the cache (absent, unwritable, torn, of another version), the library is
checked as if there were none. Rules of other packages may look at anything: with such an extension
nothing is kept.

The folder is ``$TREEC_CACHE``, else ``treec`` in ``$XDG_CACHE_HOME`` or in ``~/.cache``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from collections.abc import Iterable
from importlib.metadata import EntryPoint, entry_points, version
from pathlib import Path

from treec.core import CORE
from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.library import Library, library_files
from treec.files.own_package import installed_spec
from treec.files.systems import SystemFile
from treec.source.diagnostics import Diagnostic

FORMAT = 1
GROUPS = ("treec.extensions", "treec.packs")
LIBRARIES = ("treec", "pydantic", "pydantic_core", "jinja2", "pyyaml")
"""Distributions whose version decides what a check finds."""
KEPT = 100
"""Libraries, as they stood at one time, that are remembered."""


def errors_of(library: Library, *systems: Entry[SystemFile]) -> list[Diagnostic]:
    """The errors that a check finds; none at once where the same files had none before."""
    from treec import check

    key = _key(library, systems)
    if key is not None and _had_none(key):
        return []
    errors = [p for p in check.check_library(library, *systems) if p.severity == "error"]
    if key is not None and not errors:
        _keep(key, library)
    return errors


def folder() -> Path:
    """Where it is kept."""
    own = os.environ.get("TREEC_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(own or f"{base}/treec") / "checked"


def _key(library: Library, systems: Iterable[Entry[SystemFile]]) -> str | None:
    """A name for all that decides what the check finds; None where that cannot be told."""
    tables = registry()
    strangers = set()
    for source, extension in tables.extensions:
        if source.name == CORE.name or source.package == "treec":
            continue
        if extension.rules or not source.package:
            return None
        strangers |= {target.partition(".")[0] for target in extension.targets()}
    try:
        known = [
            FORMAT,
            sys.version,
            sys.path,
            [version(name) for name in LIBRARIES],
            [_point(point) for group in GROUPS for point in entry_points(group=group)],
            _package("treec"),
            sorted((name, _package(name)) for name in strangers),
            [str(problem) for problem in tables.problems],
            str(library.root),
            library.settings.model_dump_json(),
            _texts(None if library.package is None else library.package.folder),
            sorted((path, _hash(file.text.encode())) for path, file in library.sources.items()),
            [(str(path), _hash(path.read_bytes())) for path in library_files(library.root)],
            sorted((name, str(pack.root), pack.version) for name, pack in library.packs.items()),
            [(system.path, system.name) for system in systems],
            library.resolved_uses(),
            sorted(str(problem) for problem in library.diagnostics),
        ]
    except (OSError, ImportError, UnicodeError):
        return None
    return _hash(json.dumps(known).encode())


def _point(point: EntryPoint) -> list[str]:
    dist = ("", "") if point.dist is None else (point.dist.name, point.dist.version)
    return [point.name, point.value, *dist]


def _had_none(key: str) -> bool:
    try:
        text = (folder() / f"{key}.json").read_text("utf-8")
        digest, _, body = text.partition("\n")
        if digest != _hash(body.encode()):
            return False
        kept = json.loads(body)
        return bool(
            kept["key"] == key
            and all(_file(path) == was for path, was in kept["files"].items())
            and all(_package(name) == was for name, was in kept["packages"].items())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _keep(key: str, library: Library) -> None:
    try:
        packages = {name: _package(name) for name in _named_packages(library)}
        files = {str(path): _file(str(path)) for path in library.looked_at}
        body = json.dumps({"key": key, "files": files, "packages": packages})
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        new = place / f"{key}.{os.getpid()}.new"
        new.write_text(f"{_hash(body.encode())}\n{body}", "utf-8")
        new.replace(place / f"{key}.json")
        for old in sorted(place.glob("*"), key=lambda path: path.stat().st_mtime)[:-KEPT]:
            with contextlib.suppress(OSError):
                old.unlink()
    except (OSError, ValueError, RuntimeError):  # no cache, then
        return


def _named_packages(library: Library) -> set[str]:
    """The top-level Python packages that files name; treec's and the library's are in the key."""
    from treec.check.base import places
    from treec.check.scene_bodies import packages

    names: set[str] = set()
    for entry in library.entries:
        names |= {str(place.value) for place in places(entry) if place.kind == "import"}
        if entry.kind == "scene":
            names |= set(packages(entry.model))
    places.cache_clear()
    tops = {name.partition(":")[0].partition(".")[0] for name in names}
    own = {"treec"} if library.package is None else {"treec", library.package.name}
    return tops - own


def _package(name: str) -> str:
    """A hash of where a package lies and which code is in it, by size and times of change."""
    spec = installed_spec(name)
    if spec is None:
        return "absent"
    if not spec.submodule_search_locations:
        return f"{spec.origin} {_file(str(spec.origin))}"
    found: list[str] = []
    for place in spec.submodule_search_locations:
        _walk(str(place), found)
    return _hash("\n".join(sorted(found)).encode())


def _walk(place: str, found: list[str]) -> None:
    with os.scandir(place) as items:
        for item in items:
            if item.name.startswith((".", "__pycache__")):
                continue
            if item.is_dir():
                _walk(item.path, found)
            elif item.name.endswith((".py", ".toml", ".bin", ".json")):
                stat = item.stat()
                found.append(f"{item.path} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}")


def _texts(place: Path | None) -> list[list[str]]:
    """The modules of the library's own package, by what stands in them."""
    found = [] if place is None else sorted(place.rglob("*.py"))
    return [[str(path), _hash(path.read_bytes())] for path in found]


def _file(path: str) -> str:
    try:
        return _hash(Path(path).read_bytes())
    except OSError:
        return "absent"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
