from __future__ import annotations

import numpy as np
import pytest

from treec_sapien.bodies.pose import Pose
from treec_sapien.view.rays import RayView
from treec_sapien.view.solids import StageSolid
from treec_sapien.view.viewpoints import close_up, overview

from .stages import RED, poses, stage, table_and_door

STAGE, POSES = table_and_door()
VIEW = RayView(STAGE)

WALL = StageSolid("box", 1, RED, half=(0.6, 0.01, 0.5))
BALL = StageSolid("sphere", 2, RED, half=(0.04, 0.04, 0.04))


@pytest.mark.parametrize("turn", [-32.0, 0.0, 120.0])
def test_an_overview_just_sees_everything(turn: float) -> None:
    camera = overview(VIEW, POSES, (160, 120), turn)
    seen = camera.pixels(VIEW.corners(POSES))
    assert (seen[:, 2] > 0).all()
    low, high = seen[:, :2].min(axis=0), seen[:, :2].max(axis=0)
    assert (low >= 0).all()
    assert (high <= (160, 120)).all()
    assert ((high - low) / (160, 120)).max() > 0.85
    assert (low + high) / 2 == pytest.approx((80, 60))


def test_an_overview_is_taken_from_where_things_are_seen() -> None:
    view = RayView(stage(WALL, BALL))
    behind = poses(Pose((0, 0, 0.5)), Pose((0, 0.2, 0.04)))
    before = poses(Pose((0, 0, 0.5)), Pose((0, -0.2, 0.04)))
    for where in (before, behind):
        camera = overview(view, where, (160, 120))
        assert (view.depth_and_segmentation(camera, where).mask("b")).any()
    assert overview(view, before).eye[1] < 0 < overview(view, behind).eye[1]


def test_a_close_up_has_the_thing_in_its_middle() -> None:
    camera = close_up(VIEW, [POSES], ["ball"], (160, 120))
    assert camera.pixels(np.array([0.4, -0.3, 0.05]))[:2] == pytest.approx((80, 60))
    assert VIEW.depth_and_segmentation(camera, POSES).mask("ball").any()


def test_a_close_up_goes_where_nothing_hides_the_thing() -> None:
    view = RayView(stage(WALL, BALL))
    behind = poses(Pose((0, 0, 0.5)), Pose((0, 0.1, 0.3)))
    camera = close_up(view, [behind], ["b"], (160, 120))
    assert camera.eye[1] > 0
    assert view.depth_and_segmentation(camera, behind).mask("b").sum() > 20


def test_a_close_up_of_two_moments_sees_both() -> None:
    view = RayView(stage(WALL, BALL))
    moments = [poses(Pose((0, 0, 0.5)), Pose((x, -0.1, 0.1))) for x in (-0.5, 0.5)]
    camera = close_up(view, moments, ["b"], (160, 120))
    for where in moments:
        assert view.depth_and_segmentation(camera, where).mask("b").any()
