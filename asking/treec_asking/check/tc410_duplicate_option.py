"""Offer that is already an option.

A behaviour becomes an option of a decision either through the decision's `options` or through its
own `offer`. With both it would have two descriptions, and its offer would be tried before the
decision's own rules. The `fallback` cannot offer itself either, since it is not offered to a
model.

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
    """Report offers of behaviours that are options already, or the fallback."""
    decisions = view.all("decision")
    for entry in entries(view, "decision", "action"):
        offer = entry.model.offer
        decision = decisions.get(offer.to) if offer is not None else None
        if decision is None:
            continue
        name = entry.name
        if name in decision.model.options:
            where = decision.span("options", name, key=True)
            what = f"already an option of '{offer.to}'"
        elif name == decision.model.fallback:
            where = decision.span("fallback")
            what = f"the fallback of '{offer.to}', which is not offered to a model"
        else:
            continue
        yield Diagnostic(
            CODE,
            "error",
            entry.span("offer", "to"),
            f"'{name}' is {what}: {where.path}:{where.line}",
            "remove one of the two",
        )
