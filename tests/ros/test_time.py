"""Time is real, or that of `/clock`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

from tests.ros.robot_type import Robot
from tests.ros.support import Yard

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
