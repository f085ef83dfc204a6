"""Vectors of one memory, and the nearest of them: with numpy, if it is installed."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from typing import Any


def unit(row: Sequence[float]) -> array[float]:
    """A vector as float32, of length 1 unless it is zero."""
    values = [float(value) for value in row]
    length = math.hypot(*values) or 1.0
    return array("f", [value / length for value in values])


class VectorTable:
    """Numbered float32 vectors of length 1, in rows of one block of memory."""

    def __init__(self) -> None:
        self._numbers: list[int] = []
        self._rows: dict[int, int] = {}
        self._size = 0
        self._data = array("f")
        self._matrix: Any = None

    @classmethod
    def of_rows(cls, rows: Iterable[tuple[int, bytes]]) -> VectorTable:
        """A table of vectors as a memory stores them."""
        found = cls()
        for number, blob in rows:
            found._add(number, blob)
        return found

    def _add(self, number: int, blob: bytes) -> None:
        before = len(self._data)
        self._data.frombytes(blob)
        self._size = len(self._data) - before
        self._rows[number] = len(self._numbers)
        self._numbers.append(number)

    def append(self, number: int, vector: array[float]) -> None:
        """Add a vector at the end."""
        self._matrix = None  # it borrows the block, which cannot grow until then
        self._add(number, vector.tobytes())

    def replace(self, number: int, vector: array[float]) -> None:
        """Change a vector."""
        start = self._rows[number] * self._size
        self._data[start : start + self._size] = vector

    def nearest(self, vector: array[float], k: int) -> list[tuple[int, float]]:
        """The numbers of the k nearest, and their cosine distances; of equal ones the first."""
        if not self._numbers or k <= 0:
            return []
        try:
            import numpy
        except ModuleNotFoundError:
            return self._nearest_without_numpy(vector, k)
        if self._matrix is None:
            block = numpy.frombuffer(self._data, dtype=numpy.float32)
            self._matrix = block.reshape(len(self._numbers), self._size)
        near = self._matrix @ numpy.frombuffer(vector, dtype=numpy.float32)
        k = min(k, len(near))
        least = numpy.partition(near, len(near) - k)[len(near) - k]
        (rows,) = numpy.nonzero(near >= least)  # equal ones, too
        order = sorted(rows.tolist(), key=lambda row: (-near[row], row))[:k]
        return [(self._numbers[row], _distance(float(near[row]))) for row in order]

    def _nearest_without_numpy(self, vector: array[float], k: int) -> list[tuple[int, float]]:
        size, data = self._size, self._data
        near = [
            sum(map(float.__mul__, data[start : start + size], vector))
            for start in range(0, len(data), size)
        ]
        order = sorted(range(len(near)), key=lambda row: (-near[row], row))[:k]
        return [(self._numbers[row], _distance(near[row])) for row in order]


def _distance(cosine: float) -> float:
    return max(0.0, round(1.0 - cosine, 6))
