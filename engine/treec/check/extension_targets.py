"""Python objects that installed extensions name and that do not exist, or cannot be read.

They are imported when a library needs them, some of them only when it runs. Nothing is imported
here: modules are found and parsed, as for the names in a library's files. Companions of treec's own
version have been tested with it.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import places
from treec.companions import COMPANIONS
from treec.core import CORE
from treec.extensions import ExtensionError, registry
from treec.files.library import Library
from treec.files.modules import find_missing, find_module, not_python
from treec.foreign import is_foreign
from treec.installed import own_version


def missing_targets() -> Iterator[ExtensionError]:
    """Yield an error for each object that an extension names and that does not exist."""
    tables = registry()
    judged: set[str] = set()
    tested, version = {"treec", *(one.distribution for one in COMPANIONS)}, own_version()
    for source, extension in tables.extensions:
        if source.name == CORE.name or (source.package in tested and source.version == version):
            continue
        for target in extension.targets():
            module, _, name = target.partition(":")
            missing = find_missing(module, name, None)
            path, _ = find_module(module, None)
            if missing is not None:
                yield ExtensionError(f"{source}: {target}: {missing.message}", target)
            elif path is None or path in judged or not is_foreign(module):
                continue
            elif (text := not_python(path)) is not None:
                judged.add(path)
                yield ExtensionError(f"{source}: {target}: it is not Python\n{text}", target)


def concerns(error: ExtensionError, library: Library) -> bool:
    """Whether what cannot be used is the library's own, or of a package whose code its files name.

    Any other extension is somebody else's, who has it in the same environment of Python.
    """
    named = [str(library.settings.library.package), *library.settings.environments.values()]
    for entry in library.entries:
        named += [str(place.value) for place in places(entry) if place.kind == "import"]
    return not error.target or _package(error.target) in map(_package, named)


def _package(target: str) -> str:
    """The top-level package of code."""
    return target.partition(":")[0].partition(".")[0]
