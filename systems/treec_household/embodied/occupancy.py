"""A map of what is in the way, made of unprojected depth pictures: a grid with heights.

The frame is that of the robot: it begins at the origin and looks along x.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treec_household.embodied.home import RADIUS, TALL
from treec_sapien.view.camera import Floats

CELL = 0.05
"""Metres of a side of a cell."""
HALF = 12.0
"""Metres from the middle of the map to its sides."""
LEVELS = (0.08, 0.3, 0.6, TALL, 1.6)
"""Heights (m) between which points are counted; below the first one is the floor."""
SEEN = 2
"""Points in a cell from which something is there."""
VOTE = 0.3
"""Where depth has errors: of the points of the floor in a cell, the share that others must be."""
TRUSTED = 3.0
"""Metres up to which a point counts where depth has errors."""
_SIDE = round(2 * HALF / CELL)
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


class OccupancyMap:
    """Counts of points by cell and height, and the highest of them."""

    def __init__(self, *, exact: bool = True) -> None:
        self.exact = exact
        """Whether depth has no errors."""
        self.counts = np.zeros((len(LEVELS), _SIDE, _SIDE), np.int32)
        """By level: the floor first, then between two heights each."""
        self.height = np.zeros((_SIDE, _SIDE), np.float32)
        """The highest point (m) that is in the robot's way."""
        self.bumps = np.zeros((_SIDE, _SIDE), np.bool_)
        """Where the robot ran into something that it had not seen."""
        self.trodden = np.zeros((_SIDE, _SIDE), np.bool_)
        """Where the robot has been, and so nothing is in its way."""
        self.stood = np.zeros((_SIDE, _SIDE), np.bool_)
        """Where its middle has been."""

    def add(self, points: Floats) -> None:
        """Add points (n, 3), in metres."""
        cells = self.cells(points[:, :2])
        z = points[:, 2]
        inside = ((cells >= 0) & (cells < _SIDE)).all(axis=1) & (z < LEVELS[-1])
        cells, z = cells[inside], z[inside]
        level = np.searchsorted(np.array(LEVELS[:-1]), z, side="right")
        flat = (level * _SIDE + cells[:, 0]) * _SIDE + cells[:, 1]
        where, count = np.unique(flat, return_counts=True)
        self.counts.reshape(-1)[where] += count.astype(np.int32)
        tall = z < TALL
        at = (cells[tall, 0], cells[tall, 1])
        np.maximum.at(self.height, at, z[tall].astype(np.float32))

    def tread(self, x: float, y: float) -> None:
        """Note that the robot stands at x, y."""
        self.trodden[self._disc(x, y, RADIUS)] = True
        i, j = self.cells(np.array([[x + 1e-6, y + 1e-6]]))[0]
        self.stood[i, j] = True

    def bump(self, x: float, y: float) -> None:
        """Note that the robot could not stand at x, y."""
        i, j = self.cells(np.array([[x + 1e-6, y + 1e-6]]))[0]
        self.bumps[i, j] = True
        self.stood[i, j] = False

    @staticmethod
    def cells(points: Floats) -> Ints:
        """The cells (n, 2) of points (n, 2)."""
        cells: Ints = np.floor((points + HALF) / CELL).astype(np.int64)
        return cells

    @property
    def obstacles(self) -> Bools:
        """Where something is in the robot's way."""
        low = self.counts[1:-1].sum(axis=0)
        low = (low >= SEEN) & (self.exact | (low > VOTE * self.counts[0]))
        return np.asarray((low & ~self.trodden) | self.bumps)

    @property
    def known(self) -> Bools:
        """Where the floor, or something on it, has been seen."""
        return np.asarray((self.counts[:-1].sum(axis=0) > 0) | self.trodden)

    @property
    def floor(self) -> Bools:
        """Where the floor has been seen."""
        return np.asarray((self.counts[0] > 0) | self.trodden)

    def _disc(self, x: float, y: float, radius: float) -> tuple[Ints, Ints]:
        reach = round(radius / CELL)
        i, j = self.cells(np.array([[x, y]]))[0]
        di, dj = np.mgrid[-reach : reach + 1, -reach : reach + 1]
        near = di**2 + dj**2 <= reach**2
        return i + di[near], j + dj[near]


def grown(there: Bools, radius: float) -> Bools:
    """A map in which everything is larger by a radius (m)."""
    reach = int(np.ceil(radius / CELL))
    rows, columns = there.nonzero()
    out = np.zeros_like(there)
    if not len(rows):
        return out
    top, left = max(rows.min() - reach, 0), max(columns.min() - reach, 0)
    bottom, right = rows.max() + reach + 1, columns.max() + reach + 1
    window = there[top:bottom, left:right]
    new = out[top:bottom, left:right]
    for di in range(-reach, reach + 1):
        for dj in range(-reach, reach + 1):
            if (di * di + dj * dj) * CELL * CELL > radius * radius + 1e-9:
                continue
            h, w = window.shape
            source = window[max(0, -di) : h - max(0, di), max(0, -dj) : w - max(0, dj)]
            new[max(0, di) : h - max(0, -di), max(0, dj) : w - max(0, -dj)] |= source
    return out
