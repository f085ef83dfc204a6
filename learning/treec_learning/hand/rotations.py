"""Rotations in batches: matrices of rotation vectors, and back."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]


def rotations(vectors: Array) -> Array:
    """Return the matrices (n, 3, 3) of rotation vectors (n, 3), axis times angle (rad)."""
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    rows = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    cross = np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
    small = angle < 1e-8
    safe = np.where(small, 1.0, angle)
    first = np.where(small, 1.0, np.sin(safe) / safe)
    second = np.where(small, 0.5, (1.0 - np.cos(safe)) / safe**2)
    return np.asarray(np.eye(3) + first * cross + second * (cross @ cross))


def rotation_vectors(turns: Array) -> Array:
    """Return axis times angle (n, 3) of rotation matrices (n, 3, 3) that turn by less than 180°."""
    skew = np.stack(
        [
            turns[..., 2, 1] - turns[..., 1, 2],
            turns[..., 0, 2] - turns[..., 2, 0],
            turns[..., 1, 0] - turns[..., 0, 1],
        ],
        axis=-1,
    )
    sine = np.linalg.norm(skew, axis=-1, keepdims=True) / 2
    cosine = (np.trace(turns, axis1=-2, axis2=-1)[..., None] - 1) / 2
    angle = np.arctan2(sine, cosine)
    return np.asarray(skew / 2 * np.where(sine < 1e-8, 1.0, angle / np.maximum(sine, 1e-8)))


def turned(turns: Array, vectors: Array) -> Array:
    """Return vectors (n, 3) rotated by matrices (n, 3, 3)."""
    return np.asarray(np.einsum("nij,nj->ni", turns, vectors))


def turned_back(turns: Array, vectors: Array) -> Array:
    """Return vectors (n, 3) rotated by the inverses of matrices (n, 3, 3)."""
    return np.asarray(np.einsum("nji,nj->ni", turns, vectors))
