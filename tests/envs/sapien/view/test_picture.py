from __future__ import annotations

import numpy as np

from treec_sapien.bodies.pose import Pose
from treec_sapien.view.camera import Camera
from treec_sapien.view.picture import SUN, paint
from treec_sapien.view.raycast import Caster
from treec_sapien.view.solids import StageSolid

from .stages import BLUE, PANE, RED, poses, stage

CAMERA = Camera.looking((0.0, -2.0, 1.2), (0.0, 0.0, 0.2), (120, 90), 45.0)
BLOCK = StageSolid("box", 1, RED, half=(0.2, 0.2, 0.2))


def at(picture: np.ndarray, point: tuple[float, float, float]) -> np.ndarray:  # type: ignore[type-arg]
    """The colour where a point of the scene is."""
    x, y, _ = CAMERA.pixels(np.array(point))
    return picture[int(y), int(x)].astype(int)


def test_things_have_their_colours() -> None:
    picture = paint(CAMERA, Caster(stage(BLOCK)), poses(Pose((0, 0, 0.2))))
    red, green, blue = at(picture, (0.0, -0.1, 0.4))
    assert red > 2 * green
    assert red > 2 * blue


def test_the_floor_is_dark_in_the_shadow() -> None:
    picture = paint(CAMERA, Caster(stage(BLOCK)), poses(Pose((0, 0, 0.2))))
    x, y, _ = np.array((0.2, 0.0, 0.3)) - SUN / SUN[2] * 0.3  # where that corner's shadow falls
    assert at(picture, (x, y, 0.0)).sum() < 0.8 * at(picture, (-x, y, 0.0)).sum()


def test_the_side_towards_the_sun_is_lighter() -> None:
    left = StageSolid("box", 1, RED, half=(0.2, 0.2, 0.2))
    turned = Pose((0, 0, 0.2), (float(np.cos(np.pi / 8)), 0.0, 0.0, float(np.sin(np.pi / 8))))
    picture = paint(CAMERA, Caster(stage(left)), poses(turned))
    assert at(picture, (-0.14, -0.14, 0.2)).sum() > at(picture, (0.14, -0.14, 0.2)).sum() + 30


def test_one_sees_through_a_pane() -> None:
    pane = StageSolid("box", 2, PANE, half=(0.3, 0.01, 0.3))
    where = poses(Pose((0, 0, 0.2)), Pose((0, -0.4, 0.3)))
    plain = paint(CAMERA, Caster(stage(BLOCK)), where[:2])
    behind = paint(CAMERA, Caster(stage(BLOCK, pane)), where)
    wall = StageSolid("box", 2, BLUE, half=(0.3, 0.01, 0.3))
    hidden = paint(CAMERA, Caster(stage(BLOCK, wall)), where)
    point = (0.0, -0.2, 0.25)
    assert at(plain, point)[0] > at(behind, point)[0] > at(hidden, point)[0]


def test_smoothing_changes_edges_alone() -> None:
    caster, where = Caster(stage(BLOCK)), poses(Pose((0, 0, 0.2)))
    rough, fine = paint(CAMERA, caster, where, smooth=False), paint(CAMERA, caster, where)
    changed = (rough != fine).any(axis=2)
    assert 0 < changed.mean() < 0.2
    assert (at(rough, (0.0, -0.1, 0.4)) == at(fine, (0.0, -0.1, 0.4))).all()
    assert len(np.unique(fine.reshape(-1, 3), axis=0)) > len(
        np.unique(rough.reshape(-1, 3), axis=0)
    )


def test_it_is_the_same_twice() -> None:
    caster, where = Caster(stage(BLOCK)), poses(Pose((0, 0, 0.2)))
    assert (paint(CAMERA, caster, where) == paint(CAMERA, caster, where)).all()
