"""Python objects that installed extensions name and that do not exist.

They are imported when a library needs them, some of them only when it runs. Nothing is imported
here: modules are found and parsed, as for the names in a library's files.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.core import CORE
from treec.extensions import ExtensionError, registry
from treec.files.modules import find_missing


def missing_targets() -> Iterator[ExtensionError]:
    """Yield an error for each object that an extension names and that does not exist."""
    tables = registry()
    for source, extension in tables.extensions:
        if source.name == CORE.name or source.package == "treec":
            continue
        for target in extension.targets():
            module, _, name = target.partition(":")
            missing = find_missing(module, name, None)
            if missing is not None:
                yield ExtensionError(f"{source}: {target}: {missing.message}")
