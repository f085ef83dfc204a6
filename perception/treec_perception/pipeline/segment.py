"""The pixels of the thing in a box, from depth alone.

What is in the box is the thing, what it stands on, and what is behind it. The first is what is at
the depth of the box's middle, above the surface around the box, in one piece.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_perception.crops import Box
from treec_perception.picture import Picture
from treec_sapien.view.camera import Floats

Mask = npt.NDArray[np.bool_]

ABOVE = 0.008
"""Metres above a surface from which something belongs to what stands on it."""

BIN = 0.006
"""Height (m) of a bin of the histogram in which surfaces are peaks."""

RING = 0.35
"""Width of the ring around a box in which its surface is looked for, as a share of its size."""

TINT = 0.035
"""Difference of a colour's shares of red, green and blue up to which it is the same colour."""

SHARE = 0.18
"""Share of the ring's pixels that a surface has at least."""


def segment_by_depth(picture: Picture, box: Box, reach: float) -> Mask:
    """Return the pixels (height, width) of the thing in a box; none without depth there.

    ``reach`` is the size of a thing (m): what is nearer or farther than that from the middle is
    something else. A box may be too small: the thing goes on beyond it where depth and colour do.
    """
    if picture.depth is None:
        raise ValueError(f"the picture '{picture.name}' has no depth")
    x0, y0, x1, y1 = (round(it) for it in box)
    wide, high = x1 - x0 + 4, y1 - y0 + 4
    left, top = max(0, x0 - wide), max(0, y0 - 2 * high)
    part = picture.cut(left, top, x1 + wide, y1 + 2 * high)
    here = (box[0] - left, box[1] - top, box[2] - left, box[3] - top)
    mask = _grow(part, here, reach, surface_below(part, here))
    whole = bounds(mask)
    if whole is not None:
        again = surface_below(part, whole)  # the box may have ended above the surface
        mask = mask if again is None else _grow(part, here, reach, again)
    full = np.zeros(picture.depth.shape, np.bool_)
    full[top : top + mask.shape[0], left : left + mask.shape[1]] = mask
    return full


def bounds(mask: Mask) -> Box | None:
    """Return the box around a mask; None if it is empty."""
    y, x = np.nonzero(mask)
    if not len(x):
        return None
    return (float(x.min()), float(y.min()), float(x.max() + 1), float(y.max() + 1))


def _grow(picture: Picture, box: Box, reach: float, surface: float | None) -> Mask:
    """The piece at the depth of a box's middle, above a surface."""
    from scipy import ndimage

    depth = picture.depth
    assert depth is not None
    inside = _pixels(depth.shape, box)
    window = _pixels(depth.shape, _widened(box))
    there = window & (depth > 0)
    if surface is not None and picture.camera is not None:
        above = picture.points()[..., 2] > surface + ABOVE
        if (there & inside & above).sum() > 0.1 * (there & inside).sum():
            there &= above
    core = there & _pixels(depth.shape, _shrunk(box, 0.45))
    if not core.any():
        core = there & inside
    if not core.any():
        return np.zeros(depth.shape, np.bool_)
    middle = float(np.percentile(depth[core], 35))  # of two things in the middle the nearer one
    core &= np.abs(depth - middle) < reach
    alike = inside | _alike(picture.colour, core)
    near = there & alike & (np.abs(depth - middle) < reach)
    filled = ndimage.binary_closing(near, iterations=2) & window  # over pixels without depth
    pieces, count = ndimage.label(filled)
    if not count:
        return np.asarray(near)
    sizes = np.bincount(pieces[core & filled], minlength=count + 1)
    sizes[0] = 0
    return np.asarray((pieces == int(sizes.argmax())) & near if sizes.any() else near & inside)


def _alike(colour: npt.NDArray[np.uint8], core: Mask) -> Mask:
    """Pixels of the core's colour, lit more or less."""
    if not core.any():
        return core
    tint, bright = tints(colour)
    own, light = np.median(tint[:, core], axis=1), float(np.median(bright[core]))
    off = largest(np.abs(tint - own[:, None, None]))
    return np.asarray((off < TINT) & (bright > 0.4 * light) & (bright < 2.2 * light))


def tints(colour: npt.NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Return a picture's shares of red, green and blue (3, height, width), and its brightness.

    By channel, since numpy adds up a last axis of three slowly.
    """
    red, green, blue = np.moveaxis(colour.astype(np.float32) + 8.0, 2, 0)
    bright = red + green + blue
    return np.stack([red / bright, green / bright, blue / bright]), bright


def largest(channels: Floats) -> Floats:
    """Return the largest (height, width) of three channels (3, height, width)."""
    return np.asarray(np.maximum(np.maximum(channels[0], channels[1]), channels[2]))


def surface_below(picture: Picture, box: Box) -> float | None:
    """Return the height (m) of the level surface around the lower half of a box, if any."""
    if picture.camera is None or picture.depth is None:
        return None
    x0, y0, x1, y1 = box
    w, h = (x1 - x0) * RING, (y1 - y0) * RING
    wider = (x0 - w, (y0 + y1) / 2, x1 + w, y1 + h)
    ring = _pixels(picture.depth.shape, wider) & ~_pixels(picture.depth.shape, box)
    ring &= picture.depth > 0
    count = int(ring.sum())
    if count < 20:
        return None
    heights = picture.points()[ring, 2]
    low = float(heights.min())
    pairs = in_two_bins(heights, low)
    best = int(pairs.argmax())
    if pairs[best] < SHARE * count:
        return None
    chosen = (heights >= low + best * BIN) & (heights < low + (best + 2) * BIN)
    return float(np.median(heights[chosen]))


def in_two_bins(heights: Floats, low: float) -> npt.NDArray[np.int64]:
    """Return how many heights (m) from ``low`` on are in each bin and the next.

    A surface may lie on the border of two bins.
    """
    counts = np.bincount(((heights - low) / BIN).astype(np.int64))
    return np.asarray(counts + np.append(counts[1:], 0))


def _pixels(shape: tuple[int, ...], box: Box) -> Mask:
    mask = np.zeros(shape[:2], np.bool_)
    x0, y0, x1, y1 = (round(it) for it in box)
    mask[max(0, y0) : max(0, y1), max(0, x0) : max(0, x1)] = True
    return mask


def _widened(box: Box) -> Box:
    x0, y0, x1, y1 = box
    w, h = (x1 - x0) * 0.4, (y1 - y0) * 0.9
    return (x0 - w, y0 - h, x1 + w, y1 + h)


def _shrunk(box: Box, share: float) -> Box:
    x0, y0, x1, y1 = box
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    w, h = max(1.0, (x1 - x0) * share / 2), max(1.0, (y1 - y0) * share / 2)
    return (x - w, y - h, x + w, y + h)
