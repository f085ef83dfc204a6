"""The files are right, and the robot stops in every case in which it must."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import treec

ROOT = Path(__file__).parents[1]
LIB = treec.open(ROOT)

from my_robot.fake_robot import FakeRobot  # type: ignore[import-not-found]  # noqa: E402

BOUND = 20.0
"""Seconds in which what a test waits for has happened."""


@pytest.fixture
def robot(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeRobot]:
    with FakeRobot(takes=0.3) as robot:
        monkeypatch.setenv("ROBOT_URL", robot.url)
        yield robot


def start(**options: Any) -> treec.StartedRun:
    return LIB.start("my_robot", scenario="there_and_back", env="robot", **options)


def wait_for(run: treec.StartedRun, kind: str) -> None:
    next(event for event in run.events() if event.kind == kind)


def test_the_files_have_no_errors() -> None:
    assert LIB.check().ok, str(LIB.check())


@pytest.mark.parametrize("name", LIB.names("scenario"))
def test_the_scenario_ends_as_it_expects_in_simulation(name: str) -> None:
    result = LIB.run(LIB["scenario", name].model.system, scenario=name)
    assert result.ok, str(result)


def test_it_comes_back_on_the_robot(robot: FakeRobot) -> None:
    with start() as run:
        assert run.wait(BOUND).ok
    assert [goal["place"] for goal in robot.goals] == ["dock", "table", "dock"]
    assert {goal["status"] for goal in robot.goals} == {"done"}


def test_closing_the_run_stops_the_robot(robot: FakeRobot) -> None:
    with start() as run:
        wait_for(run, "skill.started")
    assert robot.goals[-1]["status"] == "cancelled"
    assert not run.wait(BOUND).unconfirmed


def test_nothing_moves_while_the_emergency_stop_is_pressed(robot: FakeRobot) -> None:
    with start() as run:
        wait_for(run, "ticked")
        robot.command("estop", {})
        wait_for(run, "skill.ended")
        assert robot.goals[-1]["status"] == "emergency stop"
        assert len(robot.goals) == 2
        robot.command("release", {})
        assert run.wait(BOUND).ok


def test_without_a_heartbeat_the_robot_stops_by_itself(robot: FakeRobot) -> None:
    robot.last_beat = 0.0  # there was one, long ago
    robot.command("goal", {"id": "x", "place": "table"})
    assert robot.state()["goal"]["status"] == "no heartbeat"


def test_with_one_it_drives_on(robot: FakeRobot) -> None:
    with start(heartbeat=robot.heartbeat) as run:
        assert run.wait(BOUND).ok


def test_a_robot_that_is_away_is_found_again(robot: FakeRobot) -> None:
    with start() as run:
        wait_for(run, "ticked")  # it has its goal
        robot.is_away = True
        wait_for(run, "environment.lost")
        robot.is_away = False
        wait_for(run, "environment.back")
        assert run.wait(BOUND).ok
    assert len({goal["id"] for goal in robot.goals}) == len(robot.goals)
