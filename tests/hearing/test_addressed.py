"""Whom a stop is for: those whom the words name, and everybody where they name nobody."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.hearing.moments import everyday, everyday_and_network, moment
from treec.team.language import shipped_language, talk_agent
from treec.team.talk import TalkContext
from treec_hearing.ear import Ear

EARS = {"templates": everyday, "network": everyday_and_network}


@pytest.fixture(params=EARS)
def ear(request: pytest.FixtureRequest) -> Ear:
    return EARS[request.param]()


def two_robots() -> TalkContext:
    """R2 and R1, of which R2 is at work."""
    here = moment("kitchen", proposals=False)
    return replace(here, agents=(*here.agents, talk_agent(shipped_language(), "R1", ["the arm"])))


def stopped(ear: Ear, text: str) -> list[object]:
    return [act["agent"] for act in ear(text, two_robots()) if act["kind"] == "stop"]


@pytest.mark.parametrize(
    ("text", "robots"),
    [
        ("R1 wait, dont move", ["R1"]),
        ("r1 chill, dont move", ["R1"]),
        ("R1, hold on. Do not move!", ["R1"]),
        ("Careful! R1, stop it", ["R1"]),
        ("Robot two, take a break", ["R2"]),
        ("Arm, take a short break", ["R1"]),
        ("R1, freeze, don't move another inch", ["R1"]),
        ("R1 and R2, wait, don't move", ["R1", "R2"]),
        ("R1 and R2 stop, please", ["R1", "R2"]),
        ("wait, R1 and R2", ["R1", "R2"]),
    ],
)
def test_a_stop_is_for_those_whom_it_names(ear: Ear, text: str, robots: list[str]) -> None:
    assert sorted(map(str, stopped(ear, text))) == robots


@pytest.mark.parametrize(
    "text",
    [
        "wait, don't move",
        "stop, all of you, do not move",
        "R2, stop it, everybody stop it",
        "R2 and R3, wait, don't move",
        "make R7 stop at once",
        "hey R3, hold it please",
        "take a break",
        "take a break, robots",
    ],
)
def test_a_stop_is_for_everybody(ear: Ear, text: str) -> None:
    assert None in stopped(ear, text)


@pytest.mark.parametrize(
    "text",
    ["I need a break", "that was a short break", "stop worrying", "she said stop R3", "R3 is old"],
)
def test_nobody_stops(ear: Ear, text: str) -> None:
    assert stopped(ear, text) == []
