"""An offer to a decision that does not exist.

`offer: {to: …}` names a decision of the system by its plain name; there the behaviour becomes an
option.

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
from treec.check.missing import an, help_for, is_broken
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC403"


def check(view: View) -> Iterator[Diagnostic]:
    """Offers that nobody takes up."""
    decisions = view.all("decision")
    for entry in entries(view, "decision", "action"):
        offer = entry.model.offer
        if offer is None or offer.to in decisions or is_broken(view, ("decision",), offer.to):
            continue
        other = view.behaviour(offer.to)
        if other is not None and other.kind == "decision":
            help: str | None = "an offer names a decision of its own system, by its plain name"
        elif other is not None:
            help = f"'{offer.to}' is {an(other.kind)}, and only decisions take offers"
        else:
            help = help_for(view, ("decision",), offer.to)
        message = f"there is no decision '{offer.to}' to offer itself to"
        yield Diagnostic(CODE, "error", entry.span("offer", "to"), message, help)
