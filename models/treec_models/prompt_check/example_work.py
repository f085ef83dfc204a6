"""Finds the subtasks in examples: their place, their words, and the agent that has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.check.base import Loc, entries
from treec.check.environments import world
from treec.check.fields import ACTS
from treec.check.names import TypeEnvironment
from treec.files.entry import AnyEntry
from treec.files.types import ListOf, Named, Type, options, read_type
from treec.files.view import View, per_view
from treec.frozen import frozen
from treec.team.actions import find_action

_SUBTASK = Named("Subtask")
_PROPOSAL = Named("Proposal")
_HELD = {"queue": read_type("list of Subtask"), "current": read_type("Subtask or none")}


@frozen
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
        ExampleSubtask(entry, index, *work)
        for entry in entries(view, "decision", "action", "reading", "program")
        for index, example in enumerate(entry.model.examples)
        for work in _example(env, entry, ("examples", index), example)
    ]


Work = tuple[Loc, str, str | None, str | None]
"""The place of a subtask, its words, its agent and its id."""


def _example(env: TypeEnvironment, entry: AnyEntry, at: Loc, example: object) -> Iterator[Work]:
    args = getattr(entry.model, "args", {})
    for name, value in getattr(example, "given", {}).items():
        kind = read_type(args[name]) if name in args else env.names.get(name)
        if kind is not None:
            yield from _values(env, kind, value, (*at, "given", name))
    answer = getattr(example, "answer", None)
    for number, call in enumerate(getattr(answer, "actions", ())):
        yield from _call(env, call, (*at, "answer", "actions", number))
    for number, act in enumerate(getattr(answer, "acts", ())):
        yield from _act(env, act, (*at, "answer", "acts", number))


def _call(env: TypeEnvironment, call: object, at: Loc) -> Iterator[Work]:
    """Find subtasks in the arguments of a high-level action; its `agent` gets them."""
    if not isinstance(call, Mapping) or len(call) != 1:
        return
    ((name, given),) = call.items()
    action = find_action(str(name))
    if action is None or given is None:
        return
    at = (*at, str(name))
    if not isinstance(given, Mapping):
        if action.parameters:
            yield from _values(env, action.parameters[0].type, given, at)
        return
    agent = _name(given.get("agent"))
    for parameter in action.parameters:
        if parameter.name in given:
            value = given[parameter.name]
            yield from _values(env, parameter.type, value, (*at, parameter.name), agent)


def _act(env: TypeEnvironment, act: object, at: Loc, agent: str | None = None) -> Iterator[Work]:
    if not isinstance(act, Mapping):
        return
    for name, kind in env.acts.get(str(act.get("kind")), {}).items():
        if name in act:
            yield from _values(env, kind, act[name], (*at, name), agent)


def _values(
    env: TypeEnvironment, kind: Type, value: object, at: Loc, agent: str | None = None
) -> Iterator[Work]:
    """Find subtasks in a value of a type, at any depth."""
    if kind == ACTS:
        for number, act in enumerate(value if isinstance(value, list) else ()):
            yield from _act(env, act, (*at, number), agent)
        return
    for option in options(kind):
        if isinstance(option, ListOf):
            items = value if isinstance(value, list) else ()
            for number, item in enumerate(items):
                yield from _values(env, option.item, item, (*at, number), agent)
        elif option == _SUBTASK:
            yield from _subtask(value, at, agent)
        elif isinstance(value, Mapping) and option == _PROPOSAL:
            yield from _proposal(value, at)
        elif (
            isinstance(value, Mapping)
            and isinstance(option, Named)
            and env.types.is_a(option.name, "Agent")
        ):
            for key, of in _HELD.items():
                if value.get(key) is not None:
                    name = _name(value.get("name"))
                    yield from _values(env, of, value[key], (*at, key), name)


def _subtask(value: object, at: Loc, agent: str | None) -> Iterator[Work]:
    if isinstance(value, str) and value != "none":
        yield at, value, agent, None
    elif isinstance(value, Mapping):
        key = "words" if "words" in value else "id"
        words, id, own = value.get(key), value.get("id"), value.get("agent")
        if isinstance(words, str):
            known = id if isinstance(id, str) and key != "id" else None
            yield (*at, key), words, own if isinstance(own, str) else agent, known
        before = value.get("after")
        for number, item in enumerate(before if isinstance(before, list) else ()):
            yield from _subtask(item, (*at, "after", number), None)


def _proposal(value: Mapping[str, object], at: Loc) -> Iterator[Work]:
    """A proposal to drop gives nobody work."""
    gets = _name(value.get("agent")) if not value.get("drop") else None
    yield from _subtask(value.get("subtask"), (*at, "subtask"), gets)


def _name(value: object) -> str | None:
    return value if isinstance(value, str) else None
