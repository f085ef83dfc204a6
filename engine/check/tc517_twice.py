"""A subtask that stands in a recipe twice.

Two subtasks with the same task and the same things, of which neither waits for the other, are done
at the same time by two agents. When one waits for the other, the second finds its goal reached
already, unless it calls a skill that is done `again` (scanning) or something undoes it in between.

Wrong:

    recipe: Order
    subtasks:
      scan cart: {}
      scan again: {do: scan the cart}

Right:

    recipe: Order
    subtasks:
      scan cart: {}
      scan again: {do: scan the cart, after: [scan cart]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.recipes import findings
from treec.files.view import View
from treec.plan.findings import twice
from treec.source.diagnostics import Diagnostic

CODE = "TC517"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Subtasks that are the same as one before them."""
    for found, span in findings(view, twice):
        yield Diagnostic(CODE, "warning", span, found.message, found.help)
