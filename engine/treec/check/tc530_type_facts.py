"""Invalid facts or pieces of a type.

`has` gives facts that hold of each thing of a type; each must be a fact of the domain about one
such thing, with a value of its type. `pieces` names the fact that links a piece with its whole
(`of`), and may name the fact of the whole that says that its pieces exist (`once`).

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

CODE = "TC530"


def check(view: View) -> Iterator[Diagnostic]:
    """Check the facts and pieces of each type."""
    for entry in entries(view, "domain"):
        for name, spec in entry.model.types.items():
            loc = ("types", name, "has")
            yield from fact_misfits(CODE, view, entry, loc, spec.has, name)
            if spec.pieces is None:
                continue
            fact = view.facts.get(spec.pieces.of)
            if fact is None or len(fact.args) != 1 or fact.value is None:
                message = f"'{spec.pieces.of}' is not a fact about one thing that has a value"
                help = suggestion(spec.pieces.of, view.facts, "facts")
                span = entry.span("types", name, "pieces", "of")
                yield Diagnostic(CODE, "error", span, message, help)
            once = spec.pieces.once
            made = view.facts.get(once or "")
            if once is not None and (made is None or len(made.args) != 1 or made.value is not None):
                message = f"'{once}' is not a fact about one thing that is true or false"
                help = suggestion(once, view.facts, "facts")
                span = entry.span("types", name, "pieces", "once")
                yield Diagnostic(CODE, "error", span, message, help)
