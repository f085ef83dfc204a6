"""Finds the subtasks in examples: their place, their words, and the agent that has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from treec.check.base import Loc, entries
from treec.check.environments import world
from treec.check.fields import ACTS
from treec.check.names import TypeEnvironment
from treec.files.entry import AnyEntry
from treec.files.types import ListOf, Named, Type, options, read_type
from treec.files.view import View, per_view
from treec.team.actions import find_action

_SUBTASK = Named("Subtask")
_HELD = ("queue", "current")


@dataclass(frozen=True, slots=True)
class ExampleSubtask:
    """A subtask in an example; ``agent`` is the one that has it or gets it."""

    entry: AnyEntry
    example: int
    loc: Loc
    words: str
    agent: str | None = None
    id: str | None = None
    """Its id, if different from its words."""


@per_view
def example_work(view: View) -> list[ExampleSubtask]:
    """Return all subtasks in the examples of a view; cached by view."""
    env = world(view)
    return [
        work
        for entry in entries(view, "decision", "action", "reading", "program")
        for index, example in enumerate(entry.model.examples)
        for work in _example(env, entry, index, example)
    ]


def _example(
    env: TypeEnvironment, entry: AnyEntry, index: int, example: object
) -> Iterator[ExampleSubtask]:
    start = ExampleSubtask(entry, index, ("examples", index), "")
    args = getattr(entry.model, "args", {})
    for name, value in getattr(example, "given", {}).items():
        kind = read_type(args[name]) if name in args else env.names.get(name)
        if kind is not None:
            yield from _values(env, kind, value, _at(start, "given", name))
    answer = getattr(example, "answer", None)
    for number, call in enumerate(getattr(answer, "actions", ())):
        yield from _call(env, call, _at(start, "answer", "actions", number))
    for number, act in enumerate(getattr(answer, "acts", ())):
        yield from _act(env, act, _at(start, "answer", "acts", number))


def _at(work: ExampleSubtask, *more: str | int) -> ExampleSubtask:
    return replace(work, loc=(*work.loc, *more))


def _call(env: TypeEnvironment, call: object, here: ExampleSubtask) -> Iterator[ExampleSubtask]:
    """Find subtasks in the arguments of a high-level action; its `agent` gets them."""
    if not isinstance(call, Mapping) or len(call) != 1:
        return
    ((name, given),) = call.items()
    action = find_action(str(name))
    if action is None or given is None:
        return
    here = _at(here, str(name))
    if not isinstance(given, Mapping):
        if action.parameters:
            yield from _values(env, action.parameters[0].type, given, here)
        return
    agent = given.get("agent")
    here = replace(here, agent=agent if isinstance(agent, str) else None)
    for parameter in action.parameters:
        if parameter.name in given:
            value = given[parameter.name]
            yield from _values(env, parameter.type, value, _at(here, parameter.name))


def _act(env: TypeEnvironment, act: object, here: ExampleSubtask) -> Iterator[ExampleSubtask]:
    if not isinstance(act, Mapping):
        return
    for name, kind in env.acts.get(str(act.get("kind")), {}).items():
        if name in act:
            yield from _values(env, kind, act[name], _at(here, name))


def _values(
    env: TypeEnvironment, kind: Type, value: object, here: ExampleSubtask
) -> Iterator[ExampleSubtask]:
    """Find subtasks in a value of a type, at any depth."""
    if kind == ACTS:
        for number, act in enumerate(value if isinstance(value, list) else ()):
            yield from _act(env, act, _at(here, number))
        return
    for option in options(kind):
        if isinstance(option, ListOf):
            items = value if isinstance(value, list) else ()
            for number, item in enumerate(items):
                yield from _values(env, option.item, item, _at(here, number))
        elif option == _SUBTASK:
            yield from _subtask(value, here)
        elif isinstance(value, Mapping) and option == Named("Proposal"):
            yield from _proposal(value, here)
        elif (
            isinstance(value, Mapping)
            and isinstance(option, Named)
            and env.types.is_a(option.name, "Agent")
        ):
            name = value.get("name")
            held = replace(here, agent=name if isinstance(name, str) else None)
            for key, of in zip(_HELD, ("list of Subtask", "Subtask or none"), strict=True):
                if value.get(key) is not None:
                    yield from _values(env, read_type(of), value[key], _at(held, key))


def _subtask(value: object, here: ExampleSubtask) -> Iterator[ExampleSubtask]:
    if isinstance(value, str) and value != "none":
        yield replace(here, words=value)
    elif isinstance(value, Mapping):
        key = "words" if "words" in value else "id"
        words, id, agent = value.get(key), value.get("id"), value.get("agent")
        if isinstance(words, str):
            agent = agent if isinstance(agent, str) else here.agent
            known = id if isinstance(id, str) and key != "id" else None
            yield replace(_at(here, key), words=words, agent=agent, id=known)
        before = value.get("after")
        for number, item in enumerate(before if isinstance(before, list) else ()):
            yield from _subtask(item, replace(_at(here, "after", number), agent=None))


def _proposal(value: Mapping[str, object], here: ExampleSubtask) -> Iterator[ExampleSubtask]:
    """A proposal to drop gives nobody work."""
    agent = value.get("agent")
    gets = agent if isinstance(agent, str) and not value.get("drop") else None
    yield from _subtask(value.get("subtask"), replace(_at(here, "subtask"), agent=gets))
