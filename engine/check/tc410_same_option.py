"""An offer that is an option already.

A behaviour becomes an option of a decision by the decision's `options` or by its own `offer`; both
at once would give it two descriptions, and its offer would go before the decision's own rules.

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

from engine.check.base import entries
from engine.check.missing import an
from engine.files.entry import AnyEntry
from engine.files.view import View
from engine.source.diagnostics import Diagnostic

CODE = "TC410"


def check(view: View) -> Iterator[Diagnostic]:
    """Offers whose name is among the options, or is offered by another kind too."""
    offers: dict[tuple[str, str], AnyEntry] = {}
    for entry in entries(view, "decision", "action"):
        offer = entry.model.offer
        if offer is None:
            continue
        decision = view.all("decision").get(offer.to)
        if decision is None:
            continue
        other = offers.setdefault((offer.to, entry.name), entry)
        span = entry.span("offer", "to")
        if entry.name in decision.model.options:
            where = decision.span("options", entry.name, key=True)
            yield Diagnostic(
                CODE,
                "error",
                span,
                f"'{entry.name}' is an option of '{offer.to}' already: {where.path}:{where.line}",
                "take away the offer, or the option",
            )
        elif other.kind != entry.kind:
            where = other.span("offer", "to")
            yield Diagnostic(
                CODE,
                "error",
                span,
                f"{an(other.kind)} '{entry.name}' offers itself to '{offer.to}' too: "
                f"{where.path}:{where.line}",
                "give one of the two another name",
            )
