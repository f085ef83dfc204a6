from __future__ import annotations

import numpy as np
import pytest

from treec_sapien.view.camera import Camera
from treec_sapien.view.rays import RayView

from .stages import table_and_door

STAGE, POSES = table_and_door()
VIEW = RayView(STAGE)
CAMERA = Camera.looking((1.2, -2.0, 1.4), (0.0, 0.0, 0.4), (96, 72), 50.0)


def test_every_thing_has_a_number_and_a_name() -> None:
    seen = VIEW.depth_and_segmentation(CAMERA, POSES)
    assert seen.how == "ray cast"
    assert seen.depth.shape == seen.ids.shape == (72, 96)
    assert seen.names == {0: "", 1: "ground", 2: "box", 3: "ball", 4: "hatch"}
    shown = {seen.names[number] for number in np.unique(seen.ids)}
    assert {"ground", "box", "ball", "hatch"} <= shown


def test_a_part_is_a_thing_of_its_own() -> None:
    seen = VIEW.depth_and_segmentation(CAMERA, POSES)
    points = CAMERA.points(seen.depth)[seen.mask("hatch")]
    assert points[:, 1].max() < -0.19, "the door is at the front of its box"
    assert not (seen.mask("hatch") & seen.mask("box")).any()


def test_nothing_has_no_depth() -> None:
    up = Camera.looking((0, -2, 1), (0, -1, 3), (16, 12))
    seen = VIEW.depth_and_segmentation(up, POSES)
    assert not np.isfinite(seen.depth).any()
    assert not seen.ids.any()


def test_what_is_not_there_cannot_be_masked() -> None:
    with pytest.raises(KeyError):
        VIEW.depth_and_segmentation(CAMERA, POSES).mask("fridge")


def test_the_picture_comes_with_the_same_depth() -> None:
    plain, shaded = VIEW.depth_and_segmentation(CAMERA, POSES), VIEW.picture(CAMERA, POSES)
    assert shaded.rgb is not None
    assert shaded.rgb.shape == (72, 96, 3)
    assert (shaded.depth == plain.depth).all()
    assert plain.rgb is None


def test_what_moves_is_seen_where_it_is() -> None:
    moved = POSES.copy()
    moved[3, :3] = (0.7, -0.3, 0.05)
    ball = VIEW.depth_and_segmentation(CAMERA, moved).mask("ball")
    points = CAMERA.points(VIEW.depth_and_segmentation(CAMERA, moved).depth)[ball]
    assert np.linalg.norm(points - (0.7, -0.3, 0.05), axis=1) == pytest.approx(0.05, abs=1e-5)


def test_corners_are_of_what_is_asked_for() -> None:
    corners = VIEW.corners(POSES, ["ball"])
    assert corners.min(axis=0) == pytest.approx((0.35, -0.35, 0.0))
    assert corners.max(axis=0) == pytest.approx((0.45, -0.25, 0.1))
    assert VIEW.corners(POSES).max(axis=0)[2] == pytest.approx(1.0)
    with pytest.raises(ValueError, match="no part of fridge is visible"):
        VIEW.corners(POSES, ["fridge"])
