"""The middle and the heading of what is oblong from above, from one side of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.perception.support import shrunk
from treec_perception.files import CameraFile
from treec_perception.localizer_query import is_oblong, size_of
from treec_perception.pipeline.box_fit import fit_box
from treec_perception.pipeline.centre import drop_outliers, middle_of
from treec_perception.pipeline.occlusion import CoveredSides, covered_sides
from treec_perception.pipeline.segment import bounds, segment_by_depth, surface_below
from treec_perception.simulated import SimulatedCamera, StartStage
from treec_sapien.bodies.scene import read
from treec_sapien.view.start_picture import AtStart

TABLE = {"pose": [0.0, 0.0, 0.0], "body": {"kind": "table"}}
WALL = {"pose": [0.0, 0.5, 0.75], "body": {"kind": "packet", "size": [1.5, 0.1, 0.5]}}
BREAD = {"kind": "packet", "size": [0.07, 0.1, 0.12], "colour": "brown"}
CELERY = {"kind": "long_food", "length": 0.2, "thick": 0.045, "colour": "green"}


def off(body: dict[str, Any], yaw: float, eye: tuple[float, ...]) -> tuple[float, float]:
    """How far (m) the middle is off in a picture from there, as a rectangle and as a cylinder."""
    layout = read(
        {"table": TABLE, "wall": WALL, "it": {"pose": [0, 0, 0.75], "yaw": yaw, "body": body}}
    )
    size = size_of(layout.bodies["it"].body)
    about = {"eye": list(eye), "looks_at": [0.0, 0.0, 0.75 + size[2] / 2]}
    lens = {"fx": 440.0, "fy": 440.0, "cx": 320.0, "cy": 240.0}
    spec = CameraFile.model_validate(
        {"camera": "c", "about": "", "lens": lens, "range": [0.07, 4.0], "noise": {}, "pose": about}
    )
    stage = StartStage(AtStart(layout, {}))
    picture = SimulatedCamera(shrunk(spec, 2), stage).take(1)
    box = bounds(picture.mask("it"))
    assert box is not None
    assert picture.camera is not None
    assert picture.depth is not None
    mask = segment_by_depth(picture, box, max(size[:2]) + 0.03)
    points = drop_outliers(picture.points()[mask], 3.0)
    covered = covered_sides(picture.depth, mask)
    known = points, picture.camera.eye, size, surface_below(picture, box)
    found = [middle_of(*known, covered=covered, oblong=it) for it in (True, False)]
    one, other = (math.dist((it.point if it else (9, 9, 9))[:2], (0, 0)) for it in found)
    return one, other


@pytest.mark.parametrize(
    ("body", "yaw", "eye"),
    [
        (BREAD, 0.0, (0.0, -0.27, 0.83)),
        (BREAD, 12.0, (0.02, -0.27, 0.85)),
        (CELERY, 5.0, (0.03, -0.3, 0.84)),  # along it
        (CELERY, 40.0, (0.1, -0.5, 0.85)),
    ],
)
def test_the_sides_that_are_seen_say_where_the_middle_is(
    body: dict[str, Any], yaw: float, eye: tuple[float, ...]
) -> None:
    """A cylinder as large is seen to be as deep as it is wide."""
    fitted, as_cylinder = off(body, yaw, eye)
    assert fitted < 0.006
    assert as_cylinder > 0.009
    assert as_cylinder > 2 * fitted


@pytest.mark.parametrize("heading", [0.0, 0.4, 2.0])
def test_two_sides_say_how_it_is_turned(heading: float) -> None:
    rng = np.random.default_rng(0)
    x, y, z = rng.uniform((-0.05, -0.03, 0.75), (0.05, 0.03, 0.9), (600, 3)).T
    front = rng.random(600) < 0.6
    box = np.stack([np.where(front, x, 0.05), np.where(front, -0.03, y)], 1)
    turn = np.array(
        [[math.cos(heading), math.sin(heading)], [-math.sin(heading), math.cos(heading)]]
    )
    points = np.column_stack([box @ turn, z])
    eye = np.array([*(np.array([0.5, -0.8]) @ turn), 1.2])
    fit = fit_box(points, eye, (0.1, 0.06), (0.01, 0.01), CoveredSides())
    assert fit is not None
    assert math.hypot(fit.x, fit.y) < 0.002
    assert math.degrees(abs(fit.heading - heading)) < 1.5


def test_points_that_are_no_box_of_that_size_give_no_fit() -> None:
    points = np.random.default_rng(0).uniform((-0.2, -0.2, 0.75), (0.2, 0.2, 0.95), (300, 3))
    eye = np.array([0.0, -1.0, 1.2])
    assert fit_box(points, eye, (0.1, 0.06), (0.0, 0.0), CoveredSides()) is None


def test_packets_and_cucumbers_are_oblong_and_tins_and_bowls_are_not() -> None:
    kinds = [BREAD, CELERY, {"kind": "tin"}, {"kind": "bowl"}, {"kind": "ladle"}]
    layout = read({str(at): {"pose": [at, 0, 0], "body": it} for at, it in enumerate(kinds)})
    found = [is_oblong(layout.bodies[str(at)].body) for at in range(len(kinds))]
    assert found == [True, True, False, False, False]
