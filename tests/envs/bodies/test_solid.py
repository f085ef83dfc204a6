from __future__ import annotations

import pytest

from treec_sapien.bodies.pose import Pose, Vector, turn, yaw
from treec_sapien.bodies.solid import WorldSolid, depth, solid
from treec_sapien.bodies.spec import Shape

BOX = Shape("box", half_size=(0.1, 0.2, 0.3))
POST = Shape("cylinder", radius=0.1, half_length=0.3)
BALL = Shape("sphere", radius=0.1)
FLAT = turn((1.0, 0.0, 0.0), 90)


def at(shape: Shape, p: Vector, q: tuple[float, float, float, float] = (1, 0, 0, 0)) -> WorldSolid:
    return solid(shape, Pose(p, q))


@pytest.mark.parametrize(
    ("a", "b", "deep"),
    [
        (at(BOX, (0, 0, 0)), at(BOX, (0.19, 0, 0)), 0.01),
        (at(BOX, (0, 0, 0)), at(BOX, (0.15, 0.3, 0.0)), 0.05),
        (at(BOX, (0, 0, 0)), at(BOX, (0.29, 0, 0), yaw(90)), 0.01),
        (at(BOX, (0, 0, 0)), at(POST, (0.19, 0, 0)), 0.01),
        (at(POST, (0, 0, 0)), at(POST, (0.12, 0.12, 0.1)), 0.2 - 0.12 * 2**0.5),
        (at(POST, (0, 0, 0)), at(BALL, (0, 0.19, 0.1)), 0.01),
        (at(BALL, (0, 0, 0)), at(BALL, (0, 0, 0.19)), 0.01),
        (at(POST, (0, 0, 0)), at(POST, (0.19, 0, 0), FLAT), 0.01),
    ],
)
def test_depth_is_how_far_one_is_in_the_other(a: WorldSolid, b: WorldSolid, deep: float) -> None:
    assert depth(a, b)[0] == pytest.approx(deep, abs=1e-6)
    assert depth(b, a)[0] == pytest.approx(deep, abs=1e-6)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (at(BOX, (0, 0, 0)), at(BOX, (0.21, 0, 0))),
        (at(BOX, (0, 0, 0)), at(BOX, (0.24, 0.34, 0), yaw(45))),  # only their boxes overlap
        (at(POST, (0, 0, 0)), at(POST, (0.15, 0.15, 0))),
        (at(BOX, (0, 0, 0)), at(POST, (0.18, 0.28, 0))),
        (at(BOX, (0, 0, 0)), at(BALL, (0.18, 0.28, 0))),
        (at(POST, (0, 0, 0)), at(BALL, (0.15, 0.15, 0.38))),
        (at(POST, (0, 0, 0)), at(POST, (0, 0.15, 0.45), FLAT)),
    ],
)
def test_what_is_apart_at_corners_is_apart(a: WorldSolid, b: WorldSolid) -> None:
    assert depth(a, b)[0] < 0
    assert depth(b, a)[0] < 0
