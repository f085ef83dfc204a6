"""Journals, events and failures that cannot be, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.support import golden
from treec.world.events import UnknownEvent, decode
from treec.world.journal import parse_record, raw_record


def problem(kind: str, data: dict[str, Any]) -> str:
    """What is wrong with an event."""
    event = decode(kind, data)
    assert isinstance(event, UnknownEvent)
    return event.problem


TOLD: dict[str, Callable[[], object]] = {
    "ValueError: not a record: it must have the keys n, t, kind, by, data, in this order": lambda: (
        raw_record([])
    ),
    "ValueError: 'n' must be a whole number and 't' a number with a point": lambda: raw_record(
        {"n": 1, "t": 1, "kind": "a", "by": "b", "data": {}}
    ),
    "ValueError: 'kind' and 'by' must be text and 'data' an object": lambda: raw_record(
        {"n": 1, "t": 1.0, "kind": 3, "by": "b", "data": {}}
    ),
    "ValueError: 'v', the version of the event, must be a whole number from 1": lambda: raw_record(
        {"n": 1, "t": 1.0, "kind": "a", "by": "b", "data": {}, "v": 0}
    ),
    "ValueError: not UTF-8": lambda: parse_record(b"\xff"),
    "\"unknown event 'nosuch'; is the extension that declares it missing?\"": lambda: problem(
        "nosuch", {}
    ),
    "\"run.end: 'reason' is missing\"": lambda: problem("run.end", {}),
    "\"run.end: 'reason' must be text, not True\"": lambda: problem("run.end", {"reason": True}),
    "\"commit: 'actions' an object is needed, not 3\"": lambda: problem(
        "commit", {"for": "action", "actions": (3,)}
    ),
    "\"commit: 'actions' 'args' is missing\"": lambda: problem(
        "commit", {"for": "action", "actions": ({"action": "a"},)}
    ),
    "\"fact.set: 'args' must be a list, not 'x'\"": lambda: problem(
        "fact.set", {"fact": "at", "args": "x", "value": 1, "source": "told"}
    ),
    "\"subtask.failed: 'reason' must be text, not 3\"": lambda: problem(
        "subtask.failed", {"agent": "a", "subtask": "b", "reason": 3}
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
