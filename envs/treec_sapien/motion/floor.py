"""The floor as a map for a base on wheels: where a disc fits, and shortest paths between two spots.

What stands or hangs between the floor and the robot's top is projected to the floor: boxes as
rotated rectangles, everything else as its bounding rectangle. Paths are searched on a grid (A*,
eight neighbours) and then straightened.
"""

from __future__ import annotations

import heapq
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from sapien.physx import (
    PhysxCollisionShapeBox,
    PhysxCollisionShapeCapsule,
    PhysxCollisionShapeConvexMesh,
    PhysxCollisionShapeCylinder,
    PhysxCollisionShapeSphere,
    PhysxRigidBaseComponent,
)

from treec_sapien.motion.frames import Array, matrix

CELL = 0.06
_AROUND = 1.2  # margin of the map around everything that stands there (m)
_FAR = 1.5  # largest distance that is distinguished (m)
_NEAR = 15.0  # radius of the map around the robot (m)
_LEVELS = (0.04, 1.4)  # obstacles lie between these heights (m above the floor)
_UPRIGHT = 0.999
_COVERS = 40  # rectangles, the largest ones, in which others may lie
_NEIGHBOURS = [(i, j) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]

Spot = tuple[float, float]


class Floor:
    """The distance of every spot of the floor to the nearest obstacle, or 1.5 m if that is less.

    ``entities`` are possible obstacles; ``level`` is the floor's height; ``also`` are spots that
    must lie on the map. What is farther than 15 m from all of these is left out. ``wider`` is how
    much (m) some of the obstacles count as wider, on each side.
    """

    def __init__(
        self,
        entities: Iterable[Any],
        *,
        level: float = 0.0,
        also: Iterable[Spot] = (),
        wider: Mapping[Any, float] | None = None,
    ) -> None:
        by = wider or {}
        flat = [
            (centre, turn, half + by.get(entity, 0.0))
            for entity in entities
            for centre, turn, half in _laid_flat(entity, level)
        ]
        corners = [np.array([spot]) for spot in also]
        if corners:
            here = np.concatenate(corners)
            flat = [it for it in flat if np.min(np.abs(here - it[0]).max(axis=1)) < _NEAR]
        corners += [centre + np.array([[-1], [1]]) * np.max(half) for centre, _, half in flat]
        points = np.concatenate(corners) if corners else np.zeros((1, 2))
        self._low = points.min(axis=0) - _AROUND
        high = points.max(axis=0) + _AROUND
        size = np.ceil((high - self._low) / CELL).astype(int) + 1
        xs = self._low[0] + CELL * np.arange(size[0])
        ys = self._low[1] + CELL * np.arange(size[1])
        grid = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1)
        self.room = np.full(grid.shape[:2], _FAR)
        for centre, turn, half in _uncovered(flat):
            around = np.abs(turn) @ half + _FAR
            first = np.maximum(np.floor((centre - around - self._low) / CELL), 0).astype(int)
            last = np.ceil((centre + around - self._low) / CELL).astype(int) + 1
            near = (slice(first[0], last[0]), slice(first[1], last[1]))
            local = np.abs((grid[near] - centre) @ turn) - half
            outside = np.hypot(*np.moveaxis(np.maximum(local, 0.0), -1, 0))
            inside = np.minimum(np.max(local, axis=-1), 0.0)
            self.room[near] = np.minimum(self.room[near], outside + inside)

    def space_at(self, spot: Spot | Array) -> float:
        """Return the distance (m) to the nearest obstacle; negative inside one or off the map."""
        cell = self._cell(spot)
        return float(self.room[cell]) if self._on_map(cell) else -1.0

    def way(self, start: Spot, goal: Spot, radius: float) -> list[Spot] | None:
        """Return spots from ``start`` to ``goal``, inclusive, that a disc can roll along, or None.

        Where the start or the goal is nearer to an obstacle than the radius, the disc may be as
        near as it is there until it has moved away.
        """
        first, last = self._cell(start), self._cell(goal)
        if not self._on_map(first) or not self._on_map(last):
            return None
        fits = self.room >= radius
        for spot, cell in ((start, first), (goal, last)):
            fits |= self._escape_cells(np.asarray(spot), cell, radius)
        if not fits[first] or not fits[last]:
            return None
        cells = _search(fits, first, last)
        if cells is None:
            return None
        return [start, *self._pull_taut(fits, cells), goal]

    def _escape_cells(
        self, spot: Array, cell: tuple[int, int], radius: float
    ) -> npt.NDArray[np.bool_]:
        """The cells around a spot that are no nearer to obstacles than the spot itself."""
        least = min(float(self.room[cell]) - 1e-6, radius)
        i, j = np.indices(self.room.shape)
        away = np.hypot(i - cell[0], j - cell[1]) * CELL
        return np.asarray((self.room >= least) & (away <= 2 * radius) & (least > 0))

    def _pull_taut(self, fits: npt.NDArray[np.bool_], cells: list[tuple[int, int]]) -> list[Spot]:
        corners = [0]
        while corners[-1] < len(cells) - 1:
            here = corners[-1]
            ahead = range(len(cells) - 1, here, -1)
            corners.append(
                next(k for k in ahead if k == here + 1 or _is_visible(fits, cells[here], cells[k]))
            )
        spots = [self._low + CELL * np.array(cells[k]) for k in corners[1:-1]]
        return [(float(x), float(y)) for x, y in spots]

    def _cell(self, spot: Spot | Array) -> tuple[int, int]:
        i, j = np.round((np.asarray(spot) - self._low) / CELL).astype(int)
        return int(i), int(j)

    def _on_map(self, cell: tuple[int, int]) -> bool:
        return all(0 <= c < n for c, n in zip(cell, self.room.shape, strict=True))


def _search(
    fits: npt.NDArray[np.bool_], first: tuple[int, int], last: tuple[int, int]
) -> list[tuple[int, int]] | None:
    """The cells of a shortest path."""
    came: dict[tuple[int, int], tuple[int, int] | None] = {}
    best = {first: 0.0}
    order = itertools.count()
    queue: list[tuple[float, int, tuple[int, int], tuple[int, int] | None]] = []
    heapq.heappush(queue, (0.0, next(order), first, None))
    rows, columns = fits.shape
    while queue:
        _, _, cell, before = heapq.heappop(queue)
        if cell in came:
            continue
        came[cell] = before
        if cell == last:
            return list(_back(came, cell))[::-1]
        for di, dj in _NEIGHBOURS:
            to = (cell[0] + di, cell[1] + dj)
            if not (0 <= to[0] < rows and 0 <= to[1] < columns) or not fits[to] or to in came:
                continue
            cost = best[cell] + math.hypot(di, dj)
            if cost < best.get(to, math.inf):
                best[to] = cost
                ahead = math.hypot(last[0] - to[0], last[1] - to[1])
                heapq.heappush(queue, (cost + ahead, next(order), to, cell))
    return None


def _back(
    came: dict[tuple[int, int], tuple[int, int] | None], cell: tuple[int, int]
) -> Iterator[tuple[int, int]]:
    at: tuple[int, int] | None = cell
    while at is not None:
        yield at
        at = came[at]


def _is_visible(fits: npt.NDArray[np.bool_], a: tuple[int, int], b: tuple[int, int]) -> bool:
    """Whether all cells on the line between two cells are free."""
    count = 2 * max(abs(a[0] - b[0]), abs(a[1] - b[1]))
    share = np.arange(count + 1) / max(count, 1)
    line = np.round(np.array(a) + np.outer(share, np.array(b) - np.array(a))).astype(int)
    return bool(np.all(fits[line[:, 0], line[:, 1]]))


def _uncovered(flat: list[tuple[Array, Array, Array]]) -> list[tuple[Array, Array, Array]]:
    """The rectangles that lie in no larger one: what stands on a table changes no distance."""
    if not flat:
        return flat
    centres, turns, halves = (np.stack(parts) for parts in zip(*flat, strict=True))
    signs = np.array([(-1, -1), (-1, 1), (1, -1), (1, 1)])
    corners = centres[:, None] + np.einsum("nij,nkj->nki", turns, signs * halves[:, None])
    areas = halves.prod(axis=1)
    order = np.argsort(-areas, kind="stable")
    covered: npt.NDArray[np.bool_] = np.zeros(len(flat), dtype=bool)
    for place, one in enumerate(order[:_COVERS]):
        rest = order[place + 1 :]
        local = np.abs((corners[rest] - centres[one]) @ turns[one])
        covered[rest] |= np.all(local <= halves[one], axis=(1, 2))
    return [piece for piece, hidden in zip(flat, covered, strict=True) if not hidden]


def _laid_flat(entity: Any, level: float) -> Iterator[tuple[Array, Array, Array]]:
    """Centre (2,), rotation (2, 2) and half size (2,) of the entity's pieces that are obstacles."""
    stands = matrix(entity.pose)
    for body in entity.components:
        if not isinstance(body, PhysxRigidBaseComponent):
            continue
        for shape in body.collision_shapes:
            box = _box(shape)
            if box is None:
                continue
            middle, half = box
            pose = stands @ matrix(shape.local_pose)
            turn, centre = pose[:3, :3], pose[:3, 3] + pose[:3, :3] @ middle
            tall = float(np.abs(turn[2]) @ half)
            if centre[2] - tall > level + _LEVELS[1] or centre[2] + tall < level + _LEVELS[0]:
                continue
            up = int(np.argmax(np.abs(turn[2])))
            if abs(turn[2, up]) > _UPRIGHT:
                level_axes = [axis for axis in range(3) if axis != up]
                yield centre[:2], turn[:2, level_axes], half[level_axes]
            else:
                yield centre[:2], np.eye(2), np.abs(turn[:2]) @ half


def _box(shape: Any) -> tuple[Array, Array] | None:
    """The bounding box of a shape in its own frame: middle and half size; None for the ground."""
    if isinstance(shape, PhysxCollisionShapeBox):
        return np.zeros(3), np.asarray(shape.half_size, dtype=float)
    if isinstance(shape, PhysxCollisionShapeSphere):
        return np.zeros(3), np.full(3, float(shape.radius))
    if isinstance(shape, PhysxCollisionShapeCylinder | PhysxCollisionShapeCapsule):
        ends = float(shape.radius) if isinstance(shape, PhysxCollisionShapeCapsule) else 0.0
        return np.zeros(3), np.array([shape.half_length + ends, shape.radius, shape.radius])
    if isinstance(shape, PhysxCollisionShapeConvexMesh):
        points = np.asarray(shape.vertices, dtype=float) * np.asarray(shape.scale, dtype=float)
        low, high = points.min(axis=0), points.max(axis=0)
        return (low + high) / 2, (high - low) / 2
    return None
