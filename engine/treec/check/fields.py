"""Built-in types of expressions: acts, statuses, and the fields of entities."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from treec.files.types import NONE, ListOf, Named, Type, options, parse_type, read_type, union
from treec.files.view import View

ACTS = Named("Acts")
"""``acts``: all acts by kind."""

AGENT_STATUS = Named("status of an agent")
SUBTASK_STATUS = Named("status of a subtask")
SOURCE = Named("source of a fact")

ACT_KIND = Named("kind of act")
ACTION_NAME = Named("high-level action")
CALL = Named("action of an answer")
SKILL_NAME = Named("skill's name")
TASK_NAME = Named("task's name")
RECIPE_NAME = Named("recipe's name")
TASK_ARGUMENTS = Named("task's arguments")
AGENT_NAME = Named("agent's name")
REMEMBERED = Named("remembered pair")
"""An item of ``recalled``: a pair of a memory (`treec_asking.recall`)."""
GROUP = "group of "
"""What the name of the type of an item of `groupby` begins with."""
LOOP = Named("loop")
"""`loop` in a `{% for %}` of a template."""

CHOICES: Mapping[str, tuple[str, ...]] = {
    AGENT_STATUS.name: ("Idle", "Running", "Interrupted"),
    SUBTASK_STATUS.name: (
        "waiting",
        "queued",
        "running",
        "interrupted",
        "done",
        "dropped",
        "failed",
    ),
    SOURCE.name: ("expected", "sensed", "told", "judged", "unknown", "scene"),
}
"""Enumerations: the allowed texts, by the name of the type."""


def _fields(**types: str | Type) -> dict[str, Type]:
    return {n: parse_type(t) if isinstance(t, str) else t for n, t in types.items()}


FIELDS: Mapping[str, Mapping[str, Type]] = {
    "Agent": _fields(
        name=AGENT_NAME,
        type="text",
        about="text",
        can="list of text",
        status=AGENT_STATUS,
        queue="list of Subtask",
        current="Subtask or none",
        person="bool",
    ),
    "Subtask": _fields(
        id="text",
        words="text",
        task=union(TASK_NAME, NONE),
        args=TASK_ARGUMENTS,
        recipe=union(RECIPE_NAME, NONE),
        after="list of text",
        after_any="list of text",
        status=SUBTASK_STATUS,
        agent=union(AGENT_NAME, NONE),
        ready="bool",
        reason="text",
        told="text",
        failures="integer",
        past="bool",
        helpers="list of text",
        tried="list of text",
    ),
    "Proposal": _fields(id="text", agent="Agent", subtask="Subtask", drop="bool"),
    "Task": _fields(name=TASK_NAME, about="text", args=TASK_ARGUMENTS, words="text"),
    "Recipe": _fields(name=RECIPE_NAME, about="text", subtasks="list of text"),
    "Utterance": _fields(
        id="text", who="text", text="text", t="number", read="bool", answered="bool"
    ),
    "Act": _fields(id="text", kind=ACT_KIND, quote="text", utterance="text"),
}
"""Readable fields of each built-in type; ``tests/check/test_fields.py`` compares the classes."""

DATA_FIELDS: Mapping[str, Mapping[str, Type]] = {
    CALL.name: _fields(name=ACTION_NAME, args="mapping"),
    REMEMBERED.name: _fields(key="any", answer="any", about="any", distance="number"),
    LOOP.name: _fields(
        index="integer",
        index0="integer",
        revindex="integer",
        revindex0="integer",
        first="bool",
        last="bool",
        length="integer",
        depth="integer",
        depth0="integer",
        previtem="any",
        nextitem="any",
    ),
}
"""The same of types that are no entities."""


_ARGUMENTS = "arguments of "


def arguments_type(skill: str) -> Named:
    """Return the type of a skill's arguments by name, which a contract on `skill` binds."""
    return Named(f"{_ARGUMENTS}{skill}")


def skills_of(type_: Type) -> list[str]:
    """Return the skills of which a type is the arguments; none of another type."""
    kinds = [kind for kind in options(type_) if isinstance(kind, Named)]
    return [k.name.removeprefix(_ARGUMENTS) for k in kinds if k.name.startswith(_ARGUMENTS)]


def act_type(kind: str) -> Named:
    """Return the type of the acts of one kind."""
    return Named(f"{kind} act")


@lru_cache(maxsize=64)
def lists_of_acts(kinds: tuple[str, ...]) -> Mapping[str, Type]:
    """Return the fields of ``acts``: a list of the acts of each kind."""
    return {kind: ListOf(act_type(kind)) for kind in kinds}


def act_fields(view: View) -> dict[str, dict[str, Type]]:
    """Return the fields of each kind of act that the view's readings declare."""
    found: dict[str, dict[str, Type]] = {}
    for entry in view.all("reading").values():
        for kind, fields in entry.model.acts.items():
            known = found.setdefault(kind, dict(FIELDS["Act"]))
            for name, text in fields.items():
                known[name] = union(known.get(name), read_type(text))
    return found
