"""The acts of an utterance as typed questions: a yes or no for each kind, and for its fields.

A field whose values are listed is a choice, or a yes or no for each value of a list; a text is what
was said. A kind with another field (the things that a task is done with) can be found, but not
answered: then the next answerer is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from treec_asking.answerers import Answers, NotSure, Sureness, read_choice, read_noul
from treec_asking.prompt import Question

NONE = "none"
"""The option of a field that may be missing."""

YES = 0.5
"""The probability from which on an answer is a yes."""

Typed = dict[str, dict[str, Any]]
Fields = Mapping[str, Mapping[str, object]]
"""The JSON Schema of each field of a kind of act."""


def act_questions(about: str, kinds: Mapping[str, Fields]) -> Typed:
    """The questions about all kinds of acts."""
    asked: Typed = {}
    for kind, fields in kinds.items():
        said = f"{about.rstrip('.')}: is there an act of the kind '{kind}' in what they say now?"
        asked[kind] = {"type": "noul", "instructions": said}
        for field, schema in fields.items():
            asked.update(_field_questions(f"{kind}.{field}", schema))
    return asked


def read_acts(
    answers: Answers, question: Question, kinds: Mapping[str, Fields], words: str
) -> tuple[list[dict[str, Any]], Sureness]:
    """The acts that were found in words. Raises ValueError, NotSure for one with other fields."""
    chances = {kind: read_noul(answers, kind) for kind in kinds}
    sure = [abs(2 * chance - 1) for chance in chances.values()]
    acts = []
    for kind in (kind for kind, chance in chances.items() if chance >= YES):
        act: dict[str, Any] = {"kind": kind, "quote": words}
        for field, schema in kinds[kind].items():
            act[field], own = _field(answers, question, f"{kind}.{field}", schema, words)
            sure += own
        acts.append(act)
    return acts, Sureness(min(sure, default=0.0), chances)


def _field_questions(name: str, schema: Mapping[str, object]) -> Iterator[tuple[str, Any]]:
    values = _values(schema)
    said = f"Which '{name}' do they mean?"
    if schema.get("type") == "array":
        for value in _values(_items(schema)) or ():
            yield f"{name}.{value}", {"type": "noul", "instructions": f"Do they mean {value!r}?"}
    elif schema.get("type") == "boolean":
        yield name, {"type": "noul", "instructions": f"Is it '{name}'?"}
    elif values is not None and len(values) > 1:
        criteria = dict.fromkeys(values, "")
        yield name, {"type": "choice", "instructions": said, "criteria": criteria}


def _field(
    answers: Answers, question: Question, name: str, schema: Mapping[str, object], words: str
) -> tuple[object, list[float]]:
    values = _values(schema)
    if schema.get("type") == "array":
        listed = _values(_items(schema))
        if listed is None:
            raise NotSure(f"'{name}' has no listed values")
        chances = {value: read_noul(answers, f"{name}.{value}") for value in listed}
        sure = [abs(2 * chance - 1) for chance in chances.values()]
        return [value for value, chance in chances.items() if chance >= YES], sure
    if schema.get("type") == "boolean":
        chance = read_noul(answers, name)
        return chance >= YES, [abs(2 * chance - 1)]
    if values is None:
        if schema.get("type") == "string" and "enum" not in schema:
            return words, []
        raise NotSure(f"'{name}' has no listed values")
    if len(values) == 1:
        return None if values[0] == NONE else values[0], []
    choice, sureness = read_choice(answers, question, name)
    return None if choice == NONE else choice, [sureness.confidence or 0.0]


def _items(schema: Mapping[str, object]) -> Mapping[str, object]:
    items = schema.get("items")
    return items if isinstance(items, Mapping) else {}


def _values(schema: Mapping[str, object]) -> list[str] | None:
    """The values that a schema lists, with `none` for null; None if it lists none."""
    options = schema.get("anyOf")
    if isinstance(options, list):
        parts = [_values(one) for one in options]
        return None if None in parts else [value for part in parts for value in part or ()]
    enum = schema.get("enum")
    if isinstance(enum, list):
        return [NONE if value is None else str(value) for value in enum]
    return [NONE] if schema.get("type") == "null" else None
