"""Whether a picture shows what is behind a place, so that nothing stands there."""

from __future__ import annotations

import math

import numpy as np

from treec_perception.picture import Picture
from treec_perception.pipeline.centre import Size
from treec_sapien.bodies.pose import Vector

BEHIND = 0.02
"""Metres beyond a point of a thing at which a camera would see something else behind it."""

AROUND = 2
"""Pixels to each side whose median is the depth of a point."""

HEIGHTS = (0.0, 0.2, 0.4)
"""Points of a thing above its middle, as shares of its height."""


def sees_through(picture: Picture, middle: Vector, size: Size, *, hollow: bool = False) -> bool:
    """Whether depth shows what is behind a thing of this size whose middle were here.

    Into what is ``hollow`` one looks: behind it is what is beside all of it. Where something nearer
    hides the place, or depth is missing, nothing is known.
    """
    if picture.camera is None or picture.depth is None:
        return False
    x, y, z = middle
    points = np.array([[x, y, z + share * size[2]] for share in HEIGHTS])
    eye, around = picture.camera.eye[:2], math.hypot(*size[:2]) / 2 + BEHIND
    columns, rows, far = picture.camera.pixels(points).T
    for column, row, metres in zip(columns, rows, far, strict=True):
        if metres <= 0 or not (0 <= column < picture.camera.width):
            return False
        if not 0 <= row < picture.camera.height:
            return False
        top, left = max(0, int(row) - AROUND), max(0, int(column) - AROUND)
        patch = picture.depth[top : int(row) + AROUND + 1, left : int(column) + AROUND + 1]
        known = patch[patch > 0]
        seen = float(np.median(known)) if len(known) >= patch.size / 2 else 0.0
        if seen < metres + BEHIND:
            return False
        if hollow and (seen / metres - 1) * math.dist(eye, (x, y)) < around:
            return False
    return True
