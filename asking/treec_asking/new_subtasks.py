"""Subtasks that actions are given and that do not exist yet: found by their words, and added."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from treec.graph import descendants
from treec.team.entities import Subtask, Task
from treec.team.events import SubtaskAdded, SubtaskWaits
from treec.team.state import FINISHED, ActState
from treec.team.team import Team
from treec.world.events import Event, EventRefused
from treec_asking.placement import DEPTH, complete_task, place_subtask


def find_subtask(team: Team, value: object) -> Subtask | None:
    """An existing subtask, or a new one for a task or for words that a task's patterns match."""
    if isinstance(value, str):
        found = team.subtask(value)
        if found is not None:
            return found
        bound = team.knowledge.words.match(value)
        if bound is None:
            return None
        value = team.knowledge.task(bound.task, bound.args)
    if not isinstance(value, Task):
        return None
    if any(name not in value.args for name in team.knowledge.tasks[value.name].args):
        completed = complete_task(team, value)
        if completed is None:
            return None
        value = completed
    known = team.same_task(value)
    if known is not None:
        return known
    return _new(value.words, value.name, dict(value.args), team.now.subtasks)


def own_subtask(team: Team, subtask: Subtask, agent: str, given: Mapping[str, str]) -> Subtask:
    """The subtask, or one of the agent's own if another has it and its task has no arguments.

    ``given``: the subtasks that agents are given besides.
    """
    known = team.now.subtasks
    if (
        subtask.task is None
        or subtask.args
        or given.get(subtask.id, subtask.agent) in (None, agent)
    ):
        return subtask
    for other in known.values():
        is_free = other.status not in FINISHED and given.get(other.id, other.agent) in (None, agent)
        if is_free and other.task == subtask.task:
            return other
    return _new(subtask.words, subtask.task, {}, (*known, *given))


def _new(words: str, task: str, args: Mapping[str, object], taken: Container[str]) -> Subtask:
    id, number = words, 2
    while id in taken:
        id, number = f"{words} ({number})", number + 1
    return Subtask(id, words, task, args, ready=True)


def waits(team: Team, given: Sequence[tuple[Subtask, str]]) -> Iterator[SubtaskWaits]:
    """What waits for what, as people said it of subtasks that are given to agents (by name).

    What has begun waits for nothing more, and nothing waits for itself.
    """
    acts = cast("tuple[ActState, ...]", team.world.state["acts"])
    ordered = [act for act in acts if {"after", "before"} & act.fields.keys()]
    if not ordered:
        return
    known = team.now.subtasks
    edges = {id: [*one.after, *one.after_any] for id, one in known.items()}
    edges |= {one.id: [] for one, _ in given if one.id not in edges}

    def wait(id: str, first: Iterable[str]) -> Iterator[SubtaskWaits]:
        if id in known and known[id].status in (*FINISHED, "running"):
            return
        others = (one for one in dict.fromkeys(first) if one != id)
        can = [one for one in others if id not in descendants(edges, one)]
        edges[id] += can
        if can:
            yield SubtaskWaits(id, tuple(can))

    def of(said: Mapping[str, Any]) -> list[str]:
        task = team.knowledge.task(str(said.get("task")), said.get("args") or {})
        if task is None:
            return []
        task = complete_task(team, task) or task
        new = [
            subtask.id
            for subtask, agent in given
            if subtask.task == task.name
            and dict(subtask.args) == dict(task.args)
            and said.get("agent") in (None, agent)
        ]
        same = team.same_task(task)
        return new or ([] if same is None else [same.id])

    for act in ordered:
        own = of(act.fields)
        if first := [id for said in act.fields.get("after", ()) for id in of(said)]:
            for id in own:
                yield from wait(id, first)
        for last in act.fields.get("before", ()):
            for id in of(last):
                yield from wait(id, own)


def add_missing(team: Team, subtasks: Iterable[Subtask]) -> Iterator[Event]:
    """The events that add the subtasks that do not exist yet, each at its place in the order.

    What a subtask needs before it is added, too, and what shall come after it waits for it.

    Raises EventRefused for a subtask that has one thing in two roles, such as loading a cart onto
    itself.
    """
    added: set[str] = set()
    for subtask in subtasks:
        yield from _add(team, subtask, None, added, DEPTH)


def _add(
    team: Team, subtask: Subtask, recipe: str | None, added: set[str], depth: int
) -> Iterator[Event]:
    if subtask.id in team.now.subtasks or subtask.id in added:
        return
    added.add(subtask.id)
    thing = team.knowledge.repeated_thing(subtask.task, subtask.args)
    if thing is not None:
        raise EventRefused(f"'{subtask.words}' needs two things, and {thing} is only one")
    place = place_subtask(team, subtask)
    recipe = recipe or place.recipe
    needs = [new for task in place.needs if (new := find_subtask(team, task)) is not None and depth]
    for other in needs:
        yield from _add(team, other, recipe, added, depth - 1)
    after = (*place.after, *(other.id for other in needs))
    yield SubtaskAdded(subtask.id, subtask.words, subtask.task, subtask.args, recipe, after or None)
    for id in place.before:
        yield SubtaskWaits(id, (subtask.id,))
