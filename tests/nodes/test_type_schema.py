"""A declared type as JSON Schema."""

from __future__ import annotations

import pytest

from treec.files.types import parse_type
from treec.nodes.type_schema import type_schema


@pytest.mark.parametrize(
    ("type_", "schema"),
    [
        ("text", {"type": "string"}),
        ("Subtask", {"type": "string"}),
        ("bool", {"type": "boolean"}),
        ("number", {"type": "number"}),
        ("any", {}),
        ("Agent or none", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ("list of Proposal", {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_a_type_is_what_an_answer_writes(type_: str, schema: dict[str, object]) -> None:
    assert type_schema(parse_type(type_)) == schema
