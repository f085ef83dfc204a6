"""One person's joints from several cameras."""

from __future__ import annotations

import numpy as np
import pytest

from treec_perception.pose.combine import combine
from treec_perception.pose.joints import JOINTS, BodyJoint, JointState
from treec_sapien.bodies.pose import Vector
from treec_sapien.view.camera import Camera

TRUE: dict[str, Vector] = {
    "left_shoulder": (0.0, 0.2, 1.4),
    "right_shoulder": (0.0, -0.2, 1.4),
    "left_elbow": (0.1, 0.3, 1.1),
    "right_elbow": (0.1, -0.3, 1.1),
    "left_wrist": (0.3, 0.25, 1.1),
    "right_wrist": (0.3, -0.25, 1.1),
}
LEFT = Camera.looking((2.0, 1.5, 1.6), (0.0, 0.0, 1.2))
RIGHT = Camera.looking((2.0, -1.5, 1.6), (0.0, 0.0, 1.2))


def seen(camera: Camera, **other: BodyJoint | Vector) -> dict[str, BodyJoint]:
    """The joints as a camera finds them; ``other`` are joints, or points that depth shows."""
    found = {"neck": BodyJoint(JointState.seen)}
    for name, point in TRUE.items():
        x, y, _ = camera.pixels(np.array(point))
        pixel = (float(x), float(y))
        given = other.get(name)
        if isinstance(given, BodyJoint):
            found[name] = BodyJoint(given.state, given.point, pixel, given.visibility)
        else:
            found[name] = BodyJoint(JointState.seen, given or point, pixel, 0.9)
    return found


def near(camera: Camera, name: str, before: float) -> Vector:
    """What hides a joint from a camera, so far (m) before it."""
    eye, point = camera.eye, np.array(TRUE[name])
    ray = (point - eye) / np.linalg.norm(point - eye)
    x, y, z = point - before * ray
    return (float(x), float(y), float(z))


def test_the_points_of_cameras_that_agree_are_averaged() -> None:
    looks = [
        (seen(LEFT, left_wrist=(0.31, 0.25, 1.1)), LEFT),
        (seen(RIGHT, left_wrist=(0.29, 0.25, 1.1)), RIGHT),
    ]
    joints = combine(looks)
    assert joints[JOINTS.index("left_wrist")] == pytest.approx((0.30, 0.25, 1.1), abs=0.002)
    assert joints[0] == pytest.approx((0.0, 0.0, 1.4))


def test_the_mean_does_not_jump_where_cameras_agree_less_and_less() -> None:
    at = []
    for apart in np.arange(0.0, 0.3, 0.005):
        nearer = near(RIGHT, "left_wrist", float(apart))
        looks = [(seen(LEFT), LEFT), (seen(RIGHT, left_wrist=nearer), RIGHT)]
        at.append(combine(looks)[JOINTS.index("left_wrist")])
    steps = np.linalg.norm(np.diff(at, axis=0), axis=1)
    assert steps.max() < 0.005
    assert np.linalg.norm(at[-1] - np.array(TRUE["left_wrist"])) < 1e-3


def test_what_hides_a_joint_from_one_camera_is_not_taken_for_it() -> None:
    hider = near(RIGHT, "left_shoulder", 0.25)
    for looks in (
        [(seen(RIGHT, left_shoulder=hider), RIGHT), (seen(LEFT), LEFT)],
        [(seen(LEFT), LEFT), (seen(RIGHT, left_shoulder=hider), RIGHT)],
    ):
        at = combine(looks)[JOINTS.index("left_shoulder")]
        assert at == pytest.approx(TRUE["left_shoulder"], abs=1e-6)
    alone = combine([(seen(RIGHT, left_shoulder=hider), RIGHT)])
    assert alone[JOINTS.index("left_shoulder")] == pytest.approx(hider)


def test_joints_that_no_camera_sees_have_no_place() -> None:
    hidden = BodyJoint(JointState.occluded, None, None, 0.1)
    kept = BodyJoint(JointState.kept, (9.0, 9.0, 9.0), None, 0.1)
    looks = [
        (seen(LEFT, left_wrist=hidden, right_shoulder=kept), LEFT),
        (seen(RIGHT, left_wrist=hidden, right_shoulder=hidden), RIGHT),
    ]
    joints = combine(looks)
    assert np.isnan(joints[JOINTS.index("left_wrist")]).all()
    assert np.isnan(joints[JOINTS.index("right_shoulder")]).all()
    assert np.isnan(joints[0]).all()  # the neck is between the shoulders
    assert not np.isnan(joints[JOINTS.index("right_wrist")]).any()
    assert np.isnan(combine([])).all()
