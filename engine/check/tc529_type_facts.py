"""Invalid facts or pieces of a type.

`has` gives facts that hold of each thing of a type; each must be a fact of the domain about one
such thing, with a value of its type. `pieces` names the type of the pieces, and the fact that links
a piece with its whole.

Wrong:

    types:
      Crate: {has: {sealled: true}, pieces: {type: Plank, count: 4, of: made_of}}
    facts:
      sealed: {args: [Crate]}

Right:

    types:
      Crate: {has: {sealed: true}, pieces: {type: Plank, count: 4, of: part_of}}
      Plank: {}
    facts:
      sealed: {args: [Crate]}
      part_of: {args: [Plank], value: Crate}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.fact_values import fact_misfits
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC529"


def check(view: View) -> Iterator[Diagnostic]:
    """Check the facts and pieces of each type."""
    for entry in entries(view, "domain"):
        for name, spec in entry.model.types.items():
            loc = ("types", name, "has")
            yield from fact_misfits(CODE, view, entry, loc, spec.has, name)
            if spec.pieces is None:
                continue
            if not view.types.has(spec.pieces.type):
                message = f"there is no type '{spec.pieces.type}'"
                span = entry.span("types", name, "pieces", "type")
                help = suggestion(spec.pieces.type, view.types.names, "types")
                yield Diagnostic(CODE, "error", span, message, help)
            fact = view.facts.get(spec.pieces.of)
            if fact is None or len(fact.args) != 1 or fact.value is None:
                message = f"'{spec.pieces.of}' is no fact about one thing that has a value"
                help = suggestion(spec.pieces.of, view.facts, "facts")
                span = entry.span("types", name, "pieces", "of")
                yield Diagnostic(CODE, "error", span, message, help)
