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
"""Names whose value is fixed by the library."""

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


def is_shown(
    view: View, name: str, sees: frozenset[str], depth: int = 8, *, calls: bool = False
) -> bool:
    """Whether a change of a name's value also changes something that is seen.

    ``calls`` says that what a function gives is known from its arguments.
    """
    if name in sees or name in CONSTANT or SHOWN_BY.get(name, frozenset()) & sees:
        return True
    text = view.derived.get(name)
    if text is None or depth == 0:
        return False
    try:
        used = Expression.parse(text).names
    except LocatedError:
        return True  # reported by TC201
    things = (*view.objects, *view.agents)
    names = [use.name for use in used if not use.called and use.name not in things]
    if not calls and any(use.called for use in used):
        return False
    return all(is_shown(view, inner, sees, depth - 1, calls=calls) for inner in names)
