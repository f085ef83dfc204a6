from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec_sapien.bodies.make import axis
from treec_sapien.bodies.pose import Pose, Vector, frame, turn, yaw
from treec_sapien.bodies.scene import pose_of

number = st.floats(-3.0, 3.0)
angle = st.floats(-180.0, 180.0)
AXES: list[Vector] = [(1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]


def near(a: Vector, b: Vector) -> bool:
    return a == pytest.approx(b, abs=1e-9)


def test_yaw_is_anticlockwise_from_above() -> None:
    assert near(Pose((1.0, 0.0, 0.0), yaw(90)).apply((1.0, 0.0, 0.0)), (1.0, 1.0, 0.0))


@given(number, number, number, angle, angle)
def test_a_pose_and_its_inverse_are_nothing(
    x: float, y: float, z: float, a: float, b: float
) -> None:
    pose = Pose((x, y, z), yaw(a)) @ Pose((0.1, 0.2, 0.3), turn((1.0, 0.0, 0.0), b))
    assert near((pose @ pose.inverse()).apply((1.0, 2.0, 3.0)), (1.0, 2.0, 3.0))


@pytest.mark.parametrize("z", AXES)
@pytest.mark.parametrize("y", AXES)
def test_a_frame_has_the_axes_it_is_made_of(z: Vector, y: Vector) -> None:
    if any(a and b for a, b in zip(y, z, strict=True)):
        with pytest.raises(ValueError, match="parallel"):
            frame(z, y)
        return
    pose = Pose(q=frame(z, y))
    assert near(pose.axis(2), z)
    assert near(pose.axis(1), y)


@pytest.mark.parametrize("along", AXES)
def test_a_joint_lies_along_the_axis_it_is_given(along: Vector) -> None:
    assert near(Pose(q=axis(along)).axis(0), along)


def test_a_scenes_quaternion_is_scaled_to_length_one() -> None:
    assert pose_of({"pose": [1, 2, 3, 2, 0, 0, 0]}) == Pose((1.0, 2.0, 3.0))
    with pytest.raises(ValueError, match="of length 1, not 0"):
        pose_of({"pose": [1, 2, 3, 0, 0, 0, 0]})
