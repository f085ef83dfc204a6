"""A recipe that goes round in a circle.

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

from collections import deque
from collections.abc import Iterator

from treec.check.base import Loc, entries
from treec.check.fitting import circle_in_words
from treec.files.tasks import RecipeFile, SubtaskSpec
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC504"


def check(view: View) -> Iterator[Diagnostic]:
    """Each circle of subtasks, where its first one waits for the next."""
    for entry in entries(view, "recipe"):
        recipe: RecipeFile = entry.model
        for circle in _circles(recipe.subtasks):
            loc = _waits_for(recipe.subtasks, circle[0], circle[1])
            shown = circle_in_words(circle, "after")
            yield Diagnostic(
                CODE,
                "error",
                entry.span(*loc),
                f"these subtasks wait for each other: {shown}",
                "none of them can ever begin: take one of these away",
            )


def _circles(subtasks: dict[str, SubtaskSpec]) -> Iterator[list[str]]:
    """Circles among the subtasks that can never begin; the first is at both ends."""
    stuck = _stuck(subtasks)
    order = {id: index for index, id in enumerate(subtasks)}
    seen: set[str] = set()
    for start in subtasks:
        if start not in stuck or start in seen:
            continue
        path: dict[str, int] = {}
        here = start
        while here not in seen and here not in path:
            path[here] = len(path)
            here = _blocker(subtasks[here], stuck)
        seen |= path.keys()
        if here in path:
            circle = list(path)[path[here] :]
            first = circle.index(min(circle, key=order.__getitem__))
            yield [*circle[first:], *circle[:first], circle[first]]


def _stuck(subtasks: dict[str, SubtaskSpec]) -> set[str]:
    """The subtasks that can never begin; a name that is no subtask is taken as done."""
    followers: dict[str, list[str]] = {}
    waits: dict[str, set[str]] = {}
    any_open: dict[str, set[str]] = {}
    ready: deque[str] = deque()
    for id, spec in subtasks.items():
        waits[id] = {other for other in spec.after if other in subtasks}
        one_of = set(spec.after_any)
        any_open[id] = one_of if one_of <= subtasks.keys() else set()
        for other in waits[id] | any_open[id]:
            followers.setdefault(other, []).append(id)
        if not waits[id] and not any_open[id]:
            ready.append(id)
    done: set[str] = set()
    while ready:
        id = ready.popleft()
        if id in done:
            continue
        done.add(id)
        for follower in followers.get(id, ()):
            waits[follower].discard(id)
            if id in any_open[follower]:
                any_open[follower].clear()
            if not waits[follower] and not any_open[follower]:
                ready.append(follower)
    return subtasks.keys() - done


def _blocker(spec: SubtaskSpec, stuck: set[str]) -> str:
    """A subtask that this one waits for in vain."""
    return next(other for other in (*spec.after, *spec.after_any) if other in stuck)


def _waits_for(subtasks: dict[str, SubtaskSpec], id: str, other: str) -> Loc:
    """Where a subtask says that it waits for another."""
    spec = subtasks[id]
    key = "after" if other in spec.after else "after_any"
    return ("subtasks", id, key, getattr(spec, key).index(other))
