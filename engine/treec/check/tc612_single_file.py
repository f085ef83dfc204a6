"""Second file of a kind of which a system uses one.

Of kinds such as `forecaster`, `localizer` and `descriptions` runs use one file: the one that their
system chooses, else the first, by path and position. A library's own file replaces those of a pack,
and a pack's first one comes before its others, which is not reported.

Wrong, in a folder that one system uses:

    forecaster: careful
    model: steady
    ---
    forecaster: foresight
    model: everyday

Right: one of them is left, or the system says which one its runs use:

    chooses: {forecaster: careful}
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
    """Report files that no run of the system uses, though nothing says that it uses another one."""
    if view.system is None:
        return
    for kind in (name for name, spec in registry().kinds.items() if spec.single):
        if kind in view.system.model.chooses:
            continue
        found = list(entries(view, kind))
        for entry in found[1:]:
            used = found[0]
            if not _replaces(view, used, entry):
                span = used.span(kind)
                there = f"{span.path}:{span.line}:{span.column}"
                message = f"runs use one {kind}, and {there} has it: '{used.name}'"
                choice = f"'chooses: {{{kind}: {used.name}}}'"
                help = f"say which in the system: {choice}; or remove one of them"
                yield Diagnostic(CODE, "error", entry.span(kind), message, help)


def _replaces(view: View, used: AnyEntry, other: AnyEntry) -> bool:
    """Whether a file is used instead of one of a pack, by the library or by the pack itself."""
    pack = view.library.pack_of(other.path)
    return pack is not None and view.library.pack_of(used.path) in (None, pack)
