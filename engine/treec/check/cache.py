"""Caches the verdict that a library has no errors, so that `treec run` does not check it again.

The key is a hash of everything that the check reads: the text of every file, the system to run,
treec's own code, the installed extensions and packs, and Python's search path. Further inputs of
the check (Python packages that files name, task graphs) are stored with the verdict and compared
before it is used. If the cache is missing, unwritable, corrupt or of another version, the library
is checked.

With rules of other packages the key also has the files of these packages and the versions of all
installed distributions. What else such a rule reads it opens at ``view.library.file(…)``, which is
compared as well; if one of them raises, nothing is cached.

The folder is ``$TREEC_CACHE``, else ``treec`` in ``$XDG_CACHE_HOME`` or in ``~/.cache``. Parsed
files are cached only within a process (``files/library.py``): docs/results/check.md says why.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import sys
from pathlib import Path

from treec.atomic import write_atomic
from treec.core import CORE
from treec.extensions import registry
from treec.files.entry import Entry
from treec.files.library import Library, library_files, load_library
from treec.files.own_package import installed_spec
from treec.files.systems import SystemFile
from treec.installed import EntryPoint, entry_points
from treec.source.diagnostics import Diagnostic

FORMAT = 1
GROUPS = ("treec.extensions", "treec.packs")
LIBRARIES = ("treec", "pydantic", "pydantic_core", "jinja2", "pyyaml")
"""Distributions whose version affects the check."""
MAX_ENTRIES = 100
"""Maximum number of cached verdicts."""


def errors_of(library: Library, system: Entry[SystemFile] | None = None) -> list[Diagnostic]:
    """Return the errors of a library, or of a system's files; none if the cache says so."""
    from treec import check

    key = _key(library, system)
    if key is not None and _is_cached(key):
        return []
    foreign = system is not None and library.pack_of(system.path) is not None
    others = (system,) if system is not None and foreign else ()
    whole = load_library(library.root) if library.is_part else library
    found = check.check_library(whole, *others, only=system)
    errors = [problem for problem in found if problem.severity == "error"]
    if key is not None and not errors and not registry().problems:
        _store(key, whole)
    return errors


def folder() -> Path:
    """Return the cache's folder."""
    own = os.environ.get("TREEC_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(own or f"{base}/treec") / "checked"


def _key(library: Library, system: Entry[SystemFile] | None) -> str | None:
    """Return a hash of all inputs of the check; None if they cannot be determined."""
    tables = registry()
    packages = set()
    foreign_rules = False
    for source, extension in tables.extensions:
        if source.name == CORE.name or source.package == "treec":
            continue
        if not source.package:
            return None
        named = (*extension.targets(), *extension.modules())
        packages |= {target.partition(".")[0] for target in named}
        foreign_rules = foreign_rules or bool(extension.rules)
    distributions = _distributions()
    try:
        inputs = [
            FORMAT,
            sys.version,
            sys.path,
            [it for it in distributions if it.partition("-")[0].lower() in LIBRARIES],
            [_point(point) for group in GROUPS for point in entry_points(group)],
            _package("treec"),
            sorted((name, _package(name, ())) for name in packages),
            distributions if foreign_rules else [],
            [str(problem) for problem in tables.problems],
            str(library.root),
            library.settings.model_dump_json(),
            _texts(None if library.package is None else library.package.folder),
            sorted((path, _hash(file.text.encode())) for path, file in library.sources.items()),
            [(str(path), _file(str(path))) for path in library_files(library.root)],
            sorted((name, str(pack.root), pack.version) for name, pack in library.packs.items()),
            None if system is None else [system.path, system.name],
            [(e.path, e.name, e.model.system) for e in library.of_kind("scenario")],  # lent, too
            library.resolved_uses(),
            sorted(str(problem) for problem in library.diagnostics),
        ]
    except (OSError, ImportError, UnicodeError):
        return None
    return _hash(json.dumps(inputs).encode())


def _point(point: EntryPoint) -> list[str]:
    dist = ("", "") if point.dist is None else (point.dist.name, point.dist.version)
    return [point.name, point.value, *dist]


def _is_cached(key: str) -> bool:
    try:
        text = (folder() / f"{key}.json").read_text("utf-8")
        digest, _, body = text.partition("\n")
        if digest != _hash(body.encode()):
            return False
        entry = json.loads(body)
        return bool(
            entry["key"] == key
            and all(_file(path) == hash for path, hash in entry["files"].items())
            and all(_package(name) == hash for name, hash in entry["packages"].items())
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def _store(key: str, library: Library) -> None:
    try:
        packages = {name: _package(name) for name in _named_packages(library)}
        files = {str(path): _file(str(path)) for path in library.looked_at}
        body = json.dumps({"key": key, "files": files, "packages": packages})
        place = folder()
        place.mkdir(parents=True, exist_ok=True)
        write_atomic(place / f"{key}.json", f"{_hash(body.encode())}\n{body}")
        for old in sorted(place.glob("*"), key=lambda path: path.stat().st_mtime)[:-MAX_ENTRIES]:
            with contextlib.suppress(OSError):
                old.unlink()
    except (OSError, ValueError, RuntimeError):  # go without a cache
        return


def _named_packages(library: Library) -> set[str]:
    """Return the top-level packages that files name, without treec's and the library's own."""
    from treec.check.base import places

    names: set[str] = set()
    for entry in library.entries:
        names |= {str(place.value) for place in places(entry) if place.kind == "import"}
        if entry.kind == "scene":
            names |= set(entry.model.body_packages)
    tops = {name.partition(":")[0].partition(".")[0] for name in names}
    own = {"treec"} if library.package is None else {"treec", library.package.name}
    return tops - own


def _distributions() -> list[str]:
    """Return the names and versions of all installed distributions, as their folders are called."""
    folders = [place for place in sys.path if os.path.isdir(place)]
    names = (name for place in folders for name in os.listdir(place))
    return sorted(name for name in names if name.endswith((".dist-info", ".egg-info")))


_READ = (".py", ".toml", ".bin", ".json")
"""Endings of the files of a package that the check depends on."""


def _package(name: str, endings: tuple[str, ...] = _READ) -> str:
    """Return a hash of a package's place and of its files' sizes and modification times.

    Without ``endings`` all its files count.
    """
    spec = installed_spec(name)
    if spec is None:
        return "absent"
    if not spec.submodule_search_locations:
        return f"{spec.origin} {_file(str(spec.origin))}"
    found: list[str] = []
    for place in spec.submodule_search_locations:
        _walk(str(place), endings, found)
    return _hash("\n".join(sorted(found)).encode())


def _walk(place: str, endings: tuple[str, ...], found: list[str]) -> None:
    with os.scandir(place) as items:
        for item in items:
            if item.name.startswith((".", "__pycache__")):
                continue
            if item.is_dir():
                _walk(item.path, endings, found)
            elif not endings or item.name.endswith(endings):
                stat = item.stat()
                found.append(f"{item.path} {stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns}")


def _texts(place: Path | None) -> list[list[str]]:
    """Return the modules of the library's own package with hashes of their content."""
    found = [] if place is None else sorted(place.rglob("*.py"))
    return [[str(path), _file(str(path))] for path in found]


def _file(path: str) -> str:
    try:
        return _hash(Path(path).read_bytes()) if os.path.isfile(path) else "absent"
    except OSError:
        return "absent"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
