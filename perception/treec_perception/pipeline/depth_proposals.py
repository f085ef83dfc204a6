"""What stands out in a depth picture, whatever it is: boxes for things that a detector misses.

Level surfaces are taken away, and what is left falls into pieces where depth or colour jumps. A
piece is proposed if it is about as large as a thing that can be held.
"""

from __future__ import annotations

import numpy as np

from treec_perception.crops import Box
from treec_perception.picture import Picture
from treec_perception.pipeline.centre import Size
from treec_perception.pipeline.result import Vector
from treec_perception.pipeline.segment import ABOVE, BIN, TINT, Mask, in_two_bins, largest, tints
from treec_sapien.view.camera import Floats

JUMP = 0.02
"""Metres of depth between neighbouring pixels from which they belong to different pieces."""

SURFACE = 0.01
"""Share of the picture's pixels that the surfaces at one height have at least."""

LEVEL = 0.5
"""Slope (rise over run) up to which a place of the picture is level."""

PIXELS = 80
"""Pixels that a piece has at least."""

WIDE, HIGH = (0.02, 0.3), (0.02, 0.35)
"""Width and height (m) of things that can be held."""


def standing_pieces(picture: Picture, count: int) -> list[Box]:
    """Return boxes around the largest pieces, at most ``count``; none without depth and a pose."""
    if picture.depth is None or picture.camera is None:
        return []
    from scipy import ndimage

    points = picture.points()
    inner = (picture.depth > 0) & ~_on_surfaces(points, picture.depth > 0)
    inner &= ~_jumps(picture)
    labels, labelled = ndimage.label(ndimage.binary_opening(inner))
    boxes: list[tuple[int, Box]] = []
    for number, part in enumerate(ndimage.find_objects(labels, labelled), start=1):
        mine = labels[part] == number
        pixels = int(mine.sum())
        if pixels < PIXELS or not _may_be_held(points[part][mine]):
            continue
        rows, columns = part
        box = (columns.start - 1, rows.start - 1, columns.stop + 1, rows.stop + 1)
        boxes.append((pixels, (float(box[0]), float(box[1]), float(box[2]), float(box[3]))))
    boxes.sort(key=lambda it: -it[0])
    return [box for _, box in boxes[:count]]


def expected_box(picture: Picture, middle: Vector, size: Size) -> Box | None:
    """Return the box of a thing whose middle were here, if that is in the picture.

    Its heading is not known: it is taken to be as wide to all sides as at its narrowest.
    """
    camera = picture.camera
    if camera is None:
        return None
    column, row, metres = (float(it) for it in camera.pixels(np.array(middle)))
    if metres <= 0 or not (0 <= column < camera.width and 0 <= row < camera.height):
        return None
    angles = np.radians(np.arange(0, 360, 45))
    radius, up = min(size[:2]) / 2, size[2] / 2
    ring = np.stack([radius * np.cos(angles), radius * np.sin(angles)], 1)
    rim = np.array([[x, y, z] for z in (-up, up) for x, y in ring]) + np.array(middle)
    pixels = camera.pixels(rim)
    if (pixels[:, 2] <= 0).any():
        return None
    (left, top), (right, bottom) = pixels[:, :2].min(axis=0), pixels[:, :2].max(axis=0)
    return (float(left), float(top), float(right), float(bottom))


def _on_surfaces(points: Floats, known: Mask) -> Mask:
    """The pixels (height, width) of level surfaces: those at heights that many level ones have."""
    z = points[..., 2]
    down = np.diff(points, axis=0, append=points[-1:])
    run = np.hypot(down[..., 0], down[..., 1])
    level: Mask = known & (np.abs(down[..., 2]) < LEVEL * run)
    if not level.any():
        return level
    low = float(z[known].min())
    pairs = in_two_bins(z[level], low)
    on = np.zeros(known.shape, np.bool_)
    for at in np.flatnonzero(pairs > SURFACE * known.size):
        bottom = low + at * BIN
        on |= known & (z > bottom - ABOVE / 2) & (z < bottom + 2 * BIN + ABOVE / 2)
    return on


def _jumps(picture: Picture) -> Mask:
    """The pixels (height, width) beside a jump of depth or of colour, lit more or less."""
    assert picture.depth is not None
    tint, _ = tints(picture.colour)
    edges = np.zeros(picture.depth.shape, np.bool_)
    for axis in (0, 1):
        far = np.abs(np.diff(picture.depth, axis=axis)) > JUMP
        other = largest(np.abs(np.diff(tint, axis=axis + 1))) > TINT
        edges[: -1 if axis == 0 else None, : -1 if axis == 1 else None] |= far | other
    return edges


def _may_be_held(points: Floats) -> bool:
    """Whether points (n, 3) are about as wide and high as a thing that can be held."""
    spans = [float(np.ptp(np.percentile(points[:, axis], (3, 97)))) for axis in range(3)]
    wide = float(np.hypot(spans[0], spans[1]))
    return WIDE[0] < wide < WIDE[1] and HIGH[0] < spans[2] < HIGH[1]
