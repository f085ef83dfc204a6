"""What commands and the Python API call by name where a package beside the core brings it."""

from __future__ import annotations

from treec.companions import missing_help
from treec.extensions import registry
from treec.source.errors import TreecError


def find_tool(name: str, what: str) -> object:
    """Return a tool. Raises TreecError, which says ``what`` needs which package."""
    target = registry().tools.get(name)
    if target is None:
        help = missing_help("tools", name) or "no installed package does that"
        raise TreecError(f"{what}: {help}")
    return registry().load(target)
