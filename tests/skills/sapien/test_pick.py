"""In which order a thing's grasps are tried."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

pytest.importorskip("sapien")

from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.motion.frames import about, quaternion
from treec_sapien.skills.pick.sapien import in_turn

BUILT = SimpleNamespace(pose=lambda link=None: Pose((1.0, 2.0, 0.75)))
LYING = SimpleNamespace(pose=lambda link=None: Pose((1.0, 2.0, 0.75), (0.7071, 0.7071, 0.0, 0.0)))


def grasp(name: str, degrees: float) -> GraspPoint:
    """A hand that points so many degrees down from level."""
    turn = about(np.array([0.0, 1.0, 0.0]), np.radians(90 + degrees))
    w, x, y, z = (float(it) for it in quaternion(turn))
    return GraspPoint(name, (0.0, 0.0, 0.05), (w, x, y, z), 0.05, "body")


FRONT, SLANT, ABOVE = grasp("front", 0.0), grasp("slant", 30.0), grasp("above", 90.0)


def test_a_robot_that_drives_takes_things_from_the_side_first() -> None:
    all_of_them = (ABOVE, FRONT, SLANT)
    assert in_turn(BUILT, all_of_them, drives=True) == [[FRONT, SLANT], all_of_them]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("grasps", "drives"), [((ABOVE,), True), ((FRONT, SLANT), True), ((ABOVE, FRONT), False)]
)
def test_all_are_tried_at_once_where_none_is_better(
    grasps: tuple[GraspPoint, ...], drives: bool
) -> None:
    assert in_turn(BUILT, grasps, drives=drives) == [grasps]  # type: ignore[arg-type]


def test_what_lies_is_taken_as_it_lies() -> None:
    assert in_turn(LYING, (ABOVE, FRONT), drives=True) == [(ABOVE, FRONT)]  # type: ignore[arg-type]
