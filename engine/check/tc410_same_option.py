"""An offer that is an option already.

A behaviour becomes an option of a decision by the decision's `options` or by its own `offer`; both
at once would give it two descriptions, and its offer would go before the decision's own rules. Nor
can the `fallback` offer itself, since it is what no model is offered.

Wrong:

    decision: Execution
    about: What to do next.
    options:
      Report_Progress: The user asks how far the work is.

and in the action's file:

    action: Report_Progress
    about: Say how far the work is.
    offer: {to: Execution, when: acts.ask}

Right: the action's file alone, with its offer.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC410"


def check(view: View) -> Iterator[Diagnostic]:
    """Offers whose name is among the options, or is the fallback."""
    decisions = view.all("decision")
    for entry in entries(view, "decision", "action"):
        offer = entry.model.offer
        decision = decisions.get(offer.to) if offer is not None else None
        if decision is None:
            continue
        name = entry.name
        if name in decision.model.options:
            where = decision.span("options", name, key=True)
            what = f"an option of '{offer.to}' already"
        elif name == decision.model.fallback:
            where = decision.span("fallback")
            what = f"the fallback of '{offer.to}', which no model is offered"
        else:
            continue
        yield Diagnostic(
            CODE,
            "error",
            entry.span("offer", "to"),
            f"'{name}' is {what}: {where.path}:{where.line}",
            "take away one of the two",
        )
