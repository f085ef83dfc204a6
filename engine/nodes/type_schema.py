"""The JSON Schema of a value of a declared type, as answers write it: entities by their names."""

from __future__ import annotations

from treec.files.types import ListOf, OneOf, Type

_PLAIN = {"bool": "boolean", "number": "number", "integer": "integer", "none": "null"}


def type_schema(kind: Type) -> dict[str, object]:
    """`list of Subtask` is an array of strings, `Agent or none` a string or null."""
    if isinstance(kind, ListOf):
        return {"type": "array", "items": type_schema(kind.item)}
    if isinstance(kind, OneOf):
        return {"anyOf": [type_schema(option) for option in kind.options]}
    return {} if kind.name == "any" else {"type": _PLAIN.get(kind.name, "string")}
