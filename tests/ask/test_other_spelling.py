"""Objects in Python's or JavaScript's spelling: read whole or not at all, and never evaluated."""

from __future__ import annotations

import json

import pytest

from treec_models.other_spelling import in_json


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Sure: {'a': [1, -2.5, {'b': True}],}", {"a": [1, -2.5, {"b": True}]}),
        ("{a: null, b: undefined, c: 'it\\'s'}", {"a": None, "b": None, "c": "it's"}),
        ("```\n{'path': 'a\\/b', 'face': '\\ud83d\\ude00'}\n```", {"path": "a/b", "face": "😀"}),
        ("{&quot;a&quot;: 1}", {"a": 1}),
    ],
)
def test_it_is_brought_into_json(text: str, read: object) -> None:
    assert json.loads(in_json(text)) == read


@pytest.mark.parametrize(
    "text",
    [
        '{"a": "as it is"} {\'b\': 1}',
        "{'a': 1",
        "[{'a': 1}",
        "{'a': 1, 'a': 2}",
        "{'a': 1, **{'a': 2}}",
        "{'a': 1 + 1}",
        "{'a': __import__('os').getcwd()}",
        "{'a': Rest}",
        "{'a': 'it''s'}",
        '{"a": ["Cook"\n "Clean"]}',
        "{'a': '\\d'}",
        "{" * 5000 + "}" * 5000,
        "no object",
    ],
)
def test_what_is_whole_json_half_or_computed_stays(text: str) -> None:
    assert in_json(text) == text
