"""The place of work that is added while a recipe is under way: what waits for what.

Work that is asked for is often one more of what the recipe has: one more crate for the same cart.
Its siblings are the recipe's subtasks of the same task that differ from it in one argument. What
waits for all of them waits for it as well, and it waits for what most of them wait for, with its
own thing in the place of theirs: the cart leaves after the crate is loaded, and the crate is loaded
after it is fetched. A sibling whose thing is there already says nothing about fetching.
"""

from __future__ import annotations

from collections.abc import Mapping

from treec.frozen import frozen
from treec.graph import descendants
from treec.source.objects import name_of
from treec.team.entities import Subtask, Task
from treec.team.functions import holds
from treec.team.state import FINISHED
from treec.team.team import Team

DEPTH = 5
"""How many subtasks before one another are added for one."""


@frozen(slots=False)
class Placement:
    """The place of a new subtask: its recipe, what it waits for, what waits for it.

    ``needs`` are tasks that do not exist as subtasks yet and that it waits for, too.
    """

    recipe: str | None = None
    after: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    needs: tuple[Task, ...] = ()


def complete_task(team: Team, task: Task) -> Task | None:
    """The task with the arguments it lacks, where the recipe leaves one value for each."""
    spec = team.knowledge.tasks.get(task.name)
    if spec is None:
        return None
    args = dict(task.args)
    for name in spec.args:
        if name not in args:
            values = {_text(s.args.get(name)) for s in _own(team) if s.task == task.name}
            if len(values) != 1 or None in values:
                return None
            args[name] = values.pop()
    return team.knowledge.task(task.name, args)


def place_subtask(team: Team, subtask: Subtask) -> Placement:
    """Where a new subtask belongs in the order of the current recipe."""
    siblings = _siblings(team, subtask)
    if not siblings:
        return Placement()
    own = {s.id: s for s in _own(team)}
    after = [_predecessors(team, own, subtask, sibling) for sibling in siblings]
    shared = []
    for one in (one for others in after for one in others):
        votes = [
            one in others
            for sibling, others in zip(siblings, after, strict=True)
            if one in others or not _needless(team, one, subtask, sibling)
        ]
        if one not in shared and 2 * sum(votes) > len(votes):
            shared.append(one)
    before = [
        id
        for id, other in own.items()
        if other.status not in (*FINISHED, "running")
        and all(
            one.subtask.id in (*other.after, *other.after_any) and not _mentions(other, one.thing)
            for one in siblings
        )
    ]
    needs = tuple(one for one in shared if isinstance(one, Task))
    known = tuple(one for one in shared if isinstance(one, str))
    graph = {id: other.after + other.after_any for id, other in own.items()}
    early = {*known, *(id for one in known for id in descendants(graph, one))}
    before = [id for id in before if id not in early]  # what it waits for itself
    if not (before or known or needs):
        return Placement()
    recipe = str(team.world.state["recipe"]) or None
    return Placement(recipe, known, tuple(before), needs)


def _own(team: Team) -> list[Subtask]:
    """The subtasks of the current recipe."""
    recipe = team.world.state["recipe"]
    return [s for s in team.work if recipe and s.recipe == recipe and s.status != "dropped"]


@frozen(slots=False)
class _Sibling:
    """A subtask of the same task with another thing for one argument."""

    subtask: Subtask
    argument: str
    thing: str


def _siblings(team: Team, subtask: Subtask) -> list[_Sibling]:
    """The siblings of a subtask in the recipe; none if they differ in several arguments."""
    args = _texts(subtask.args)
    found = []
    for other in _own(team):
        if other.task != subtask.task or other.task is None:
            continue
        theirs = _texts(other.args)
        differing = [name for name in args if theirs.get(name) != args[name]]
        if len(differing) == 1 and theirs.keys() == args.keys():
            found.append(_Sibling(other, differing[0], str(theirs[differing[0]])))
    return found if len({one.argument for one in found}) == 1 else []


def _predecessors(
    team: Team, own: Mapping[str, Subtask], subtask: Subtask, sibling: _Sibling
) -> list[str | Task]:
    """What a sibling waits for, with the new thing in the place of its own."""
    thing, new = sibling.thing, _texts(subtask.args)[sibling.argument]
    found: list[str | Task] = []
    for id in sibling.subtask.after:
        before = own.get(id)
        if before is None:
            continue
        args = _texts(before.args)
        if thing not in args.values():
            found.append(id)
        elif before.task is not None:
            with_new = {name: new if value == thing else value for name, value in args.items()}
            task = team.knowledge.task(before.task, with_new)
            if task is not None:
                known = _same(own, task)
                found.append(known.id if known is not None else task)
    return found


def _needless(team: Team, need: str | Task, subtask: Subtask, sibling: _Sibling) -> bool:
    """Whether a sibling lacks a need because it holds for its thing: that is on the table."""
    if isinstance(need, str):
        return False
    new = _texts(subtask.args)[sibling.argument]
    args = {
        name: sibling.thing if value == new else value for name, value in _texts(need.args).items()
    }
    theirs = team.knowledge.task(need.name, args)
    return theirs is not None and holds(team, theirs)


def _same(own: Mapping[str, Subtask], task: Task) -> Subtask | None:
    args = _texts(task.args)
    fitting = (s for s in own.values() if s.task == task.name and _texts(s.args) == args)
    return next(fitting, None)


def _mentions(subtask: Subtask, thing: str) -> bool:
    return thing in _texts(subtask.args).values()


def _texts(args: Mapping[str, object]) -> dict[str, str | None]:
    return {name: _text(value) for name, value in args.items()}


def _text(value: object) -> str | None:
    return None if value is None else name_of(value) or str(value)
