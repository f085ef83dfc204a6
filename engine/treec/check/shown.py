"""Which state a node is told of, directly or by what it is derived from."""

from __future__ import annotations

from collections.abc import Mapping

from treec.files.view import View
from treec.source.errors import LocatedError
from treec.source.expression import Expression

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
