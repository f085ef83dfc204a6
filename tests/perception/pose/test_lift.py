"""From landmarks to joints in the scene."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.perception.pose.support import NECK, PERSON, marks, picture
from treec_perception.pose.joints import JOINTS, JointState
from treec_perception.pose.landmarker import Landmark
from treec_perception.pose.lift import in_picture, lift
from treec_perception.stages import LiftStage

LIFT = LiftStage.model_validate({})


def test_joints_come_back_where_they_are() -> None:
    found = lift(in_picture(marks(), picture(), 0.5), picture(), LIFT)
    assert list(found) == list(JOINTS)
    for name, point in {**PERSON, "neck": NECK}.items():
        assert found[name].state is JointState.seen
        assert found[name].point == pytest.approx(point, abs=0.004), name


def test_out_of_view_and_occluded_are_told() -> None:
    there = marks(left_elbow=0.2)
    there["right_wrist"] = Landmark(-3.0, 100.0, 0.9)
    found = lift(in_picture(there, picture(), 0.5), picture(), LIFT)
    assert found["left_elbow"].state is JointState.occluded
    assert found["left_elbow"].point is None
    assert found["left_elbow"].pixel is not None
    assert found["right_wrist"].state is JointState.out_of_view
    assert found["right_wrist"].pixel is None
    assert found["left_wrist"].state is JointState.seen


@pytest.mark.parametrize("shoulder", ["left_shoulder", "right_shoulder"])
def test_the_neck_needs_both_shoulders(shoulder: str) -> None:
    found = lift(in_picture(marks(**{shoulder: 0.1}), picture(), 0.5), picture(), LIFT)
    assert found["neck"].state is JointState.occluded
    assert found["neck"].point is None


def test_a_joint_without_depth_is_occluded() -> None:
    seen = picture()
    assert seen.depth is not None
    x, y = marks()["left_wrist"].x, marks()["left_wrist"].y
    seen.depth[int(y) - 6 : int(y) + 7, int(x) - 6 : int(x) + 7] = 0.0
    found = lift(in_picture(marks(), seen, 0.5), seen, LIFT)
    assert found["left_wrist"].state is JointState.occluded
    assert found["right_wrist"].state is JointState.seen


def test_lost_pixels_do_not_count() -> None:
    seen = picture()
    assert seen.depth is not None
    rng = np.random.default_rng(3)
    seen.depth[rng.random(seen.depth.shape) < 0.6] = 0.0
    found = lift(in_picture(marks(), seen, 0.5), seen, LIFT)
    for name, point in PERSON.items():
        assert found[name].point == pytest.approx(point, abs=0.004), name


def test_the_wall_behind_a_thin_wrist_is_an_outlier() -> None:
    person = {**PERSON}
    seen = picture({name: at for name, at in person.items() if name != "left_wrist"})
    found = lift(in_picture(marks(), seen, 0.5), seen, LIFT)  # 1.5 m behind the elbow
    assert found["left_wrist"].state is JointState.outlier
    assert found["left_wrist"].point is None


def test_a_picture_without_depth_cannot_be_lifted() -> None:
    flat = replace(picture(), depth=None)
    with pytest.raises(ValueError, match="'front' has no depth"):
        lift(in_picture(marks(), flat, 0.5), flat, LIFT)


def test_bones_are_beneath_the_skin() -> None:
    found = lift(in_picture(marks(), picture(), 0.5), picture(), LiftStage(to_bone=True))
    skin = lift(in_picture(marks(), picture(), 0.5), picture(), LiftStage())
    for name, beneath in (("left_shoulder", 0.05), ("right_elbow", 0.045), ("left_wrist", 0.03)):
        at, before = found[name].point, skin[name].point
        assert at is not None
        assert before is not None
        assert np.linalg.norm(np.subtract(at, before)) == pytest.approx(beneath)
        assert np.linalg.norm(at) == pytest.approx(np.linalg.norm(before) + beneath)  # on the ray
