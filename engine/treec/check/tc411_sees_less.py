"""Decision that sees less than a decision below it.

A decision that has chosen stays RUNNING, without being asked again, until something that it sees
changes. A change that only a decision below it sees goes unnoticed until then.

Wrong:

    decision: Decision
    about: Recipe or execution?
    sees: [recipe_name]
    options: {Execution: An order is being worked on.}

and below it:

    decision: Execution
    about: What to do next.
    sees: [recipe_name, acts]

Right:

    decision: Decision
    about: Recipe or execution?
    sees: [recipe_name, acts]
    options: {Execution: An order is being worked on.}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.graph import graph_of
from treec.check.shown import is_shown
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC411"
SEVERITY = "warning"


def check(view: View) -> Iterator[Diagnostic]:
    """Report decisions that see less than a decision among their options."""
    graph = graph_of(view)
    for entry in entries(view, "decision"):
        sees = frozenset(entry.model.sees)
        reported: set[str] = set()
        for edge in graph.edges(entry):
            below = edge.target
            if below.kind != "decision" or below is entry:
                continue
            unseen = [
                name
                for name in below.model.sees
                if name not in reported and not is_shown(view, name, sees)
            ]
            reported.update(unseen)
            if unseen:
                names = ", ".join(f"'{name}'" for name in unseen)
                yield Diagnostic(
                    CODE,
                    "warning",
                    entry.span("sees") if "sees" in entry.model.model_fields_set else edge.span,
                    f"'{entry.name}' does not see {names}, which '{below.name}' below it sees: "
                    "if only that changes, neither is asked again",
                    f"add {names} to 'sees' of '{entry.name}'",
                )
