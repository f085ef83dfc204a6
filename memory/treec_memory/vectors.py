"""Vectors of one memory, and the nearest of them: with numpy, if it is installed."""

from __future__ import annotations

import math
from array import array
from collections.abc import Collection, Iterable, Iterator, Sequence
from importlib.util import find_spec
from itertools import islice
from typing import Any

_AT_ONCE = 100
"""Rows that are read together: one by one is slow, and all together are held three times."""


def unit(row: Sequence[float]) -> array[float]:
    """A vector as float32, of length 1 unless it is zero."""
    values = [float(value) for value in row]
    length = math.hypot(*values) or 1.0
    return array("f", [value / length for value in values])


def has_numpy() -> bool:
    """Whether numpy is installed."""
    return find_spec("numpy") is not None


def matrix_of(blobs: Collection[bytes]) -> Any:
    """Stored vectors as a float32 matrix (n, size); needs numpy."""
    import numpy

    return numpy.frombuffer(b"".join(blobs), dtype=numpy.float32).reshape(len(blobs), -1)


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
        data, numbers = found._data, found._numbers
        given = iter(rows)
        while some := [*islice(given, _AT_ONCE)]:
            numbers += (number for number, _ in some)
            data.frombytes(b"".join(blob for _, blob in some))
        found._rows = dict(zip(numbers, range(len(numbers)), strict=True))
        found._size = len(data) // len(numbers) if numbers else 0
        return found

    def rows(self) -> Iterator[tuple[int, bytes]]:
        """The numbers and their vectors as they are stored."""
        data, width = memoryview(self._data).cast("B"), self._size * self._data.itemsize
        for row, number in enumerate(self._numbers):
            yield number, bytes(data[row * width : (row + 1) * width])

    def append(self, number: int, vector: array[float]) -> None:
        """Add a vector at the end."""
        self._matrix = None  # it borrows the block, which cannot grow until then
        self._data.extend(vector)
        self._size = len(vector)
        self._rows[number] = len(self._numbers)
        self._numbers.append(number)

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
