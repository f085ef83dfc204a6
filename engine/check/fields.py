"""The types that expressions meet beyond those of files: acts, statuses, and entities' fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from treec.files.types import ANY, BOOL, NONE, NUMBER, TEXT, ListOf, Named, OneOf, Type, parse_type
from treec.files.view import View

ACTS = Named("Acts")
"""``acts``: all acts by kind."""

AGENT_STATUS = Named("status of an agent")
SUBTASK_STATUS = Named("status of a subtask")
SOURCE = Named("source of a fact")

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
    SOURCE.name: ("expected", "sensed", "told", "unknown", "scene"),
}
"""Texts of which there are few, by the name of their type."""


def _fields(**types: str | Type) -> dict[str, Type]:
    return {n: parse_type(t) if isinstance(t, str) else t for n, t in types.items()}


FIELDS: Mapping[str, Mapping[str, Type]] = {
    "Agent": _fields(
        name="text",
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
        task="text or none",
        args="mapping",
        recipe="text or none",
        after="list of text",
        after_any="list of text",
        status=SUBTASK_STATUS,
        agent="text or none",
        ready="bool",
        reason="text",
        told="text",
        failures="integer",
        past="bool",
        helpers="list of text",
        tried="list of text",
    ),
    "Proposal": _fields(id="text", agent="Agent", subtask="Subtask", drop="bool"),
    "Task": _fields(name="text", about="text", args="mapping", words="text"),
    "Recipe": _fields(name="text", about="text", subtasks="list of text"),
    "Utterance": _fields(
        id="text", who="text", text="text", t="number", read="bool", answered="bool"
    ),
    "Act": _fields(id="text", kind="text", quote="text", utterance="text"),
}
"""What may be read of each type of the team; ``tests/check/test_fields.py`` holds it to them."""


def act_type(kind: str) -> Named:
    """The type of the acts of one kind."""
    return Named(f"{kind} act")


def act_fields(view: View) -> dict[str, dict[str, Type]]:
    """The fields of each kind of act that the view's readings declare, with those of every act."""
    found: dict[str, dict[str, Type]] = {}
    for entry in view.all("reading").values():
        for kind, fields in entry.model.acts.items():
            known = found.setdefault(kind, dict(FIELDS["Act"]))
            for name, text in fields.items():
                known[name] = union(known.get(name), read_type(text))
    return found


def read_type(text: object) -> Type:
    """A type as it is written; what is none (that is TC208) is ``any``."""
    if isinstance(text, Mapping):
        return Named("mapping")
    try:
        return parse_type(text) if isinstance(text, str) else ANY
    except ValueError:
        return ANY


def options(type_: Type) -> Iterator[Type]:
    """The types that a value of this type may have: of ``Agent or none``, both."""
    if isinstance(type_, OneOf):
        for option in type_.options:
            yield from options(option)
    else:
        yield type_


def union(*types: Type | None) -> Type:
    """The type of what is one of these; nothing at all is ``any``."""
    found: dict[Type, None] = {}
    for type_ in types:
        if type_ is not None:
            found.update(dict.fromkeys(options(type_)))
    if not found or ANY in found:
        return ANY
    return next(iter(found)) if len(found) == 1 else OneOf(tuple(found))


def without_none(type_: Type) -> Type:
    """``Agent`` of ``Agent or none``."""
    rest = [option for option in options(type_) if option != NONE]
    return union(*rest) if rest else type_


def constant_type(value: object) -> Type | None:
    """The type of plain data."""
    match value:
        case None:
            return NONE
        case bool():
            return BOOL
        case int():
            return Named("integer")
        case float():
            return NUMBER
        case str():
            return TEXT
        case Mapping():
            return Named("mapping")
        case list() | tuple():
            items = [constant_type(item) for item in value]
            return ListOf(ANY if None in items or not items else union(*items))
    return None
