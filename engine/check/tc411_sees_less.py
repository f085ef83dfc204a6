"""A decision that sees less than a decision below it.

A decision that has acted is RUNNING, and ticks nothing below it, until something that it sees
changes. What only a decision below it sees goes unnoticed until then.

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

from collections.abc import Iterator, Mapping

from treec.check.base import entries
from treec.check.graph import graph_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec.source.errors import LocatedError
from treec.source.expression import Expression

CODE = "TC411"
SEVERITY = "warning"

CONSTANT = frozenset({"recipes", "tasks", "capabilities"})
"""Names whose value stands in the library: they never change."""

SHOWN_BY: Mapping[str, frozenset[str]] = {
    "completed": frozenset({"subtasks"}),
    "all_done": frozenset({"subtasks"}),
    "all_dropped": frozenset({"subtasks"}),
    "robots": frozenset({"agents"}),
    "people": frozenset({"agents"}),
    "user_input": frozenset({"acts", "chat"}),
}
"""Names that change only when one of these does."""


def check(view: View) -> Iterator[Diagnostic]:
    """Pairs of decisions, one an option of the other, of which the lower one sees more."""
    graph = graph_of(view)
    for entry in entries(view, "decision"):
        sees = frozenset(entry.model.sees)
        told: set[str] = set()
        for edge in graph.edges(entry):
            below = edge.target
            if below.kind != "decision" or below is entry:
                continue
            unseen = [n for n in below.model.sees if n not in told and not _shown(view, n, sees)]
            told.update(unseen)
            if unseen:
                names = ", ".join(f"'{name}'" for name in unseen)
                yield Diagnostic(
                    CODE,
                    "warning",
                    entry.span("sees") if "sees" in entry.model.model_fields_set else edge.span,
                    f"'{entry.name}' does not see {names}, which '{below.name}' below it sees: "
                    "a change in that alone asks neither",
                    f"add {names} to what '{entry.name}' sees",
                )


def _shown(view: View, name: str, sees: frozenset[str], depth: int = 8) -> bool:
    """Whether a change of a name shows in a change of what is seen."""
    if name in sees or name in CONSTANT or SHOWN_BY.get(name, frozenset()) & sees:
        return True
    text = view.derived.get(name)
    if text is None or depth == 0:
        return False
    try:
        used = Expression.parse(text).names
    except LocatedError:
        return True  # its own problem is told where it stands
    things = (*view.objects, *view.agents)
    names = [use.name for use in used if not use.called and use.name not in things]
    calls = any(use.called for use in used)
    return not calls and all(_shown(view, inner, sees, depth - 1) for inner in names)
