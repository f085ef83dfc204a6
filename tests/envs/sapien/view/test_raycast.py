from __future__ import annotations

import numpy as np
import pytest

from treec_sapien.bodies.pose import Pose, turn
from treec_sapien.view import raycast
from treec_sapien.view.bins import Bins, Ints
from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.raycast import Caster, Hits, PlacedSolids, planes
from treec_sapien.view.solids import StageSolid

from .stages import CUBE, PANE, RED, SIDES, poses, stage, tumbled

SOLIDS = {
    "box": StageSolid("box", 1, RED, half=(0.1, 0.15, 0.2)),
    "cylinder": StageSolid("cylinder", 1, RED, half=(0.1, 0.1, 0.2)),
    "sphere": StageSolid("sphere", 1, RED, half=(0.15, 0.15, 0.15)),
    "hull": StageSolid("hull", 1, RED, corners=CUBE, faces=SIDES),
}
FRONT = {"box": 0.15, "cylinder": 0.1, "sphere": 0.15, "hull": 0.1}
"""How far each reaches towards somebody at the front."""

CAMERA = Camera.looking((0.0, -2.0, 0.6), (0.0, 0.0, 0.6), (80, 60), 40.0)


def all_hits(camera: Camera, *solids: StageSolid, at: Floats) -> tuple[Hits, Floats, Floats]:
    """What the camera's pixels hit, the points and the normals there."""
    placed = Caster(stage(*solids)).place(at)
    y, x = (np.mgrid[0 : camera.height, 0 : camera.width] + 0.5).reshape(2, -1)
    looked = placed.look(camera, x, y)
    hits = looked.first()
    which, points = looked.points(hits)
    return hits, points, placed.normals(points, hits.solid[which])


@pytest.mark.parametrize("kind", SOLIDS)
def test_a_solid_is_as_deep_as_it_is(kind: str) -> None:
    at = poses(Pose((0.0, 0.0, 0.6)))
    hits, _, _ = all_hits(CAMERA, SOLIDS[kind], at=at)
    middle = hits.far.reshape(60, 80)[30, 40]
    assert middle == pytest.approx(2.0 - FRONT[kind], abs=1e-3)
    assert (hits.solid == 1).any()


@pytest.mark.parametrize("kind", SOLIDS)
@pytest.mark.parametrize("seed", range(3))
def test_points_are_on_the_surface_and_normals_face_the_eye(kind: str, seed: int) -> None:
    pose = tumbled(seed)
    hits, points, normals = all_hits(CAMERA, SOLIDS[kind], at=poses(pose))
    mine = hits.solid[hits.solid >= 0] == 1
    assert mine.sum() > 20
    inverse = pose.inverse()
    for point, normal in zip(points[mine][::7], normals[mine][::7], strict=True):
        x, y, z = inverse.apply((point[0], point[1], point[2]))
        assert distance(kind, x, y, z) == pytest.approx(0.0, abs=1e-5)
        nx, ny, nz = normal
        outside = inverse.apply((point[0] + nx / 100, point[1] + ny / 100, point[2] + nz / 100))
        assert distance(kind, *outside) == pytest.approx(0.01, abs=1e-4)
        assert normal @ (CAMERA.eye - point) > 0


def distance(kind: str, x: float, y: float, z: float) -> float:
    """How far a point is from a solid's surface; exact across its faces."""
    if kind == "sphere":
        return float(np.linalg.norm((x, y, z))) - 0.15
    if kind == "cylinder":
        return max(float(np.hypot(x, y)) - 0.1, abs(z) - 0.2)
    a, b, c = (0.1, 0.15, 0.2) if kind == "box" else (0.1, 0.1, 0.1)
    return max(abs(x) - a, abs(y) - b, abs(z) - c)


def test_the_nearer_of_two_hides_the_other() -> None:
    at = poses(Pose((0.0, 0.0, 0.6)), Pose((0.0, 0.5, 0.6)))
    ball = StageSolid("sphere", 2, RED, half=(0.05, 0.05, 0.05))
    hits, _, _ = all_hits(CAMERA, SOLIDS["box"], ball, at=at)
    assert set(hits.solid[hits.solid > 0]) == {1}
    hits, _, _ = all_hits(CAMERA, ball, SOLIDS["box"], at=at)
    assert set(hits.solid[hits.solid > 0]) == {1, 2}


def test_the_floor_is_where_it_is_and_the_sky_is_nothing() -> None:
    hits, points, _ = all_hits(CAMERA, SOLIDS["box"], at=poses(Pose((9.0, 0.0, 0.6))))
    floor = hits.solid[hits.solid >= 0] == 0
    assert points[floor][:, 2] == pytest.approx(0.0, abs=1e-9)
    assert not np.isfinite(hits.far.reshape(60, 80)[0]).any()


def test_what_is_behind_the_camera_is_not_seen() -> None:
    hits, _, _ = all_hits(CAMERA, SOLIDS["box"], at=poses(Pose((0.0, -2.5, 0.6))))
    assert not (hits.solid == 1).any()


def test_what_reaches_behind_the_camera_is_seen_before_it() -> None:
    beam = StageSolid("box", 1, RED, half=(0.05, 3.0, 0.05))
    hits, _, _ = all_hits(CAMERA, beam, at=poses(Pose((0.3, 0.0, 0.4))))
    assert (hits.solid == 1).sum() > 20


def test_no_ray_is_tried_on_what_is_beside_the_picture_and_reaches_behind_the_camera(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A cupboard beside a camera took nine tenths of a picture's time."""
    tried: list[set[int]] = []
    meet = PlacedSolids._meet_from

    def spy(self: PlacedSolids, start: Floats, rays: Floats, whose: Ints) -> Floats:
        tried.append(set(whose.tolist()))
        return meet(self, start, rays, whose)

    monkeypatch.setattr(PlacedSolids, "_meet_from", spy)
    beam = StageSolid("box", 1, RED, half=(0.05, 3.0, 0.05))
    for x, z in ((3.0, 0.6), (-3.0, 0.6), (0.0, 3.1), (0.0, -2.0)):
        all_hits(CAMERA, beam, at=poses(Pose((x, 0.0, z))))
    at = poses(Pose((0.3, 0.0, 0.4), turn((0.0, 0.0, 1.0), 45.0)))
    hits, _, _ = all_hits(CAMERA, beam, at=at)  # it goes through the picture's edge
    assert tried == [{0}] * 4 + [{0, 1}]
    assert (hits.solid == 1).any()


@pytest.mark.parametrize("seed", range(4))
def test_the_same_is_hit_as_where_every_solid_is_tried(
    monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    beams = [StageSolid("box", 1, RED, half=tuple(rng.uniform(0.05, 2.0, 3))) for _ in range(7)]
    places = [Pose(tuple(rng.uniform(-3.0, 3.0, 3)), tumbled(10 * seed + k).q) for k in range(7)]
    hits, *_ = all_hits(CAMERA, *beams, at=poses(*places))
    monkeypatch.setattr(raycast, "_beyond_an_edge", lambda camera, corners: np.zeros(8, bool))
    whole, *_ = all_hits(CAMERA, *beams, at=poses(*places))
    assert np.array_equal(hits.far, whole.far)
    assert np.array_equal(hits.solid, whole.solid)


def test_what_is_under_a_lid_is_in_the_shade() -> None:
    lid = StageSolid("box", 1, RED, half=(0.2, 0.2, 0.01))
    placed = Caster(stage(lid)).place(poses(Pose((0.0, 0.0, 0.5))))
    points = np.array([[0.0, 0.0, 0.0], [0.5, 0.0, 0.0], [0.0, 0.0, 0.6], [0.19, -0.19, 0.2]])
    above = np.array([0.0, 0.0, 1.0])
    assert list(placed.in_shadow(points, above)) == [True, False, False, True]
    aslant = np.array([1.0, 0.0, 1.0]) / np.sqrt(2)  # the shadow falls towards -x
    moved = points - (0.5, 0.0, 0.0)
    assert list(placed.in_shadow(moved, aslant)) == [True, False, False, True]
    assert not placed.in_shadow(points, aslant).any()


@pytest.mark.parametrize("kind", SOLIDS)
def test_every_kind_throws_a_shadow_of_its_size(kind: str) -> None:
    placed = Caster(stage(SOLIDS[kind])).place(poses(Pose((0.0, 0.0, 1.0))))
    x, y = np.meshgrid(np.linspace(-0.3, 0.3, 61), np.linspace(-0.3, 0.3, 61))
    points = np.column_stack([x.ravel(), y.ravel(), np.zeros(x.size)])
    area = placed.in_shadow(points, np.array([0.0, 0.0, 1.0])).sum() * 0.01**2
    real = {"box": 0.06, "cylinder": np.pi * 0.01, "sphere": np.pi * 0.15**2, "hull": 0.04}[kind]
    assert area == pytest.approx(real, rel=0.12)


def test_glass_throws_no_shadow() -> None:
    pane = StageSolid("box", 1, PANE, half=(0.2, 0.2, 0.01))
    placed = Caster(stage(pane)).place(poses(Pose((0.0, 0.0, 0.5))))
    assert not placed.in_shadow(np.zeros((1, 3)), np.array([0.0, 0.0, 1.0])).any()


def test_a_cube_has_six_planes() -> None:
    normals, offsets = planes(SOLIDS["hull"])
    assert len(normals) == 6
    assert offsets == pytest.approx([0.1] * 6)
    assert np.abs(normals).sum(axis=1) == pytest.approx([1.0] * 6)


def test_a_rectangle_finds_the_rays_in_it() -> None:
    rng = np.random.default_rng(0)
    row, column = rng.integers(0, 7, 80), rng.integers(0, 9, 80)
    bins = Bins(row, column, (7, 9))
    rectangles = np.array([[0, 6, 0, 8], [2, 3, 4, 4], [5, 4, 0, 8], [6, 6, 8, 8]])
    whose, ray = bins.within(rectangles)
    assert list(whose) == sorted(whose)
    for at, (top, bottom, left, right) in enumerate(rectangles):
        inside = (row >= top) & (row <= bottom) & (column >= left) & (column <= right)
        assert sorted(ray[whose == at]) == list(np.flatnonzero(inside))


def test_corners_outside_the_grid_are_cut_off() -> None:
    bins = Bins(np.zeros(0, np.int64), np.zeros(0, np.int64), (5, 5))
    low = np.array([[-3.0, 1.2], [5.5, 0.0], [-4.0, 0.0]])
    high = np.array([[2.7, 99.0], [7.0, 2.0], [-1.5, 2.0]])
    first, beyond, before = bins.clip(low, high).tolist()
    assert first == [0, 2, 1, 4]
    assert beyond[1] < beyond[0]
    assert before[1] < before[0]


def test_a_turned_cylinder_is_hit_at_its_end() -> None:
    lying = Pose((0.0, 0.0, 0.6), turn((1.0, 0.0, 0.0), 90.0))
    hits, _, normals = all_hits(CAMERA, SOLIDS["cylinder"], at=poses(lying))
    assert hits.far.reshape(60, 80)[30, 40] == pytest.approx(1.8, abs=1e-6)
    mine = hits.solid[hits.solid >= 0] == 1
    assert normals[mine][:, 1].min() == pytest.approx(-1.0)
