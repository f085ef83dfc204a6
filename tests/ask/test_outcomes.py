"""What answers of models come to, and what is said of those that do not fit: `outcomes.txt`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from tests.support import golden
from treec_asking.answer_schema import schema_errors
from treec_asking.extract import find_object
from treec_models.redaction import Redactor

ANSWERS = (
    '{"a": 1}',
    'So: {"a": 1}.',
    '```json\n{"a": [1, 2.5, "x"]}\n```',
    '{"a": 1} and then {"b": {"c": null}}',
    "no object",
    "",
    "   ",
    "[1, 2]",
    '"text"',
    "12",
    "true",
    "null",
    '{"a": 1',
    '{"a": "x',
    '{"a" 1}',
    '{"a": 1,}',
    "{a: 1}",
    "{'a': 1}",
    '{"a": 1} }',
    '{"a": NaN}',
    '{"a": Infinity}',
    '{"a": -Infinity}',
    '{"a": 1e999}',
    '{"a": ' + "9" * 5000 + "}",
    '{"a": 1, "a": 2}',
    '{"a": ' + "[" * 200 + "]" * 200 + "}",
    '{"a": \\x}',
    '{"a": "\\x"}',
    '{"a": "b\nc"}',
    '{"a": [1 2]}',
    '{"a": tru}',
    " " * 1_000_001,
)
TEXT = {"type": "string"}
MOVE = {
    "type": "object",
    "properties": {"kind": {"const": "move"}, "to": {"enum": ["dock", "aisle 1", "aisle 2"]}},
    "required": ["kind", "to"],
    "additionalProperties": False,
}
STOP = {
    "type": "object",
    "properties": {"kind": {"const": "stop"}, "who": TEXT},
    "required": ["kind"],
    "additionalProperties": False,
}
SCHEMAS: dict[str, dict[str, Any]] = {
    "move": MOVE,
    "either": {"anyOf": [MOVE, STOP]},
    "many": {
        "type": "object",
        "properties": {
            "acts": {"type": "array", "items": {"anyOf": [MOVE, STOP]}, "maxItems": 2},
            "n": {"type": "integer", "minimum": 0},
            "x": {"type": "number"},
            "ok": {"type": "boolean"},
            "maybe": {"anyOf": [TEXT, {"type": "null"}]},
            "name": {"enum": [f"thing {n}" for n in range(40)]},
        },
        "required": ["acts"],
    },
}
VALUES: dict[str, tuple[object, ...]] = {
    "move": (
        {"kind": "move", "to": "dock"},
        {"kind": "move", "to": "dokc"},
        {"kind": "move"},
        {"kind": "mvoe", "to": "dock", "by": 3},
        {"kind": 3, "to": None},
        [],
        "move",
        None,
    ),
    "either": (
        {"kind": "stop", "who": "R1"},
        {"kind": "stop", "who": 7},
        {"kind": "stop", "to": "dock"},
        {"kind": "mov", "to": "dock"},
        {"who": "R1"},
        {},
        5,
    ),
    "many": (
        {"acts": [], "n": 3, "x": 3, "ok": True, "maybe": None, "name": "thing 3"},
        {"acts": [{"kind": "stop"}] * 3, "n": -1, "x": "3", "ok": 1, "maybe": 3, "name": "thin 3"},
        {"acts": {"kind": "stop"}, "n": 2.5, "x": True, "name": "quite another one"},
        {"acts": [{"kind": "move", "to": "x" * 300}, "stop"], "n": 2.0},
        {"n": None},
    ),
}
KEYS = ("sk-abcdefghijklmnop", "short", "a b+c/d=e&f%gh")


def _calls() -> Iterator[tuple[str, Callable[[], object]]]:
    for text in ANSWERS:
        yield f"answer {text[:60]!r}", lambda text=text: find_object(text)  # type: ignore[misc]
    for name, values in VALUES.items():
        for value in values:
            call = lambda name=name, value=value: schema_errors(value, SCHEMAS[name])  # noqa: E731
            yield f"{name} {str(value)[:90]}", call
    redact = Redactor(KEYS)
    for text in (f"key {KEYS[0]}!", f"key {KEYS[1]}", "a%20b%2Bc%2Fd%3De%26f%25gh", KEYS[2]):
        yield f"redacted {text}", lambda text=text: redact(text)  # type: ignore[misc]
    kept = Redactor.of_environment({"OPENAI_API_KEY": KEYS[0], "HOME": "/home/someone/long"})
    yield "redacted by environment", lambda: kept(f"{KEYS[0]} /home/someone/long")


def test_outcomes() -> None:
    golden.check(Path(__file__).with_name("outcomes.txt"), golden.outcomes(_calls()))
