"""Camera placement: over a whole scene, or close to a thing so that nothing hides it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import product

import numpy as np

from treec_sapien.view.camera import Camera, Floats
from treec_sapien.view.rays import RayView

TURN, TILT = -32.0, 30.0
"""Default direction of an overview: degrees to the right of the front, and down."""

ANGLE = 34.0
"""Vertical field of view in degrees: a long lens distorts little."""

_ROUND = (TURN, -TURN, -70.0, 70.0, -150.0, 150.0)
_ENOUGH = 25
"""Pixels that suffice to see a thing, in a picture of twice the probe's size."""
_TURNS = (-35.0, 35.0, -75.0, 75.0, 0.0, -125.0, 125.0, 180.0)
_TILTS = (28.0, 50.0)
_ASIDE = 0.3
"""Weight of seeing the robot and other things beside the thing in question."""
_PROBE = 64
"""Width in pixels of the picture in which visibility is tested."""


def overview(
    view: RayView,
    poses: Floats,
    size: tuple[int, int] = (320, 240),
    turn: float | None = None,
    tilt: float = TILT,
) -> Camera:
    """Return a camera that just fits everything standing on the ground.

    ``turn`` is degrees from the front to the right; None picks the direction showing most things.
    """
    if turn is not None:
        return _around(view.corners(poses), turn, tilt, size)
    best, most = None, 0
    for turn in _ROUND:
        camera = _around(view.corners(poses), turn, tilt, size)
        ids = view.depth_and_segmentation(camera.resize(2 * _PROBE / size[0]), poses).ids
        pixels = int(np.minimum(np.bincount(ids.ravel())[2:], _ENOUGH).sum())
        if best is None or pixels > 1.1 * most:
            best, most = camera, pixels
    assert best is not None
    return best


def close_up(
    view: RayView,
    moments: Sequence[Floats],
    things: Sequence[str],
    size: tuple[int, int],
    least: float = 0.5,
    by: str = "",
) -> Camera:
    """Return a camera close to some things, from where the first is best seen at these moments.

    What is within ``least`` metres of their middle is in the picture, more if they are large or
    move far. ``moments`` are the pieces' poses at each; seeing the robot ``by`` and other things
    counts, too. Raises ValueError if nothing of them is visible.
    """
    corners = np.concatenate([view.corners(poses, things) for poses in moments])
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    radius = max(least, float(np.linalg.norm(corners - middle, axis=1).max()) * 1.1)
    out = radius / math.tan(math.radians(ANGLE) / 2)
    names = view.stage.things
    target = names.index(things[0])
    doer = names.index(by) if by in names else 0
    best, most = _from(middle, out, TURN, TILT, size), 0.0
    for tilt, turn in product(_TILTS, _TURNS):
        camera = _from(middle, out, turn, tilt, size)
        probe = camera.resize(_PROBE / size[0])
        score = 0.0
        for poses in moments:  # rather a little of it at each moment than much at one
            counts = np.bincount(
                view.depth_and_segmentation(probe, poses).ids.ravel(), minlength=len(names)
            )
            aside = np.sqrt(counts[doer]) * (doer > 0) + (counts > 1).sum()
            score += float(np.sqrt(counts[target]) + _ASIDE * aside)
        if score > 1.1 * most:  # the usual view, unless another is clearly better
            best, most = camera, score
    return best


def _around(points: Floats, turn: float, tilt: float, size: tuple[int, int]) -> Camera:
    """A camera that just fits some points."""
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    near, far = 0.1, 60.0
    for _ in range(24):
        out = (near + far) / 2
        if _sees(_from(middle, out, turn, tilt, size), points):
            far = out
        else:
            near = out
    camera = _from(middle, far, turn, tilt, size)
    pixels = camera.pixels(points)[:, :2]
    x, y = np.array(size) / 2 - (pixels.min(axis=0) + pixels.max(axis=0)) / 2
    return camera.shift(float(x), float(y))


def _sees(camera: Camera, points: Floats) -> bool:
    pixels = camera.pixels(points)
    if (pixels[:, 2] < 0.1).any():
        return False
    low, high = pixels[:, :2].min(axis=0), pixels[:, :2].max(axis=0)
    return bool(((high - low) < 0.94 * np.array([camera.width, camera.height])).all())


def _from(middle: Floats, out: float, turn: float, tilt: float, size: tuple[int, int]) -> Camera:
    a, b = math.radians(turn), math.radians(tilt)
    back = np.array([math.sin(a) * math.cos(b), -math.cos(a) * math.cos(b), math.sin(b)])
    return Camera.looking(middle + out * back, middle, size, ANGLE)
