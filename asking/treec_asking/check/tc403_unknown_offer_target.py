"""Offer to an unknown decision.

`offer: {to: …}` names a decision of the system by its plain name and adds the behaviour to its
options.

Wrong:

    action: Report_Progress
    about: Say how far the work is.
    offer: {to: Executing, when: acts.ask}

Right:

    action: Report_Progress
    about: Say how far the work is.
    offer: {to: Execution, when: acts.ask}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.unknown_names import an, help_for, is_broken
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC403"


def check(view: View) -> Iterator[Diagnostic]:
    """Report offers to decisions that do not exist."""
    decisions = view.all("decision")
    for entry in entries(view, "decision", "action"):
        offer = entry.model.offer
        if offer is None or offer.to in decisions or is_broken(view, ("decision",), offer.to):
            continue
        other = view.behaviour(offer.to)
        if other is not None and other.kind == "decision":
            help: str | None = "an offer names a decision of its own system by its plain name"
        elif other is not None:
            help = f"'{offer.to}' is {an(other.kind)}, but only decisions take offers"
        else:
            help = help_for(view, ("decision",), offer.to)
        message = f"unknown decision '{offer.to}'"
        yield Diagnostic(CODE, "error", entry.span("offer", "to"), message, help)
