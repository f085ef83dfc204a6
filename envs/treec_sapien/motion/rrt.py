"""Collision-free paths: RRT-Connect in joint space, then shortcutting.

OMPL's, which mplib uses, tests an edge at every hundredth of the space's size (here ten centimetres
at the hand) and stops by wall-clock time, so that a loaded machine finds other paths. This one
tests every few hundredths of a radian, stops by count, and uses the generator it is given: the same
seed gives the same path.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from treec_sapien.motion.frames import Array

Free = Callable[[Array], bool]
"""Whether all of these configurations (n, joints) are free; the first may be tested first."""

Sample = Callable[[np.random.Generator], Array]

CHECK = 0.035
"""Largest change of a joint (rad or m) between two tested configurations of an edge."""

_EXTEND = 0.45
_SHORTCUTS = 40


@dataclass
class _SearchTree:
    points: list[Array]
    parents: list[int]

    def nearest(self, q: Array) -> int:
        return int(np.argmin(np.sum((np.asarray(self.points) - q) ** 2, axis=1)))

    def path(self, index: int) -> list[Array]:
        out = []
        while index >= 0:
            out.append(self.points[index])
            index = self.parents[index]
        return out[::-1]


def connect(
    free: Free,
    start: Array,
    goals: Sequence[Array],
    sample: Sample,
    rng: np.random.Generator,
    *,
    tries: int = 400,
    gap: float = CHECK,
) -> Array | None:
    """Return a path (n, joints) from ``start`` to one of the goals, or None if none was found.

    Straight lines are tried first, to the nearest goal first. ``sample`` draws a configuration;
    ``gap`` is the distance between two tested configurations.
    """
    reachable = [goal for goal in sorted(goals, key=lambda g: _far(start, g)) if free(goal[None])]
    if not reachable or not free(start[None]):
        return None
    for goal in reachable:
        if clear(free, start, goal, gap):
            return np.asarray(np.stack([start, goal]))
    ahead = _SearchTree([start], [-1])
    back = _SearchTree(list(reachable), [-1] * len(reachable))
    grow, other = ahead, back
    for _ in range(tries):
        new = _extend(free, grow, sample(rng), gap)
        if new is not None:
            met = _reach(free, other, grow.points[new], gap)
            if met is not None:
                one, two = (new, met) if grow is ahead else (met, new)
                path = ahead.path(one) + back.path(two)[::-1]
                return shorten(free, np.stack(path), rng, gap)
        grow, other = other, grow
    return None


def clear(free: Free, start: Array, end: Array, gap: float = CHECK) -> bool:
    """Whether the straight line is free, assuming its ends are; the middle is tested first."""
    count = int(np.ceil(np.max(np.abs(end - start)) / gap))
    order = _spread(count)
    return not order or free(start + (end - start) * (np.array(order) / count)[:, None])


def shorten(free: Free, path: Array, rng: np.random.Generator, gap: float = CHECK) -> Array:
    """Return the path with random shortcuts applied."""
    for _ in range(_SHORTCUTS):
        if len(path) < 3:
            break
        lengths = np.linalg.norm(np.diff(path, axis=0), axis=1)
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        low, high = np.sort(rng.uniform(0, along[-1], 2))
        i = int(np.searchsorted(along, low, side="right")) - 1
        j = int(np.searchsorted(along, high, side="right")) - 1
        if i == j:
            continue
        a = path[i] + (path[i + 1] - path[i]) * ((low - along[i]) / max(lengths[i], 1e-12))
        j = min(j, len(lengths) - 1)
        b = path[j] + (path[j + 1] - path[j]) * ((high - along[j]) / max(lengths[j], 1e-12))
        if clear(free, a, b, gap):
            path = np.concatenate([path[: i + 1], a[None], b[None], path[j + 1 :]])
    keep = [0]
    for i in range(1, len(path)):
        if i == len(path) - 1 or np.max(np.abs(path[i] - path[keep[-1]])) > 1e-6:
            keep.append(i)
    return path[keep]


def _far(a: Array, b: Array) -> float:
    return float(np.linalg.norm(a - b))


def _spread(count: int) -> list[int]:
    """1 … count-1, the middle first, then the quarters: finds obstacles early."""
    out: list[int] = []
    queue = [(0, count)]
    while queue:
        low, high = queue.pop(0)
        if high - low < 2:
            continue
        middle = (low + high) // 2
        out.append(middle)
        queue += [(low, middle), (middle, high)]
    return out


def _extend(free: Free, tree: _SearchTree, to: Array, check: float) -> int | None:
    near = tree.nearest(to)
    start = tree.points[near]
    gap = _far(start, to)
    if gap < 1e-9:
        return None
    end = to if gap <= _EXTEND else start + (to - start) * (_EXTEND / gap)
    if not free(end[None]) or not clear(free, start, end, check):
        return None
    tree.points.append(end)
    tree.parents.append(near)
    return len(tree.points) - 1


def _reach(free: Free, tree: _SearchTree, to: Array, check: float) -> int | None:
    """Extend towards ``to`` until there or blocked."""
    while True:
        new = _extend(free, tree, to, check)
        if new is None:
            near = tree.nearest(to)
            return near if _far(tree.points[near], to) < 1e-9 else None
        if _far(tree.points[new], to) < 1e-9:
            return new
