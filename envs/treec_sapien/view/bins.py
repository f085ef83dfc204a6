"""Which solids a ray may hit: rays in the cells of a grid, solids as rectangles on it.

For a camera the grid is its picture; for the sun it is a plane across its rays.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]


class Bins:
    """Rays by the row and column of their cell."""

    def __init__(self, row: Ints, column: Ints, shape: tuple[int, int]) -> None:
        self.shape = shape
        key = row * shape[1] + column
        self._order = np.argsort(key, kind="stable")
        cells = np.arange(shape[0] * shape[1] + 1)
        self._first = np.searchsorted(key[self._order], cells)

    def within(self, rectangles: Ints) -> tuple[Ints, Ints]:
        """Return each pair of a rectangle and a ray in it; rectangles are inclusive cell ranges."""
        top, bottom, left, right = rectangles.T
        high = np.maximum(bottom - top + 1, 0) * (right >= left)
        owner, step = _spread(high)
        start = (top[owner] + step) * self.shape[1]
        first = self._first[start + left[owner]]
        count = self._first[start + right[owner] + 1] - first
        line, at = _spread(count)
        return owner[line], self._order[first[line] + at]

    def clip(self, low: npt.NDArray[np.float64], high: npt.NDArray[np.float64]) -> Ints:
        """Return the rectangles of cells between corners (n, 2), each a row and a column."""
        most = np.array(self.shape) - 1
        first = np.clip(np.floor(low), -1, most + 1).astype(np.int64)
        last = np.clip(np.floor(high), -1, most + 1).astype(np.int64)
        empty = (last < 0).any(1) | (first > most).any(1)
        first, last = np.clip(first, 0, most), np.clip(last, 0, most)
        last[empty] = first[empty] - 1
        return np.stack([first[:, 0], last[:, 0], first[:, 1], last[:, 1]], axis=1)


def _spread(counts: Ints) -> tuple[Ints, Ints]:
    """For counts 2, 0, 3: the owner of each item (0 0 2 2 2) and its index there (0 1 0 1 2)."""
    owner = np.repeat(np.arange(len(counts)), counts)
    begin = np.cumsum(counts) - counts
    return owner, np.arange(len(owner)) - begin[owner]
