"""What is done after what: "then" between orders, "before" and "after" in front of one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hearing.moments import everyday
from tests.hearing.test_stops_and_orders import shelves
from treec.team.talk import TalkContext, TalkSubtask
from treec_hearing.time_order import TimeOrder, in_time_order


def ordered(text: str, context: TalkContext | None = None) -> TimeOrder:
    ear, now = everyday(), context or shelves()
    acts = [{**act, "utterance": "u1"} for act in ear(text, now)]
    return in_time_order(ear, {"u1": text}, acts, now)


def said(work: dict[str, object]) -> str:
    args = work.get("args")
    things = args.values() if isinstance(args, dict) else ()
    return " ".join(map(str, (work["task"], *things)))


@pytest.mark.parametrize(
    ("text", "waits"),
    [
        ("R1, scan crate 12 and then charge", {"charge": ["scan crate 12"]}),
        ("R1, scan crate 12. After that, charge.", {"charge": ["scan crate 12"]}),
        ("R1, scan crate 12, and R2, charge afterwards", {"charge": ["scan crate 12"]}),
        ("scan crates 12 and 17, then charge", {"charge": ["scan crate 12", "scan crate 17"]}),
        ("scan crate 12, then crate 17", {"scan crate 17": ["scan crate 12"]}),
        ("before you charge, scan crate 12", {"charge": ["scan crate 12"]}),
        ("R1, scan crate 12 before charging", {"charge": ["scan crate 12"]}),
        ("R1, after charging, scan crate 12", {"scan crate 12": ["charge"]}),
        ("scan crate 12 once you have charged", {"scan crate 12": ["charge"]}),
        ("R1, charge. R2, scan shelf B once R1 has charged", {"scan shelf B": ["charge"]}),
        ("R1, scan crate 12 and charge", {}),
        ("R1, scan crate 12. R2, charge.", {}),
        ("R1, charge, then scan crate 12. R2, scan shelf A", {"scan crate 12": ["charge"]}),
        ("before anything else scan crate 12", {}),
        ("scan crate 17 after crate 12", {"scan crate 17": ["scan crate 12"]}),
        ("before crate 12, scan crate 17", {"scan crate 12": ["scan crate 17"]}),
        ("R1, after charging scan 12", {"scan crate 12": ["charge"]}),
    ],
)
def test_an_order_waits_for_what_comes_before_it(text: str, waits: dict[str, list[str]]) -> None:
    found = ordered(text)
    assert not found.unheard
    assert {said(a): [*map(said, a["after"])] for a in found.acts if "after" in a} == waits


@pytest.mark.parametrize(
    ("text", "agents"),
    [
        ("R1, after charging, scan crate 12", ["R1", "R1"]),
        ("R1, scan crate 12 and charge", ["R1", "R1"]),
        ("R1, stop and charge", ["R1", "R1"]),
        ("Everyone, stop and then charge", [None, "R2", "R1"]),
        ("R2 and R1, stop and charge", ["R1", "R2", "R1", "R2"]),
        ("Everyone, stop and scan crate 12", [None, None]),
        ("R1, charge, and somebody scan crate 12", ["R1", None]),
        ("R1, stop, and one of you charge", ["R1", None]),
        ("R1, scan crate 12. Then charge.", ["R1", "R1"]),
        ("R1, scan crate 12. Charge.", ["R1", None]),
        ("R1, charge, and R2, scan crate 12 and charge", ["R1", "R2", "R2"]),
    ],
)
def test_who_is_spoken_to_is_meant_by_the_next_order(text: str, agents: list[str | None]) -> None:
    assert [act["agent"] for act in ordered(text).acts] == agents


def test_who_cannot_do_it_is_not_meant() -> None:
    text = "R1, scan crate 12 and charge"
    ear, now = everyday(), shelves()
    acts = [{**act, "utterance": "u1"} for act in ear(text, now)]
    found = in_time_order(ear, {"u1": text}, acts, now, lambda agent, task: task == "scan")
    assert [act["agent"] for act in found.acts] == ["R1", None]


@pytest.mark.parametrize(
    "text",
    [
        "R1, scan crate 12 once R2 has charged",
        "after R2 has charged, R1, scan crate 12",
        "after everyone has charged, R1, scan crate 12",
        "stop before you charge",
        "after you have charged",
    ],
)
def test_no_order_rests_on_what_nobody_is_to_do(text: str) -> None:
    found = ordered(text)
    assert found.unheard
    assert not any(act.get("task") for act in found.acts)


def test_work_that_there_is_already_is_not_ordered_again() -> None:
    charging = TalkSubtask("charge", "charge", "running", "R2")
    now = replace(shelves(), subtasks=(charging,))
    found = ordered("R1, scan crate 12 once R2 has charged", now)
    assert [(said(act), *map(said, act["after"])) for act in found.acts] == [
        ("scan crate 12", "charge")
    ]
    found = ordered("R1, scan crate 12 before R2 charges", now)
    assert [(said(act), *map(said, act["before"])) for act in found.acts] == [
        ("scan crate 12", "charge")
    ]
    assert [said(act) for act in found.said_when] == ["charge"]


def test_work_that_was_done_is_waited_for_no_more() -> None:
    now = replace(shelves(), subtasks=(TalkSubtask("charge", "charge", "done", "R2"),))
    (act,) = ordered("R1, scan crate 12 once R2 has charged", now).acts
    assert "after" not in act
    found = ordered("R2, charge before you scan crate 12", now)
    assert [said(act) for act in found.acts] == ["charge", "scan crate 12"]
