"""Whom words stop: in a conversation with the planner, without a model."""

from __future__ import annotations

import pytest

from tests.systems.mosaic.table import Table

BOTH_AT_WORK = ("Let's make pasta.", "Yes")


def statuses(table: Table) -> dict[str, str]:
    return {name: table.run.team.now.agents[name].status for name in ("R1", "R2")}


@pytest.mark.parametrize("words", ["stop R3", "Robbie, stop!", "make R3 stop", "R2 and R3, freeze"])
def test_a_stop_for_who_is_not_there_leaves_nobody_running(words: str) -> None:
    table = Table(*BOTH_AT_WORK)
    said = table.say(words)
    assert statuses(table) == {"R1": "Interrupted", "R2": "Interrupted"}
    name = "Robbie" if "Robbie" in words else "R3"
    assert said == f"Nobody here is called {name}. R1 and R2 have stopped. Tell me when to go on."


def test_who_stops_nobody_twice_is_told_so() -> None:
    table = Table(*BOTH_AT_WORK, "R3, stop!")
    assert table.say("stop R3").startswith("Nobody here is called R3.")


@pytest.mark.parametrize("words", ["r1 chill, dont move", "Arm, take a break", "R1, pause. Wait"])
def test_who_is_named_stops_alone(words: str) -> None:
    table = Table(*BOTH_AT_WORK)
    assert table.say(words) == "R1 has stopped. Tell me when it should go on."
    assert statuses(table) == {"R1": "Interrupted", "R2": "Running"}
