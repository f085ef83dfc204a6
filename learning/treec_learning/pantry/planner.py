"""A planner on the simulator's own lattice of steps: weighted A* over the five joints.

It knows all that stands around. Its paths are demonstrations for cloning, and the measure of which
cases can be solved at all.
"""

from __future__ import annotations

import heapq

import numpy as np

from treec_learning.pantry.cases import Case, CaseBatch
from treec_learning.pantry.kinematics import HIGH, LOW, Array, configuration_at, tip
from treec_learning.pantry.simulator import ACTIONS, MOVES, NEAR, STEPS

Key = tuple[int, ...]

YAWS = (0.0, 0.2, -0.2, 0.4, -0.4)
PITCHES = (0.0, -0.2, -0.4, -0.6, -0.8)
"""Of the wrist (rad), with which the tip may be at the goal."""
_GREED = 1.6
"""Weight of what is still ahead: paths are a little longer and found much sooner."""


def plan(case: Case, most: int = 4000) -> list[int] | None:
    """Return the actions that bring the tip to the goal without a touch, or None.

    ``most`` configurations are looked at.
    """
    ends = _ends(case)
    if not len(ends):
        return None
    around = CaseBatch.of([case] * len(ACTIONS))
    first = case.first

    def ahead(q: Array) -> Array:
        steps = np.abs(ends[None] - q[:, None]) / STEPS
        return np.asarray(steps.sum(axis=2).min(axis=1))

    start: Key = (0, 0, 0, 0, 0)
    came: dict[Key, tuple[Key, int]] = {}
    cost: dict[Key, int] = {start: 0}
    queue: list[tuple[float, int, Key]] = [(0.0, 0, start)]
    closed: set[Key] = set()
    signs = np.sign(MOVES).astype(int)
    while queue and len(closed) < most:
        _, _, key = heapq.heappop(queue)
        if key in closed:
            continue
        closed.add(key)
        to = first + np.array(key) * STEPS + MOVES
        free = np.all((to >= LOW - 1e-9) & (to <= HIGH + 1e-9), axis=1) & (around.touched(to) < 0)
        off = np.linalg.norm(tip(to, around.stand) - case.goal, axis=1)
        left = ahead(to)
        for action in np.flatnonzero(free):
            other = tuple(int(n) for n in np.array(key) + signs[action])
            if other in closed or cost.get(other, 10**9) <= cost[key] + 1:
                continue
            cost[other] = cost[key] + 1
            came[other] = (key, int(action))
            if off[action] < NEAR:
                return _way(came, other)
            ranked = cost[other] + _GREED * float(left[action])
            heapq.heappush(queue, (ranked, -cost[other], other))
    return None


def _ends(case: Case) -> Array:
    """Configurations (n, 5) with the tip at the goal that touch nothing."""
    yaw, pitch = (part.ravel() for part in np.meshgrid(YAWS, PITCHES))
    around = CaseBatch.of([case] * len(yaw))
    q = configuration_at(around.goal, around.stand, yaw, pitch)
    good = np.all((q >= LOW) & (q <= HIGH), axis=1) & (around.touched(q) < 0)
    return np.asarray(q[good])


def _way(
    came: dict[tuple[int, ...], tuple[tuple[int, ...], int]], key: tuple[int, ...]
) -> list[int]:
    actions: list[int] = []
    while key in came:
        key, action = came[key]
        actions.append(action)
    return actions[::-1]
