"""Where a thing that is oblong from above is and how it is turned, from what is seen of it.

An upright box, which stands for it, shows a camera one or two of its sides, and perhaps its top.
Of all headings that one is taken at which the points lie best on the sides that would be seen, and
what is seen is as wide as it would be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from treec_perception.pipeline.occlusion import CoveredSides
from treec_sapien.view.camera import Floats

STEP, FINE = 3.0, 0.5
"""Degrees between the headings that are tried, at first and then around the best one."""

POINTS = 400
"""Points that are used at most."""

TOP = 0.012
"""Metres below the highest points within which they may lie on the top."""

LEAST = 20
"""Points of the sides below which only the outline is used."""

WORST = 0.02
"""Metres that the best fit may be off, on average: beyond, it is no box that is seen."""


@dataclass(frozen=True, slots=True)
class BoxFit:
    """The middle of a box from above (m), the angle of its width (radians), how far points are off.

    The angle is between 0 and π.
    """

    x: float
    y: float
    heading: float
    error: float


@dataclass(frozen=True, slots=True)
class _Seen:
    """Points (n, 2) of the sides from above, and all (m, 2); the eye; a guess of the middle."""

    sides: Floats
    all: Floats
    eye: Floats
    guess: Floats
    wide: float
    """How wide it is across the line of sight."""
    is_covered: bool


def fit_box(
    points: Floats,
    eye: Floats,
    size: tuple[float, float],
    guess: tuple[float, float],
    covered: CoveredSides,
) -> BoxFit | None:
    """Fit an upright box, ``size`` (width, depth; m), to points (n, 3) seen from ``eye``; z is up.

    ``guess`` (x, y) decides where the points leave the middle open. None if no box fits them.
    """
    chosen = points[:: max(1, len(points) // POINTS)]
    top = float(np.percentile(chosen[:, 2], 97))
    sides = chosen[chosen[:, 2] < top - TOP]
    if len(sides) < LEAST:  # it is seen from above
        sides = sides[:0]
    away = np.array(guess) - eye[:2]
    flat = float(np.hypot(*away))
    if flat < 1e-6:
        return None
    across = np.array([-away[1], away[0]]) / flat
    lateral = chosen[:, :2] @ across
    wide = float(np.percentile(lateral, 99) - np.percentile(lateral, 1))
    seen = _Seen(sides[:, :2], chosen[:, :2], eye[:2], np.array(guess), wide, covered.wide)
    headings = np.radians(np.arange(0.0, 180.0, STEP))
    errors, _ = _try(seen, headings, size)
    best = headings[int(errors.argmin())]
    headings = best + np.radians(np.arange(-STEP, STEP + FINE / 2, FINE))
    errors, middles = _try(seen, headings, size)
    at = int(errors.argmin())
    if errors[at] > WORST:
        return None
    x, y = (float(it) for it in middles[at])
    return BoxFit(x, y, float(headings[at]) % math.pi, float(errors[at]))


def _try(seen: _Seen, headings: Floats, size: tuple[float, float]) -> tuple[Floats, Floats]:
    """How far (m) the points are off at each heading, and the middles (n, 2) there."""
    cos, sin = np.cos(headings), np.sin(headings)
    axes = np.stack([np.stack([cos, sin], -1), np.stack([-sin, cos], -1)], 1)  # (n, 2, xy)
    halves = np.array(size) / 2
    middles = np.zeros((len(headings), 2))  # along the axes
    towards, is_seen = np.zeros_like(middles), np.zeros(middles.shape, np.bool_)
    off = np.full((len(headings), len(seen.sides)), np.inf)
    errors = np.zeros(len(headings))
    eye, guess = axes @ seen.eye, axes @ seen.guess
    for axis, half in enumerate(halves):
        every, side = (axes[:, axis] @ it.T for it in (seen.all, seen.sides))
        sign = np.where(eye[:, axis] < guess[:, axis], -1.0, 1.0)[:, None]
        low, high = np.percentile(every, (2, 98), axis=1)
        errors += np.maximum(0.0, high - low - 2 * half) / 2
        if not len(seen.sides):
            errors += np.maximum(0.0, 2 * half - (high - low)) / 4
            middles[:, axis] = np.clip(guess[:, axis], *_between(low, high, half))
            continue
        face = np.percentile(side * sign, 96, axis=1)[:, None]
        near = np.abs(side * sign - face) < TOP / 2
        face = (side * sign * near).sum(axis=1) / np.maximum(near.sum(axis=1), 1)
        middle = (face - half) * sign[:, 0]
        fits = (eye[:, axis] - middle) * sign[:, 0] > half
        between = _between(low, high, half)
        middles[:, axis] = np.where(fits, middle, np.clip(guess[:, axis], *between))
        distance = np.abs(side * sign - face[:, None])
        off = np.where(fits[:, None], np.minimum(off, distance), off)
        towards[:, axis], is_seen[:, axis] = sign[:, 0], fits
    if not len(seen.sides):
        return errors, np.einsum("na,nax->nx", middles, axes)
    errors += np.where(np.isfinite(off), off, WORST).mean(axis=1)
    away = seen.guess - seen.eye
    across = axes @ (np.array([-away[1], away[0]]) / np.hypot(*away))
    corners = np.array([(1, 1), (1, -1), (-1, 1), (-1, -1)]) * halves  # of the box from above
    shown = np.stack([is_seen & (corner * towards > 0) for corner in corners], 1).any(axis=2)
    lateral = np.where(shown, across @ corners.T, np.nan)
    span = np.nanmax(lateral, axis=1, initial=-1.0, where=shown) - np.nanmin(
        lateral, axis=1, initial=1.0, where=shown
    )
    more = seen.wide - np.where(shown.any(axis=1), span, 0.0)
    short = 0.1 if seen.is_covered else 0.5
    errors += 0.5 * np.maximum(0.0, more) + short * np.maximum(0.0, -more)
    return errors, np.einsum("na,nax->nx", middles, axes)


def _between(low: Floats, high: Floats, half: float) -> Floats:
    """Between which two middles a box of half a size lies that reaches from low to high."""
    return np.sort(np.stack([high - half, low + half]), axis=0)
