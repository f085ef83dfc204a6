"""Shortest ways over the map in the robot's steps and turns, and frontiers of what is unknown."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from treec_household.embodied.home import RADIUS
from treec_household.embodied.occupancy import Bools, OccupancyMap, grown
from treec_household.embodied.simulator import STEP

Place = tuple[int, int, int]
"""A place of the grid of the robot's steps: x and y in steps from where it began, and a heading."""
AHEAD = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""What a step forward adds, by heading."""
_MARGIN = 0.04
_UNKNOWN = 0.5
"""Metres from a place within which unknown floor makes it a frontier."""


@dataclass(frozen=True)
class Ways:
    """Shortest ways from one place: how many actions each place takes, and the place before it."""

    steps: dict[Place, int]
    before: dict[Place, tuple[Place, str] | None]

    def to(self, place: Place) -> list[str]:
        """The actions that lead to a place."""
        way: list[str] = []
        while (step := self.before[place]) is not None:
            place = step[0]
            way.append(step[1])
        return way[::-1]


class Grid:
    """Where the robot can stand, by the map as it is now."""

    def __init__(self, map: OccupancyMap) -> None:
        self._map = map
        self._blocked: Bools = grown(map.obstacles, RADIUS + _MARGIN)
        self._floor: Bools = grown(map.floor, 0.1)
        self._known: Bools = map.known

    def is_free(self, i: int, j: int) -> bool:
        """Whether the robot can stand at a place: floor was seen there, and nothing in its way."""
        a, b = self._cell(i, j)
        if not (0 <= a < len(self._floor) and 0 <= b < len(self._floor)):
            return False
        if self._map.bumps[a, b]:
            return False
        return bool(self._map.stood[a, b] or (self._floor[a, b] and not self._blocked[a, b]))

    def ways(self, start: Place) -> Ways:
        """Shortest ways to all places that can be reached."""
        steps: dict[Place, int] = {start: 0}
        before: dict[Place, tuple[Place, str] | None] = {start: None}
        free: dict[tuple[int, int], bool] = {}
        todo = deque([start])
        while todo:
            place = todo.popleft()
            i, j, heading = place
            di, dj = AHEAD[heading]
            ahead = (i + di, j + dj)
            if ahead not in free:
                free[ahead] = self.is_free(*ahead)
            following: list[tuple[Place, str]] = [
                ((i, j, (heading + 1) % 4), "left"),
                ((i, j, (heading - 1) % 4), "right"),
            ]
            if free[ahead]:
                following.append(((*ahead, heading), "forward"))
            for other, action in following:
                if other not in steps:
                    steps[other] = steps[place] + 1
                    before[other] = (place, action)
                    todo.append(other)
        return Ways(steps, before)

    def frontiers(self, ways: Ways) -> Iterator[Place]:
        """Places that can be reached and look at floor that was never seen, the nearest first."""
        for place in sorted(ways.steps, key=lambda one: ways.steps[one]):
            if self._looks_at_unknown(place):
                yield place

    def _looks_at_unknown(self, place: Place) -> bool:
        i, j, heading = place
        di, dj = AHEAD[heading]
        a, b = self._cell(i, j)
        reach, half = round(_UNKNOWN / 0.05), 2
        for n in range(3, reach + 1):
            row, column = a + di * n, b + dj * n
            if not (0 <= row < len(self._known) and 0 <= column < len(self._known)):
                return False
            if self._blocked[row, column]:
                return False
            rows = slice(row - half * abs(dj), row + half * abs(dj) + 1)
            columns = slice(column - half * abs(di), column + half * abs(di) + 1)
            if not self._known[rows, columns].any():
                return True
        return False

    @staticmethod
    def _cell(i: int, j: int) -> tuple[int, int]:
        a, b = OccupancyMap.cells(np.array([[i * STEP + 1e-6, j * STEP + 1e-6]]))[0]
        return int(a), int(b)


def best(ways: Ways, cost: Callable[[Place], float | None]) -> list[Place]:
    """Places in the order of their actions plus a cost; None: it will not do."""
    ranked = []
    for place, steps in ways.steps.items():
        more = cost(place)
        if more is not None:
            ranked.append((steps + more, place))
    return [place for _, place in sorted(ranked)]
