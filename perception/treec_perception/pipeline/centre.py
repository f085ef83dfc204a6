"""From the points of a mask to the middle of the thing.

MOSAIC averages the points (appendix D); these lie on the side that faces the camera. The middle is
estimated from what an upright cylinder of the thing's own size would show from there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_perception.pipeline.box_fit import fit_box
from treec_perception.pipeline.occlusion import CoveredSides
from treec_perception.pipeline.result import Vector
from treec_sapien.view.camera import Floats

Size = tuple[float, float, float]
"""Width, depth and height (m) of an upright thing."""

STANDS = 0.03
"""Metres by which a thing may seem to be higher than it is."""

WHOLE = 0.8
"""Share of a thing's size from which it counts as seen whole."""

STANDING = 0.3
"""Share of its height that has to be seen of a thing to fit its sides."""

LEAST = 8
"""Points below which there is no result."""


@dataclass(frozen=True, slots=True)
class Centre:
    """A point (m) and how far the points are spread around their mean (root mean square, m)."""

    point: Vector
    spread: float


def drop_outliers(points: Floats, deviations: float) -> Floats:
    """Return points (n, 3) without those far from the median, in median absolute deviations."""
    if len(points) < LEAST:
        return points
    distance = np.linalg.norm(points - np.median(points, axis=0), axis=1)
    scale = 1.4826 * float(np.median(np.abs(distance - np.median(distance))))
    if scale < 1e-9:
        return points
    kept: Floats = points[distance <= np.median(distance) + deviations * scale]
    return kept


def mean_of(points: Floats) -> Centre | None:
    """Return the mean of points (n, 3), as MOSAIC does; None for too few."""
    if len(points) < LEAST:
        return None
    mean = points.mean(axis=0)
    spread = float(np.sqrt(((points - mean) ** 2).sum(axis=1).mean()))
    return Centre(_vector(mean), spread)


def middle_of(
    points: Floats,
    eye: Floats,
    size: Size | None,
    surface: float | None = None,
    *,
    hollow: bool = False,
    covered: CoveredSides | None = None,
    oblong: bool = False,
) -> Centre | None:
    """Return the middle of a thing from the points (n, 3) seen from ``eye``; z is up.

    Without a size the thing is taken to be as deep as it is wide, and as high as is seen of it.
    ``surface`` is the height on which it stands, if it is known. ``hollow``: its far wall is seen,
    too, so that the middle lies between the extremes. ``covered`` are the sides on which something
    hides a part of it: the middle then follows from the opposite side and the thing's own size.
    ``oblong``: from above it is a rectangle, and the points lie on its sides.
    """
    centre = mean_of(points)
    if centre is None:
        return None
    mean = np.array(centre.point)
    sides = covered or CoveredSides()
    away = mean - eye
    flat = math.hypot(away[0], away[1])
    elevation = math.atan2(-away[2], flat) if flat > 1e-6 else math.pi / 2
    along = away[:2] / flat if flat > 1e-6 else np.array((1.0, 0.0))
    across = np.array((-along[1], along[0]))
    low, high = (float(np.percentile(points[:, 2], share)) for share in (2, 98))
    if hollow:
        middle = [
            axis
            * (np.percentile(points[:, :2] @ axis, 1) + np.percentile(points[:, :2] @ axis, 99))
            for axis in (along, across)
        ]
        xy = (middle[0] + middle[1]) / 2
        lifted = 0.0
    else:
        radius, tall = _cylinder(points[:, :2] @ across, high - low, size)
        side = 2 * radius * tall * max(0.0, math.cos(elevation))
        top = math.pi * radius**2 * max(0.0, math.sin(elevation))
        share = side / max(side + top, 1e-9)
        xy = mean[:2] + along * (math.pi / 4) * radius * share
        lifted = tall / 2 * (1 - share)  # the mean is that much above the middle
        if size is not None:
            xy = xy + across * _aside(points[:, :2] @ across, size, sides)
        if size is not None and oblong and high - low > STANDING * size[2]:
            fit = fit_box(points, eye, size[:2], (float(xy[0]), float(xy[1])), sides)
            xy = xy if fit is None else np.array((fit.x, fit.y))
    z = mean[2] - lifted
    if size is not None:
        z = _middle_height(low, high, size[2], surface, z, sides)
    elif hollow:
        z = (low + high) / 2
    return Centre(_vector((xy[0], xy[1], z)), centre.spread)


def _cylinder(lateral: Floats, seen: float, size: Size | None) -> tuple[float, float]:
    """The radius and the height (m) of the cylinder that stands for a thing."""
    if size is not None:
        return math.sqrt(size[0] * size[1] / math.pi), size[2]
    wide = float(np.percentile(lateral, 95) - np.percentile(lateral, 5)) / 0.9
    return wide / 2, max(seen, 1e-3)


def _aside(lateral: Floats, size: Size, sides: CoveredSides) -> float:
    """How far (m; to the left) the middle of a thing is from the mean of what is seen of it."""
    right, left = (float(np.percentile(lateral, share)) for share in (2, 98))
    wide = (size[0] + size[1]) / 2
    if sides.left == sides.right or left - right > WHOLE * wide:
        return 0.0
    middle = right + wide / 2 if sides.left else left - wide / 2
    return middle - float(lateral.mean())


def _middle_height(
    low: float,
    high: float,
    tall: float,
    surface: float | None,
    z: float,
    sides: CoveredSides,
) -> float:
    """The height of the middle of a thing so ``tall`` of which low to high is seen."""
    whole = high - low > WHOLE * tall
    if not whole and sides.below and not sides.above:  # its top is seen
        stands = surface is not None and abs(high - surface - tall) < STANDS
        return surface + tall / 2 if surface is not None and stands else high - tall / 2
    if not whole and sides.above and not sides.below:  # what it stands on is seen, or its base
        below = surface is not None and surface - STANDS < low < surface + STANDS
        return (surface if surface is not None and below else low) + tall / 2
    if surface is not None and surface - STANDS < low:
        if abs(high - surface - tall) < STANDS:  # its top is where it is if the thing stands there
            return surface + tall / 2
        if low - surface < 0.3 * tall and high < surface + tall:
            lies = high - surface < 0.6 * tall and high - low < 0.6 * tall
            return (surface + high) / 2 if lies else surface + tall / 2
    if whole:
        return (low + high) / 2
    return z


def _vector(point: npt.ArrayLike) -> Vector:
    x, y, z = (float(it) for it in np.asarray(point))
    return (x, y, z)
