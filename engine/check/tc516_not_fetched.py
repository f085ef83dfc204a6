"""A thing that a recipe uses before it is fetched, or without fetching it.

A subtask that needs a thing waits for the subtask that fetches it; and when the scene has the thing
where no task would bring it, some subtask must fetch it.

Wrong, where crate stands in the dock and `get` brings things to the table:

    recipe: Order
    subtasks:
      get crate: {}
      load crate onto cart: {}

Right:

    recipe: Order
    subtasks:
      get crate: {}
      load crate onto cart: {after: [get crate]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.recipes import findings
from treec.files.view import View
from treec.plan.findings import not_fetched
from treec.source.diagnostics import Diagnostic

CODE = "TC516"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Subtasks that use a thing that nothing has brought."""
    for found, span in findings(view, not_fetched):
        yield Diagnostic(CODE, "warning", span, found.message, found.help)
