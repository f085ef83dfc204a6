"""Validates an answer against its JSON Schema, with one error message per field.

Supports the part of JSON Schema that answers need: type, properties, required,
additionalProperties, items, enum, const, anyOf. Other keywords are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches

MAX_ERRORS = 5
"""Errors reported at once; with more than that the model starts over anyway."""

MAX_LISTED = 12
"""Names that are all listed where another was written."""

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list, tuple),
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "null": (type(None),),
}
_NAMES = {"object": "an object", "array": "a list", "string": "a text", "null": "null"}
_NAMES |= {"number": "a number", "integer": "a whole number", "boolean": "true or false"}


def schema_errors(value: object, schema: Mapping[str, object]) -> list[str]:
    """The errors of an answer, one sentence per field; empty if it is valid."""
    found: list[str] = []
    for error in _errors(value, schema, ""):
        if len(found) == MAX_ERRORS:
            found.append("There is more.")
            break
        found.append(error)
    return found


def _errors(value: object, schema: Mapping[str, object], at: str) -> Iterator[str]:
    if "const" in schema and value != schema["const"]:
        yield f"{_place(at)} must be {_abbreviate(schema['const'])}, not {_abbreviate(value)}."
        return
    options = schema.get("enum")
    if isinstance(options, Sequence) and not _among(value, options):
        yield f"{_place(at)} must be {_one_of(value, options)}, not {_abbreviate(value)}."
        return
    kind = schema.get("type")
    kinds = [kind] if isinstance(kind, str) else kind
    if isinstance(kinds, Sequence) and not any(_is(value, str(one)) for one in kinds):
        expected = " or ".join(_NAMES.get(str(one), str(one)) for one in kinds)
        yield f"{_place(at)} must be {expected}, not {_abbreviate(value)}."
        return
    alternatives = schema.get("anyOf")
    if isinstance(alternatives, Sequence):
        yield from _any_of(value, alternatives, at)
    if isinstance(value, Mapping):
        yield from _object_errors(value, schema, at)
    items = schema.get("items")
    if isinstance(value, list | tuple) and isinstance(items, Mapping):
        for number, item in enumerate(value):
            yield from _errors(item, items, f"{at}[{number}]")


def _object_errors(
    value: Mapping[str, object], schema: Mapping[str, object], at: str
) -> Iterator[str]:
    properties = schema.get("properties")
    known: Mapping[str, object] = properties if isinstance(properties, Mapping) else {}
    required = schema.get("required")
    for name in required if isinstance(required, Sequence) else ():
        if name not in value:
            yield f"{_place(_below(at, name))} is missing."
    for name, item in value.items():
        inner = known.get(name)
        if isinstance(inner, Mapping):
            yield from _errors(item, inner, _below(at, name))
        elif inner is None and schema.get("additionalProperties") is False:
            there = f"; known: {', '.join(known)}" if known else ""
            yield f"Unknown field {_place(_below(at, name))}{there}."


def _any_of(value: object, alternatives: Sequence[object], at: str) -> Iterator[str]:
    """Nothing if one alternative is valid; else the errors of the most similar one."""
    schemas = [one for one in alternatives if isinstance(one, Mapping)]
    found: list[tuple[int, list[str]]] = []
    for schema in schemas:
        errors = list(_errors(value, schema, at))
        if not errors:
            return
        found.append((_likeness(value, schema), errors))
    if not found:
        yield f"{_place(at)} has none of the allowed forms."
        return
    best = max(likeness for likeness, _ in found)
    nearest = [errors for likeness, errors in found if likeness == best]
    if best > 0 and len(nearest) == 1:
        yield from nearest[0]
        return
    choices = [option for schema in schemas for option in _scalar_options(schema)]
    names = [name for schema in schemas if (name := _alternative_name(schema))]
    if isinstance(value, Mapping) and len(names) == len(schemas):
        yield f"{_place(at)} must be one of {', '.join(names)}, not {_abbreviate(value)}."
    elif choices:
        yield f"{_place(at)} must be {_one_of(value, choices)}, not {_abbreviate(value)}."
    else:
        yield f"{_place(at)} fits none of the allowed forms: {_abbreviate(value)}."


def _scalar_options(schema: Mapping[str, object]) -> Sequence[object]:
    """The values of an alternative that lists them: an enum, or null."""
    if schema.get("type") == "null":
        return ("null",)
    options = schema.get("enum")
    return options if isinstance(options, Sequence) else ()


def _one_of(value: object, options: Sequence[object]) -> str:
    """The options in words; of many, the nearest to a wrong name."""
    names = [str(option) for option in options]
    if len(names) <= MAX_LISTED:
        return f"one of {', '.join(names)}"
    near = get_close_matches(str(value), names, n=3, cutoff=0.4)
    if near:
        return f"one of {len(names)} names (nearest: {', '.join(near)})"
    return f"one of {len(names)} names (none is near; such as {', '.join(names[:3])})"


def _likeness(value: object, schema: Mapping[str, object]) -> int:
    """How similar a value is to a schema: 2 same tag, 1 same type, 0 neither."""
    if not isinstance(value, Mapping):
        kind = schema.get("type")
        return 1 if isinstance(kind, str) and _is(value, kind) else 0
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return 0
    tags = [name for name, inner in properties.items() if isinstance(inner, Mapping)]
    for name in tags:
        if "const" in properties[name]:
            return 2 if value.get(name) == properties[name]["const"] else 0
    return 2 if len(value) == 1 and set(value) == set(properties) else 0


def _alternative_name(schema: Mapping[str, object]) -> str:
    """The name of an alternative: its tag, or its only field."""
    properties = schema.get("properties")
    if not isinstance(properties, Mapping):
        return ""
    for inner in properties.values():
        if isinstance(inner, Mapping) and "const" in inner:
            return str(inner["const"])
    return next(iter(properties)) if len(properties) == 1 else ""


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    if kind == "integer" and isinstance(value, float):
        return value.is_integer()
    return isinstance(value, _TYPES.get(kind, (object,)))


def _among(value: object, options: Sequence[object]) -> bool:
    return any(value == option and type(value) is type(option) for option in options)


def _place(at: str) -> str:
    return f"'{at}'" if at else "the answer"


def _below(at: str, name: object) -> str:
    return f"{at}.{name}" if at else str(name)


def _abbreviate(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 80 else text[:79] + "…"
