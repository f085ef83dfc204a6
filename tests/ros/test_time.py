"""Time is real, or that of `/clock`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import Yard, wait_until

Make = Callable[..., Robot]


def test_time_passes_as_the_clock_of_a_simulation_says(
    yard: Yard, robot: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hundred seconds there are five here."""
    monkeypatch.setenv("TREEC_ROS_ARGS", "-p use_sim_time:=true")
    one, is_over = robot(), threading.Event()
    clock = threading.Thread(target=one.run_clock, args=(20.0, is_over))
    clock.start()
    began = time.monotonic()
    try:
        assert yard.go(yard.tree("sequence:\n  - {wait: 100s}")).ok
    finally:
        is_over.set()
        clock.join()
    assert yard.outcome.seconds >= 100.0
    assert time.monotonic() - began < 60.0


def test_real_time_passes_while_nothing_happens(yard: Yard) -> None:
    began = time.monotonic()
    assert yard.go(yard.tree("wait: 300ms")).ok
    assert time.monotonic() - began >= 0.3


def test_jumps_of_the_clock_are_named_and_the_time_of_the_run_never_goes_back(
    yard: Yard, robot: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The simulation is reset, and later leaps: the run stands still, then follows."""
    monkeypatch.setenv("TREEC_ROS_ARGS", "-p use_sim_time:=true")
    one = robot()

    def tell_time() -> None:
        from builtin_interfaces.msg import Time
        from rosgraph_msgs.msg import Clock

        publisher = one.node.create_publisher(Clock, "/clock", 10)
        wait_until(publisher.get_subscription_count)
        wait_until(lambda: yard.run.runtime.environments.find_open("ros"))

        def has_come(second: int) -> bool:
            publisher.publish(Clock(clock=Time(sec=second)))  # of best effort: one may be lost
            return bool(yard.ros.now() == second)

        for second in (100, 101, 5, 6, 60):
            wait_until(lambda second=second: has_come(second))  # type: ignore[misc]

    assert yard.go(yard.tree("wait: 30s"), tell_time).ok
    assert yard.words == [
        "the time of /clock jumped back by 96.0 s: that of the run goes on",
        "the time of /clock jumped forward by 54.0 s, and that of the run",
    ]
    times = [record.t for record in yard.records]
    assert times == sorted(times)


def test_agents_act_in_environments_of_their_own(yard: Yard, robot: Make) -> None:
    """R2 is symbolic, and its two seconds are real beside a robot behind ROS."""
    yard.edit("yard.system.yaml", "{default: ros}", "{R1: ros, default: symbolic}")
    one = robot()
    tree = """
parallel:
  - {skill: drive, with: {agent: R1, place: gate}}
  - {skill: drive, with: {agent: R2, place: shed}}
"""
    assert yard.go(yard.tree(tree)).ok
    assert one.log == ["goal 5", "begins", "arrived"]
    assert sorted(map(str, yard.values("near"))) == ["gate", "shed"]
    assert yard.outcome.seconds >= 2.0
