"""Validates an answer against its JSON Schema, with one error message per field.

An answer whose spelling alone differs is brought into the schema's form before: see
:func:`fit_answer`.

Supports the part of JSON Schema that answers need: type, properties, required,
additionalProperties, items, enum, const, anyOf. Other keywords are ignored.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
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


def fit_answer(data: dict[str, object], schema: Mapping[str, object]) -> dict[str, object]:
    """An answer in its schema's form, where nothing but the form differs.

    Names of fields and options may differ in case, blanks, `_`, `-`, quotes and a full stop; fields
    that the schema does not know are dropped; an answer below one more key, or as JSON in a string,
    is taken out; one thing may stand in place of a list of it, a list of one in place of a name.
    What would say less than was answered is not dropped: a field of another alternative, or one
    that may be meant for an optional field which is missing.
    """
    fitted = _fit(_unwrapped(data, schema), schema)
    return fitted if isinstance(fitted, dict) else data


def _unwrapped(data: dict[str, object], schema: Mapping[str, object]) -> dict[str, object]:
    """An answer, or the one that is all there is of an answer below one of its keys."""
    needed = {_fold(name) for name in _required(schema)} - {"reasoning"}
    if not needed or needed & {*map(_fold, data)}:
        return data
    inner = []
    for value in data.values():
        parsed = _parsed(value) if isinstance(value, str) else value
        if isinstance(parsed, list) and len(parsed) == 1:
            parsed = parsed[0]
        if isinstance(parsed, dict):
            parsed = _unwrapped(parsed, schema)
            if needed <= {*map(_fold, parsed)}:
                inner.append(parsed)
    return {**data, **inner[0]} if len(inner) == 1 else data


def _fit(value: object, schema: Mapping[str, object], keep: Collection[str] = ()) -> object:
    """A value in a schema's form; ``keep`` are folded names that are not dropped."""
    alternatives = schema.get("anyOf")
    if isinstance(alternatives, Sequence):
        return _fit_any(value, [one for one in alternatives if isinstance(one, Mapping)])
    items, properties = schema.get("items"), schema.get("properties")
    if isinstance(items, Mapping) and isinstance(value, str | dict) and _parsed(value) == value:
        one = [_fit(value, items)]
        return value if schema_errors(one, schema) else one
    if isinstance(value, list) and len(value) == 1 and "enum" in schema:
        value = value[0]
    if isinstance(value, str):
        if schema.get("type") in ("object", "array"):
            return _fit(_parsed(value), schema) if _parsed(value) != value else value
        options = schema.get("enum", [schema["const"]] if "const" in schema else ())
        listed = options if isinstance(options, Sequence) else ()
        return value if value in listed else _same_name(value, listed)
    others = schema.get("additionalProperties")
    if isinstance(value, list) and isinstance(others, Mapping) and not properties:
        return _from_pairs(value, others)
    if isinstance(value, list) and isinstance(items, Mapping):
        return [_fit(item, items) for item in value]
    if not isinstance(value, dict) or not isinstance(properties, Mapping):
        return value
    fitted: dict[str, object] = {}
    extra: dict[str, object] = {}
    for name, item in value.items():
        own = name if name in properties else _same_name(name, properties)
        if own in properties and (own == name or own not in {**value, **fitted}):
            may_be_missing = item is None and own not in _required(schema)
            if may_be_missing and schema_errors(None, properties[own]):
                continue  # in strict mode what is missing is null
            fitted[own] = _fit(item, properties[own])
        else:
            extra[name] = item
    missing = [properties[name] for name in {*properties} - {*fitted, *_required(schema)}]
    for name, item in extra.items():
        may_be_meant = item is not None and any(_fits(item, one) for one in missing)
        if schema.get("additionalProperties") is not False or _fold(name) in keep or may_be_meant:
            fitted[name] = item
    return fitted


def _fits(value: object, schema: Mapping[str, object]) -> bool:
    return not schema_errors(_fit(value, schema), schema)


def _required(schema: Mapping[str, object]) -> Sequence[str]:
    required = schema.get("required")
    return required if isinstance(required, Sequence) else ()


def _from_pairs(pairs: list[object], others: Mapping[str, object]) -> object:
    """The object that strict mode writes as a list of names and values; else the list."""
    found: dict[str, object] = {}
    for pair in pairs:
        if not isinstance(pair, dict) or set(pair) != {"name", "value"} or pair["name"] in found:
            return pairs
        found[str(pair["name"])] = _fit(pair["value"], others)
    return found


def _fit_any(value: object, schemas: Sequence[Mapping[str, object]]) -> object:
    """A value in the form of the first alternative that it fits, or is nearest to."""
    known = {_fold(name) for schema in schemas for name in schema.get("properties") or ()}  # type: ignore[attr-defined]
    fitted = [(_fit(value, schema, known), schema) for schema in schemas]
    for one, schema in fitted:
        if not schema_errors(one, schema):
            return one
    near = [one for one, schema in fitted if _likeness(one, schema) > 1]
    return near[0] if len(near) == 1 else value


def _parsed(text: object) -> object:
    """What a text is in JSON: an object or a list; anything else as it is."""
    if not isinstance(text, str) or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _same_name(name: str, names: Collection[object]) -> str:
    """The only one of some names that is the same but for case, blanks, `_`, `-`; else the name."""
    same = [one for one in names if isinstance(one, str) and _fold(one) == _fold(name)]
    return same[0] if len(same) == 1 else name


def _fold(name: object) -> str:
    return re.sub(r"[\s_-]+", "", str(name)).casefold().strip("\"'`*.,:;!?")


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
    for name in _required(schema):
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
