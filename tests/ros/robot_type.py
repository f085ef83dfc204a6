"""The type of robots, for modules that are also collected where there is no ROS."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tests.ros.robot import Robot as Robot
else:
    Robot = Any
