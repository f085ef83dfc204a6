"""Choosing among Stretch's many solutions for a pose: base pose, configuration and row.

All poses of a reach are served from one spot: between them the base drives only straight ahead or
back, as wheels do, the arm extends and the lift moves.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from treec_sapien.motion.floor import Floor
from treec_sapien.motion.frames import Array
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.motion.stretch_ik import REACH, WRISTS, StretchIk

BODY = 0.36
"""Radius (m) of the disc that the base with its arm folded needs for turning."""

BESIDE = 0.2
"""Smallest distance (m) of its middle to obstacles when sliding in sideways: half its width."""

_AHEAD = 0.45  # distance (m) of driving ahead or back beyond which folding the arm is better
_STAY_BONUS = 0.6  # bonus for not folding the arm
_BEST_EXTENSION = 0.2


def ways(
    arm: StretchIk, q: Array, reaches: Sequence[ReachRow], floor: Floor, most: int = 60
) -> list[ReachSolution]:
    """Return solutions for each reach, best first; collisions of the arm are not tested.

    ``q`` is the robot's present configuration. Solutions that keep the base where it is (``base``
    None) come before those that drive.
    """
    starts: list[tuple[float, int, Array, bool]] = []
    for number, reach in enumerate(reaches):
        goal = reach.way[reach.marks[reach.pivot]]
        near = [
            one for one in straight_solutions(arm, q, goal) if _base_distance(arm, q, one) < _AHEAD
        ]
        starts += [(_liking(arm, q, one, reach) + _STAY_BONUS, number, one, True) for one in near]
        for one in arm.solve(goal, q):
            if floor.space_at(scene_spot(arm, one[arm.base])[:2]) >= BESIDE:
                starts.append((_liking(arm, q, one, reach), number, one, False))
    starts.sort(key=lambda start: -start[0])
    solutions: list[ReachSolution] = []
    each = Counter[int]()
    enough = max(2, 3 * most // max(1, len(reaches)))  # for one reach
    for score, number, start, stays in starts:
        if each[number] >= enough:
            continue
        row = _row(arm, start, reaches[number])
        if row is not None:
            base = None if stays else row[0][arm.base].copy()
            chain = row[:, arm.columns]
            each[number] += 1
            solutions.append(ReachSolution(reaches[number], chain, base, _margin(arm, row), score))
        if len(solutions) >= most:
            break
    return solutions


def straight_solutions(arm: StretchIk, q: Array, goal: Array) -> list[Array]:
    """Return solutions that keep the base's heading and move it only straight ahead or back."""
    heading = float(q[arm.base[2]])
    right = np.array([math.sin(heading), -math.cos(heading)])
    out = []
    yaws = dict.fromkeys((float(q[arm.wrist[0]]), *WRISTS))
    for row in arm.solve(goal, q, headings=[heading], extensions=[0.0], wrists=list(yaws)):
        extension = float((row[arm.base[:2]] - q[arm.base[:2]]) @ right)
        if not -1e-6 <= extension <= REACH + 1e-6:
            continue
        one = arm.extend(row, min(max(extension, 0.0), REACH))
        one[arm.base[:2]] -= right * extension
        out.append(one)
    return out


def arm_frame(arm: StretchIk, spot: Array) -> Array:
    """Convert a spot of the scene (x, y, yaw) to the base's joints."""
    root = arm.root
    turn = math.atan2(root[1, 0], root[0, 0])
    local = root[:2, :2].T @ (spot[:2] - root[:2, 3])
    return np.array([local[0], local[1], spot[2] - turn])


def scene_spot(arm: StretchIk, joints: Array) -> Array:
    """Convert the base's joints to a spot of the scene (x, y, yaw)."""
    root = arm.root
    turn = math.atan2(root[1, 0], root[0, 0])
    place = root[:2, 3] + root[:2, :2] @ joints[:2]
    return np.array([place[0], place[1], joints[2] + turn])


def _row(arm: StretchIk, start: Array, reach: ReachRow) -> Array | None:
    """The whole qpos (n, joints) at every pose of the reach, or None if out of reach."""
    pivot = reach.marks[reach.pivot]
    rows: dict[int, Array] = {pivot: start}
    for order in (range(pivot + 1, len(reach.way)), range(pivot - 1, -1, -1)):
        before, last = pivot, start
        for index in order:
            step = _step(arm, last, reach.way[before], reach.way[index])
            if step is None:
                return None
            before, last = index, step
            rows[index] = step
    return np.stack([rows[index] for index in range(len(reach.way))])


def _step(arm: StretchIk, q: Array, here: Array, there: Array) -> Array | None:
    """The configuration at the next pose of a row."""
    if np.allclose(here[:3, :3], there[:3, :3], atol=1e-6):
        return arm.straight(q, there[:3, 3] - here[:3, 3])
    near = [
        one for one in straight_solutions(arm, q, there) if np.max(np.abs(one - q)[arm.wrist]) < 0.4
    ]
    return min(near, key=lambda one: float(np.sum(np.abs(one - q)[arm.wrist])), default=None)


def _base_distance(arm: StretchIk, q: Array, other: Array) -> float:
    return float(np.linalg.norm((other - q)[arm.base[:2]]))


def _liking(arm: StretchIk, q: Array, pivot: Array, reach: ReachRow) -> float:
    """Rating: little driving and turning, extension within limits, wrist nearly straight."""
    step = (pivot - q)[arm.base]
    turn = abs(math.remainder(float(step[2]), 2 * math.pi))
    score = -0.5 * float(np.linalg.norm(step[:2])) - 0.1 * turn - reach.cost
    score -= 0.15 * abs(float(pivot[arm.wrist[0]]))
    return score - 0.5 * abs(arm.extension(pivot) - _BEST_EXTENSION)


def _margin(arm: StretchIk, row: Array) -> float:
    """The distance (m) of lift and extension from their limits along a row."""
    extensions = np.sum(row[:, arm.segments], axis=1)
    lifts = row[:, arm.lift]
    ends = (lifts - arm.low[arm.lift], arm.high[arm.lift] - lifts, extensions, REACH - extensions)
    return float(min(np.min(end) for end in ends))
