"""Tests against real ROS 2: `make test-ros` runs them where it is installed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.ros.robot import Robot

from tests.ros.support import Yard, new_domain

os.environ["ROS_AUTOMATIC_DISCOVERY_RANGE"] = "LOCALHOST"


@pytest.fixture
def ros() -> None:
    """Skip where there is no ROS 2."""
    if find_spec("rclpy") is None:
        pytest.skip("rclpy is not installed here: `make test-ros` runs this test")


@pytest.fixture
def yard(ros: None, tmp_path: Path) -> Yard:
    return Yard(tmp_path, new_domain())


@pytest.fixture
def robot(yard: Yard) -> Iterator[Callable[..., Robot]]:
    """Make a robot in this process, in the yard's domain."""
    from tests.ros.robot import Robot

    made: list[Any] = []

    def make(name: str = "R1", behaviour: str = "good") -> Robot:
        made.append(Robot(name, behaviour, yard.domain))
        return made[-1]

    yield make
    for one in made:
        one.close()
