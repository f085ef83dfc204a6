"""What answers, transports, claims and heads of actions are refused for, by whole messages."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from tests.support import golden
from treec.ask.transport import Answer, clock_sleep
from treec.nodes.recorded_value import ENTITY, to_record
from treec.team.contracts import parse_head
from treec.world.clock import VirtualClock
from treec_asking.answerers import read_typed
from treec_asking.driver import _as_answer
from treec_asking.statements import MOST, ClaimReader

NOBODY: Any = None
GIVEN: Any = {"text": "{}", "by": "m"}

TOLD: dict[str, Callable[[], object]] = {
    "ValueError: it does not answer the typed questions.": lambda: read_typed('{"a": 1}'),
    "BadReport: the transport returned a str, not an Answer": lambda: _as_answer("yes"),
    "BadReport: the transport gave an Answer whose `by` is 3": lambda: _as_answer(
        Answer(**GIVEN | {"by": 3})
    ),
    "BadReport: the transport gave an Answer whose `seconds` is nan": lambda: _as_answer(
        Answer(**GIVEN, seconds=float("nan"))
    ),
    "EventRefused: 'number' is a whole number, not '2.5'": lambda: ClaimReader(NOBODY)._number(2.5),
    "EventRefused: 'names' is a list of at most 6 names": lambda: ClaimReader(NOBODY)._names(
        ["salt"] * (MOST + 1)
    ),
    "EventRefused: 'value' is a text, a number, true or false": lambda: ClaimReader(NOBODY)._value(
        ["salt"]
    ),
    "ValueError: 'a b' is not an argument's name": lambda: parse_head("assign(a b)"),
    ("ValueError: 'assign)' is not an action with its arguments: assign(agent, because)"): lambda: (
        parse_head("assign)")
    ),
    "NotRecordable: a mapping with the key 'entity'": lambda: to_record([{ENTITY: 1}]),
    "TypeError: a virtual clock cannot be awaited inside asyncio: use SteppedAsker": lambda: (
        asyncio.run(clock_sleep(VirtualClock(), 1.0))
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
