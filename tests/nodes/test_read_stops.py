"""A stop takes back what was ordered before it and has not begun, however it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.nodes.test_read import acts, answer, bench
from tests.support.bench import Bench
from treec.ask.transport import NEVER
from treec_hearing.taken_back import KEPT, stops_agents

ORDER: dict[str, object] = {
    "kind": "request",
    "quote": "R1, get the pepper",
    "agent": "R1",
    "task": "get",
    "args": {"item": "pepper"},
    "first": False,
}
SORRY = "Since you said stop, I have not begun: R1, get the pepper."


def answers(b: Bench) -> list[str]:
    return [str(e.data["text"]) for e in b.told("said") if e.data["who"] == "assistant"]


@pytest.mark.parametrize("stop", ["stop", "R1, stop!"])
def test_an_order_before_a_stop_in_one_reading(tmp_path: Path, stop: str) -> None:
    b = bench(tmp_path, answers={"Talk": [answer(ORDER)]})
    b.say("R1, get the pepper")
    b.say(stop)
    b.settle()
    assert [act.split()[1] for act in acts(b)] == ["stop"]
    assert answers(b) == [SORRY]


def test_an_order_that_is_being_read_when_the_stop_comes(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [NEVER, answer(ORDER)]})
    b.say("R1, get the pepper")
    b.tick()
    b.say("stop")
    b.settle()
    assert [act.split()[1] for act in acts(b)] == ["stop"]
    assert answers(b) == [SORRY]


def test_an_order_that_was_read_and_that_nobody_has_carried_out(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [answer(ORDER), answer()]})
    b.say("R1, get the pepper")
    b.settle()
    assert acts(b) == ["u1.1 request R1"]
    b.say("stop")
    b.settle()
    assert acts(b) == ["u2.1 stop"]
    assert answers(b) == [SORRY]
    assert b.team.chat[0].answered


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("R2, stop!", "R1, get the pepper"),
        ("stop", "R1, get the pepper"),
        ("R1, get the pepper", "R2, stop!"),
    ],
)
def test_an_order_after_a_stop_or_of_another_robot_stands(
    tmp_path: Path, first: str, then: str
) -> None:
    b = bench(tmp_path, answers={"Talk": [answer(ORDER)]})
    b.say(first)
    b.say(then)
    b.settle()
    assert sorted(act.split()[1] for act in acts(b)) == ["request", "stop"]
    assert answers(b) == []


def test_in_one_utterance_what_stands_before_the_stop_is_taken_back(tmp_path: Path) -> None:
    b = bench(tmp_path, answers={"Talk": [answer(ORDER)]})
    b.say("R1, get the pepper. Stop!")
    b.settle()
    assert [act.split()[1] for act in acts(b)] == ["stop"]
    assert answers(b) == [SORRY]


@pytest.mark.parametrize(
    ("act", "is_meant"),
    [
        ({"kind": "resume", "agent": None}, True),
        ({"kind": "resume", "agent": "R2"}, False),
        ({"kind": "request", "agent": None}, True),
        ({"kind": "request", "agent": "user"}, False),
        ({"kind": "accept", "proposals": ["p1"]}, True),
        ({"kind": "accept", "proposals": ["p2"]}, False),
        ({"kind": "cook"}, True),
        *(({"kind": kind, "agent": "R1"}, False) for kind in sorted(KEPT)),
    ],
)
def test_what_a_stop_is_about(tmp_path: Path, act: dict[str, Any], is_meant: bool) -> None:
    b = bench(tmp_path)
    for item in ("pepper", "salt"):
        b.add(f"get {item}", item=item)
    b.emit("proposed", id="p1", agent="R1", subtask="get pepper")
    b.emit("proposed", id="p2", agent="R2", subtask="get salt")
    assert stops_agents({"kind": "stop", "agent": "R1"}, act, b.team.now) is is_meant
    assert stops_agents({"kind": "stop", "agent": None}, act, b.team.now) is (
        is_meant or act == {"kind": "resume", "agent": "R2"} or act.get("proposals") == ["p2"]
    )
