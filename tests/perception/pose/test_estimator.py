"""A pose estimator file, with a landmarker whose findings are given."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.perception.pose.support import PERSON, Sees, marks, picture
from treec_perception.default import POSE
from treec_perception.files import PoseEstimatorFile
from treec_perception.pose.estimator import NOBODY, PoseEstimator
from treec_perception.pose.joints import JointState
from treec_perception.pose.model_file import PoseModelError


def test_a_person_then_nobody() -> None:
    runs = PoseEstimator(POSE, Path(), Sees(marks(), None, None))
    first = runs.estimate(picture(time=0.0))
    assert first.found
    assert first.joints["left_wrist"].point == pytest.approx(PERSON["left_wrist"], abs=0.004)
    second = runs.estimate(picture(time=0.2))
    assert second.why == NOBODY
    assert second.joints["left_wrist"].state is JointState.kept
    third = runs.estimate(picture(time=0.9))
    assert not third.found
    assert {joint.state for joint in third.joints.values()} == {JointState.out_of_view}


def test_without_depth_there_are_pixels_alone() -> None:
    runs = PoseEstimator(POSE, Path(), Sees(marks()))
    found = runs.estimate(replace(picture(), depth=None))
    assert found.found
    assert all(joint.point is None for joint in found.joints.values())
    assert found.to_json()["joints"]["neck"]["pixel"] == pytest.approx([160.0, 80.0], abs=0.2)  # type: ignore[index]


def test_stages_may_be_left_out() -> None:
    only = PoseEstimatorFile.model_validate(
        {"pose_estimator": "x", "about": "x", "stages": [{"landmarks": {"visible": 0.95}}]}
    )
    found = PoseEstimator(only, Path(), Sees(marks())).estimate(picture())
    assert found.joints["neck"].state is JointState.occluded
    assert found.joints["neck"].point is None


def test_a_model_that_is_missing_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREEC_POSE_MODEL", str(tmp_path / "none.task"))
    with pytest.raises(
        PoseModelError, match="'treec perception weights --fetch pose' downloads it"
    ):
        PoseEstimator(POSE, tmp_path)
    own = PoseEstimatorFile.model_validate(
        {"pose_estimator": "x", "about": "x", "stages": [{"landmarks": {"model": "my.task"}}]}
    )
    with pytest.raises(PoseModelError, match=r"no task file '.*my\.task'"):
        PoseEstimator(own, tmp_path)
