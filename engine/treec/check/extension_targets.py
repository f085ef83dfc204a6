"""Python objects that installed extensions name and that do not exist, or cannot be read.

They are imported when a library needs them, some of them only when it runs. Nothing is imported
here: modules are found and parsed, as for the names in a library's files.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.core import CORE
from treec.extensions import ExtensionError, registry
from treec.files.modules import find_missing, find_module, not_python
from treec.foreign import is_foreign


def missing_targets() -> Iterator[ExtensionError]:
    """Yield an error for each object that an extension names and that does not exist."""
    tables = registry()
    judged: set[str] = set()
    for source, extension in tables.extensions:
        if source.name == CORE.name or source.package == "treec":
            continue
        for target in extension.targets():
            module, _, name = target.partition(":")
            missing = find_missing(module, name, None)
            path, _ = find_module(module, None)
            if missing is not None:
                yield ExtensionError(f"{source}: {target}: {missing.message}")
            elif path is None or path in judged or not is_foreign(module):
                continue
            elif (text := not_python(path)) is not None:
                judged.add(path)
                yield ExtensionError(f"{source}: {target}: it is not Python\n{text}")
