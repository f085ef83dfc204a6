"""A view that casts what stays only once shows what a view shows that casts everything anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Camera
from treec_sapien.view.rays import RayView
from treec_sapien.view.solids import SolidStage, StageSolid, as_array
from treec_sapien.view.static_camera import SteadyView

STAGE = SolidStage(
    (("ground", "floor"), ("box", "body"), ("ball", "body"), ("egg", "body")),
    (
        StageSolid("plane", 0, (0.9, 0.9, 0.9, 1.0)),
        StageSolid("box", 1, (0.2, 0.4, 0.8, 1.0), Pose(), (0.2, 0.3, 0.2)),
        StageSolid("sphere", 2, (0.8, 0.2, 0.2, 1.0), Pose(), (0.1, 0.1, 0.1)),
        StageSolid("ellipsoid", 3, (0.2, 0.8, 0.2, 1.0), Pose(), (0.1, 0.05, 0.15)),
    ),
)
CAMERA = Camera.looking((1.5, -1.0, 1.2), (0.0, 0.0, 0.2), (96, 72))
ASIDE = Camera.looking((-1.5, -1.0, 1.2), (0.0, 0.0, 0.2), (96, 72))


def poses(ball: float, egg: float = 0.4) -> npt.NDArray[np.float64]:
    """The box stays; the ball passes before it and behind, the egg is beside."""
    at = [Pose(), Pose((0.0, 0.0, 0.2)), Pose((0.0, ball, 0.5)), Pose((0.5, egg, 0.2))]
    return as_array(at)


def test_depth_and_things_are_those_of_a_view_that_casts_all() -> None:
    steady, every = SteadyView(STAGE), RayView(STAGE)
    ball_seen = set()
    for camera in (CAMERA, ASIDE, CAMERA):
        for ball in (-0.6, -0.3, 0.0, 0.3, 0.6):
            now = poses(ball)
            got, wanted = steady.picture(camera, now), every.picture(camera, now, smooth=False)
            assert np.array_equal(got.ids, wanted.ids)
            assert np.array_equal(got.depth, wanted.depth)
            ball_seen.add(int(got.mask("ball").sum()))
            assert got.rgb is not None
            assert wanted.rgb is not None
            other = (np.abs(got.rgb.astype(int) - wanted.rgb) > 2).any(axis=2)
            assert other.mean() < 0.03  # the ball throws no shadow on what stays
            assert not other[got.mask("egg")].any()
    assert len(ball_seen) > 2


def test_what_moves_later_does_not_stay_where_it_was() -> None:
    steady, every = SteadyView(STAGE), RayView(STAGE)
    for now in (poses(0.0), poses(0.3), poses(0.3, 0.0), poses(0.0, 0.4)):
        got = steady.picture(CAMERA, now)
        assert np.array_equal(got.ids, every.depth_and_segmentation(CAMERA, now).ids)


def test_where_everything_moves_nothing_is_kept() -> None:
    stage = SolidStage(
        STAGE.pieces[1:3], tuple(replace(it, piece=it.piece - 1) for it in STAGE.solids[1:3])
    )
    steady, every = SteadyView(stage), RayView(stage)
    for x in (0.0, 0.1, 0.2, 0.3):
        now = as_array([Pose((x, 0.0, 0.2)), Pose((x, 0.5, 0.3))])
        got = steady.picture(CAMERA, now)
        assert np.array_equal(got.depth, every.depth_and_segmentation(CAMERA, now).depth)
