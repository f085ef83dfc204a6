"""Cycle of subtasks in a recipe.

A subtask can begin when all of its `after`, and one of its `after_any`, are done. Subtasks that
wait for each other never begin.

Wrong:

    recipe: Tea
    subtasks:
      boil water: {after: [fill kettle]}
      fill kettle: {after: [boil water]}

Right:

    recipe: Tea
    subtasks:
      fill kettle: {}
      boil water: {after: [fill kettle]}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.check.finding import format_cycle
from treec.files.tasks import RecipeFile, SubtaskSpec
from treec.files.view import View
from treec.graph import functional_cycles, reachable_and_or
from treec.source.diagnostics import Diagnostic

CODE = "TC504"


def check(view: View) -> Iterator[Diagnostic]:
    """Report each cycle of subtasks, where its first one waits for the next."""
    for entry in entries(view, "recipe"):
        recipe: RecipeFile = entry.model
        for circle in _circles(recipe.subtasks):
            loc = _waits_for(recipe.subtasks, circle[0], circle[1])
            shown = format_cycle(circle, "after")
            yield Diagnostic(
                CODE,
                "error",
                entry.span(*loc),
                f"these subtasks wait for each other: {shown}",
                "none of them can ever begin: remove one of these dependencies",
            )


def _circles(subtasks: dict[str, SubtaskSpec]) -> Iterator[list[str]]:
    """Yield cycles of subtasks that can never begin; the first is repeated at the end."""
    stuck = _stuck(subtasks)
    blockers = {id: _blocker(subtasks[id], stuck) for id in subtasks if id in stuck}
    order = {id: index for index, id in enumerate(subtasks)}
    for circle in functional_cycles(blockers):
        first = circle.index(min(circle, key=order.__getitem__))
        yield [*circle[first:], *circle[:first], circle[first]]


def _stuck(subtasks: dict[str, SubtaskSpec]) -> set[str]:
    """Return the subtasks that can never begin; unknown predecessors count as done."""
    after = {id: [b for b in spec.after if b in subtasks] for id, spec in subtasks.items()}
    any_of = {
        id: spec.after_any for id, spec in subtasks.items() if subtasks.keys() >= {*spec.after_any}
    }
    return subtasks.keys() - reachable_and_or(after, any_of)


def _blocker(spec: SubtaskSpec, stuck: set[str]) -> str:
    """Return a subtask that this one waits for and that never ends."""
    return next(other for other in (*spec.after, *spec.after_any) if other in stuck)


def _waits_for(subtasks: dict[str, SubtaskSpec], id: str, other: str) -> Loc:
    """Where a subtask says that it waits for another."""
    spec = subtasks[id]
    key = "after" if other in spec.after else "after_any"
    return ("subtasks", id, key, getattr(spec, key).index(other))
