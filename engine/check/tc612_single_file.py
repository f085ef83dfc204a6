"""Second file of a kind of which a system uses one.

Of kinds such as `forecaster` and `descriptions` runs use one file: the first of their system, by
path and position. A library's own file replaces that of a pack, which is not reported.

Wrong, in a folder that one system uses:

    forecaster: careful
    model: steady
    ---
    forecaster: foresight
    model: everyday

Right:

    forecaster: careful
    model: steady
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.extensions import registry
from treec.files.entry import AnyEntry
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC612"


def check(view: View) -> Iterator[Diagnostic]:
    """Report files that no run of the system uses, since it uses another one of their kind."""
    if view.system is None:
        return
    for kind in (name for name, spec in registry().kinds.items() if spec.single):
        found = list(entries(view, kind))
        for entry in found[1:]:
            used = found[0]
            if not _replaces(view, used, entry):
                span = used.span(kind)
                there = f"{span.path}:{span.line}:{span.column}"
                message = f"runs use one {kind}, and {there} has it: '{used.name}'"
                help = "remove one of them, or move it to a folder that the system does not use"
                yield Diagnostic(CODE, "error", entry.span(kind), message, help)


def _replaces(view: View, used: AnyEntry, other: AnyEntry) -> bool:
    """Whether a file of the library is used instead of one of a pack."""
    library = view.library
    return library.pack_of(used.path) is None and library.pack_of(other.path) is not None
