"""Python objects that installed extensions name and that do not exist.

They are imported when a library needs them, some of them only when it runs. Nothing is imported
here: modules are found and parsed, as for the names in a library's files.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.core import CORE
from treec.extensions import ExtensionError, registry
from treec.files.modules import certainly_defines, defined_names, find_module


def missing_targets() -> Iterator[ExtensionError]:
    """Yield an error for each object that an extension names and that does not exist."""
    tables = registry()
    for source, extension in tables.extensions:
        if source.name == CORE.name or source.package == "treec":
            continue
        for target in extension.targets():
            problem = _missing(target)
            if problem is not None:
                yield ExtensionError(f"{source}: {target}: {problem}")


def _missing(target: str) -> str | None:
    module, _, name = target.partition(":")
    file, missing = find_module(module, None)
    if missing is not None:
        return f"there is no module '{missing}'"
    first = name.split(".")[0]
    if file is None or not first or certainly_defines(file, first):
        return None
    names = defined_names(file)
    return None if names is None or first in names else f"'{module}' has no '{first}'"
