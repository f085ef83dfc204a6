"""Errors of a stereo depth camera, for pictures of simulated ones.

A stereo camera measures a disparity d = f · b / z (pixels), with an error that does not depend on
the distance; the error of depth therefore grows with its square: σ_z = z² · σ_d / (f · b). This is
Intel's formula for the D400 series, which gives a subpixel σ_d of about 0.08 for a well-textured
surface (A. Grunnet-Jepsen, J. Sweetser, J. Woodfill: Best-Known-Methods for Tuning Intel RealSense
D400 Depth Cameras for Best Performance, section 2). Disparities come in steps of 1/32 pixel. Near a
depth edge the matching window covers both surfaces: most of these pixels have no depth. The share
of pixels that are missing is our assumption.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_perception.files import NoiseSpec

Depth = npt.NDArray[np.float32]

EDGE = 0.03
"""Relative step of depth between neighbours that counts as an edge."""


def noisy(depth: Depth, noise: NoiseSpec, fx: float, seen: tuple[float, float], seed: int) -> Depth:
    """Return a depth picture (height, width; metres, 0 for none) as a stereo camera measures it.

    ``depth`` is exact, inf or 0 where there is nothing; ``fx`` in pixels; ``seen`` is the nearest
    and the farthest depth. Equal seeds give equal errors.
    """
    rng = np.random.default_rng(seed)
    there = np.isfinite(depth) & (depth > 0)
    z = np.where(there, depth, 1.0).astype(np.float64)
    disparity = fx * noise.baseline / z
    disparity += rng.normal(0.0, noise.subpixel, z.shape) if noise.subpixel else 0.0
    if noise.step:
        disparity = np.round(disparity / noise.step) * noise.step
    measured = fx * noise.baseline / np.maximum(disparity, 1e-6)
    lost = rng.random(z.shape) < np.where(_edges(depth), noise.edges, noise.dropout)
    kept = there & ~lost & (disparity > 0) & (measured >= seen[0]) & (measured <= seen[1])
    return np.where(kept, measured, 0.0).astype(np.float32)


def exact(depth: Depth, seen: tuple[float, float]) -> Depth:
    """Return exact depth with 0 where there is none or it is out of range."""
    kept = np.isfinite(depth) & (depth >= seen[0]) & (depth <= seen[1])
    return np.where(kept, depth, 0.0).astype(np.float32)


def _edges(depth: Depth) -> npt.NDArray[np.bool_]:
    """Pixels whose neighbour is much nearer or farther."""
    z = np.where(np.isfinite(depth) & (depth > 0), depth, 1e3)
    edge = np.zeros(z.shape, np.bool_)
    for axis in (0, 1):
        step = np.abs(np.diff(z, axis=axis)) > EDGE * np.minimum(
            np.delete(z, 0, axis), np.delete(z, -1, axis)
        )
        pad = [(0, 0), (0, 0)]
        pad[axis] = (0, 1)
        edge |= np.pad(step, pad)
        pad[axis] = (1, 0)
        edge |= np.pad(step, pad)
    return edge
