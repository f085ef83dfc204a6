"""Crossing reduction: the order within each row of a layered layout.

Barycentre sweeps down and up, then exchanges of neighbours that save crossings (Gansner et al.,
"A Technique for Drawing Directed Graphs", section 3). The best order found is used.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Sequence
from itertools import pairwise

_SWEEPS = 12
_PATIENCE = 4


class Layers:
    """Rows of vertices with edges between neighbouring rows only."""

    def __init__(self, rows: list[list[int]], edges: Sequence[tuple[int, int]]) -> None:
        count = sum(map(len, rows))
        self.rows = rows
        self.up: list[list[int]] = [[] for _ in range(count)]
        self.down: list[list[int]] = [[] for _ in range(count)]
        for source, target in edges:
            self.down[source].append(target)
            self.up[target].append(source)
        self.place = [0] * count
        for row in rows:
            self._number(row)

    def _number(self, row: list[int]) -> None:
        for index, vertex in enumerate(row):
            self.place[vertex] = index

    def crossings(self) -> int:
        """The number of edge crossings."""
        total = 0
        for row in self.rows:
            ends_before: list[int] = []
            for vertex in row:
                ends = sorted(self.place[target] for target in self.down[vertex])
                total += sum(len(ends_before) - bisect_right(ends_before, end) for end in ends)
                for end in ends:
                    insort(ends_before, end)
        return total

    def reduce(self) -> None:
        """Reorder the rows to reduce crossings."""
        best, best_rows, idle = self.crossings(), [list(row) for row in self.rows], 0
        for sweep in range(_SWEEPS):
            if not best or idle >= _PATIENCE:
                break
            downwards = sweep % 2 == 0
            for row in self.rows[1:] if downwards else reversed(self.rows[:-1]):
                self._sort(row, self.up if downwards else self.down)
            self._exchange()
            crossings = self.crossings()
            idle += 1
            if crossings < best:
                best, best_rows, idle = crossings, [list(row) for row in self.rows], 0
        for row, best_row in zip(self.rows, best_rows, strict=True):
            row[:] = best_row
            self._number(row)

    def _sort(self, row: list[int], neighbours: list[list[int]]) -> None:
        """Sort by the mean position of the neighbours; vertices without any keep their place."""
        key = {
            vertex: sum(self.place[other] for other in neighbours[vertex]) / len(neighbours[vertex])
            for vertex in row
            if neighbours[vertex]
        }
        ordered = iter(sorted(key, key=lambda vertex: (key[vertex], self.place[vertex])))
        row[:] = [next(ordered) if vertex in key else vertex for vertex in row]
        self._number(row)

    def _exchange(self) -> None:
        for _ in range(2):
            better = False
            for row in self.rows:
                for index, (left, right) in enumerate(list(pairwise(row))):
                    left = row[index]
                    saved = 0
                    for neighbours in (self.up, self.down):
                        a = sorted(self.place[other] for other in neighbours[left])
                        b = sorted(self.place[other] for other in neighbours[right])
                        saved += _pairs(a, b) - _pairs(b, a)
                    if saved > 0:
                        row[index], row[index + 1] = right, left
                        self.place[right], self.place[left] = index, index + 1
                        better = True
            if not better:
                break


def _pairs(left: list[int], right: list[int]) -> int:
    """The crossings of edges from two adjacent vertices, given their sorted ends."""
    return sum(len(left) - bisect_right(left, end) for end in right)
