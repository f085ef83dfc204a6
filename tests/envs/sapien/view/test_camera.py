from __future__ import annotations

import numpy as np
import pytest

from treec_sapien.view.camera import Camera

CAMERA = Camera.looking((1.0, -2.0, 1.5), (0.2, 0.1, 0.4), (160, 120), 45.0)


def test_what_it_looks_at_is_in_the_middle() -> None:
    x, y, depth = CAMERA.pixels(np.array([0.2, 0.1, 0.4]))
    assert (x, y) == pytest.approx((80.0, 60.0))
    assert depth == pytest.approx(np.linalg.norm([0.8, 2.1, 1.1]))


def test_x_goes_right_and_y_down() -> None:
    camera = Camera.looking((0, -2, 1), (0, 0, 1), (100, 100))
    x, y, _ = camera.pixels(np.array([0.1, 0.0, 1.2]))
    assert x > 50
    assert y < 50


def test_depth_is_along_the_optical_axis() -> None:
    camera = Camera.looking((0, -2, 1), (0, 0, 1), (100, 100))
    wall = camera.pixels(np.array([[0.0, 1.0, 1.0], [0.9, 1.0, 0.3]]))
    assert wall[:, 2] == pytest.approx([3.0, 3.0])


def test_rays_go_where_pixels_come_from() -> None:
    rng = np.random.default_rng(3)
    x, y, depth = rng.uniform(0, 160, 50), rng.uniform(0, 120, 50), rng.uniform(0.2, 5, 50)
    points = CAMERA.eye + CAMERA.towards(x, y) * depth[:, None]
    assert CAMERA.pixels(points) == pytest.approx(np.column_stack([x, y, depth]))


def test_a_depth_picture_becomes_points() -> None:
    points = CAMERA.points(np.full((120, 160), 2.0, np.float32))
    assert points.shape == (120, 160, 3)
    assert CAMERA.pixels(points[7, 31]) == pytest.approx((31.5, 7.5, 2.0))


def test_scaled_it_sees_the_same() -> None:
    point = np.array([0.3, 0.2, 0.5])
    assert CAMERA.resize(0.5).pixels(point)[:2] == pytest.approx(CAMERA.pixels(point)[:2] / 2)
    assert (CAMERA.resize(0.5).width, CAMERA.resize(0.5).height) == (80, 60)


def test_it_may_look_straight_down() -> None:
    camera = Camera.looking((0, 0, 3), (0, 0, 0), (64, 64))
    x, y, depth = camera.pixels(np.array([0.2, 0.3, 1.0]))
    assert x > 32
    assert y < 32, "away from somebody who stands at the front is up"
    assert depth == pytest.approx(2.0)
