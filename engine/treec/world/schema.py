"""A JSON Schema of a journal's lines, from the event classes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin

from treec.world.events import Event, UnknownEvent, event_classes, event_fields

_TYPES: Mapping[object, dict[str, object]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    object: {},
    Any: {},
    Event: {"$ref": "#/$defs/event"},
}


def journal_schema(classes: Iterable[type[Event]] | None = None) -> dict[str, object]:
    """The JSON Schema of one line, for the given event classes (default: all known ones).

    Events of other kinds or versions may have any data.
    """
    known = event_classes().values() if classes is None else classes
    classes = [cls for cls in known if cls is not UnknownEvent]
    about = {
        "n": {"type": "integer", "minimum": 1},
        "t": {"type": "number", "minimum": 0},
        "by": {"type": "string"},
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A record of a journal",
        "type": "object",
        "properties": about,
        "required": ["n", "t", "kind", "by", "data"],
        "allOf": [{"$ref": "#/$defs/event"}],
        "$defs": {
            "event": {
                "type": "object",
                "properties": {
                    "kind": {"type": "string"},
                    "data": {"type": "object"},
                    "v": {"type": "integer", "minimum": 1},
                },
                "required": ["kind", "data"],
                "allOf": [_rule(cls) for cls in classes],
            },
            **{cls.kind: _object(cls) for cls in classes},
        },
    }


def _rule(cls: type[Event]) -> dict[str, object]:
    """The rule for the data of a kind in its present version."""
    condition: dict[str, object] = {"kind": {"const": cls.kind}}
    required = ["kind"]
    if cls.version == 1:
        condition["v"] = {"const": 1}
    else:
        condition["v"] = {"const": cls.version}
        required.append("v")
    then = {"properties": {"data": {"$ref": f"#/$defs/{cls.kind}"}}}
    return {"if": {"properties": condition, "required": required}, "then": then}


def _object(cls: type) -> dict[str, object]:
    fields = event_fields(cls)
    found: dict[str, object] = {
        "type": "object",
        "properties": {one.key: _schema(one.type) for one in fields},
        "required": [one.key for one in fields if one.required],
    }
    return {"description": " ".join((cls.__doc__ or "").split()), **found}


def _schema(hint: Any) -> dict[str, object]:
    origin, args = get_origin(hint), get_args(hint)
    if hint in _TYPES:
        return dict(_TYPES[hint])
    if origin in (Union, UnionType):
        return {"anyOf": [_schema(one) for one in args]}
    if origin is tuple:
        return {"type": "array", "items": _schema(args[0])}
    if args:
        return {"type": "object", "additionalProperties": _schema(args[1])}
    return _object(hint)
