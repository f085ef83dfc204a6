"""How Stretch comes to a pose: which of its many ways, where the base stands, and the row of it.

All poses of a reach are taken from one spot: between them the base drives only straight ahead or
back, as wheels do, the arm extends and the lift lifts.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from treec.envs.sapien.motion.floor import Floor
from treec.envs.sapien.motion.frames import Array
from treec.envs.sapien.motion.reach import ReachRow, ReachSolution
from treec.envs.sapien.motion.stretch_ik import REACH, WRISTS, StretchIk

BODY = 0.36
"""The radius (m) of the disc that the base with its arm folded needs to turn on."""

BESIDE = 0.2
"""How near (m) its middle may come to things when it slides in sideways: half its width."""

_AHEAD = 0.45  # how far the base drives ahead or back before it is better to fold the arm (m)
_STAYING = 0.6  # how much better it is not to fold the arm
_BEST_EXTENSION = 0.2


def ways(
    arm: StretchIk, q: Array, reaches: Sequence[ReachRow], floor: Floor, most: int = 60
) -> list[ReachSolution]:
    """Ways to follow each reach, the best first; nothing is asked about collisions of the arm.

    ``q`` is where the robot is now. A way that keeps the base where it is (``base`` None) comes
    before those that drive there.
    """
    starts: list[tuple[float, int, Array, bool]] = []
    for number, reach in enumerate(reaches):
        goal = reach.way[reach.marks[reach.pivot]]
        near = [one for one in planted(arm, q, goal) if _moved(arm, q, one) < _AHEAD]
        starts += [(_liking(arm, q, one, reach) + _STAYING, number, one, True) for one in near]
        for one in arm.solve(goal, q):
            if floor.space_at(scene_spot(arm, one[arm.base])[:2]) >= BESIDE:
                starts.append((_liking(arm, q, one, reach), number, one, False))
    starts.sort(key=lambda start: -start[0])
    found: list[ReachSolution] = []
    each = Counter[int]()
    enough = max(2, 3 * most // max(1, len(reaches)))  # of one reach: the others get their turn
    for score, number, start, stays in starts:
        if each[number] >= enough:
            continue
        row = _row(arm, start, reaches[number])
        if row is not None:
            base = None if stays else row[0][arm.base].copy()
            chain = row[:, arm.columns]
            each[number] += 1
            found.append(ReachSolution(reaches[number], chain, base, _margin(arm, row), score))
        if len(found) >= most:
            break
    return found


def planted(arm: StretchIk, q: Array, goal: Array) -> list[Array]:
    """Solutions with the base's heading kept, and its place but for driving ahead or back."""
    heading = float(q[arm.base[2]])
    right = np.array([math.sin(heading), -math.cos(heading)])
    out = []
    yaws = dict.fromkeys((float(q[arm.wrist[0]]), *WRISTS))
    for row in arm.solve(goal, q, headings=[heading], extensions=[0.0], wrists=list(yaws)):
        extension = float((row[arm.base[:2]] - q[arm.base[:2]]) @ right)
        if not -1e-6 <= extension <= REACH + 1e-6:
            continue
        one = arm.extended(row, min(max(extension, 0.0), REACH))
        one[arm.base[:2]] -= right * extension
        out.append(one)
    return out


def spots_beside(
    arm: StretchIk, middle: Array, half: Array, turn: float, floor: Floor
) -> list[Array]:
    """Where the base may stand beside a rectangle, x, y and yaw (3,), the arm towards it.

    ``middle`` (2,), ``half`` (2,) and ``turn`` (rad) are of the rectangle, in the scene's frame.
    """
    out = []
    for side in range(4):
        angle = turn + side * math.pi / 2
        outward = np.array([math.cos(angle), math.sin(angle)])
        along = np.array([-outward[1], outward[0]])
        depth, length = (half[0], half[1]) if side % 2 == 0 else (half[1], half[0])
        for away in (0.42, 0.5, 0.6):
            for share in (0.0, 0.35, -0.35, 0.7, -0.7):
                spot = middle + outward * (depth + away) + along * length * share
                if floor.space_at(spot) >= BODY:
                    # the arm points to the robot's right: right is -outward
                    yaw = math.atan2(along[1], along[0]) + math.pi
                    heading = yaw if _right(yaw) @ outward < 0 else yaw + math.pi
                    out.append(arm_frame(arm, np.array([*spot, heading])))
    return out


def arm_frame(arm: StretchIk, spot: Array) -> Array:
    """A spot of the scene (x, y, yaw) as the base's joints."""
    root = arm.root
    turn = math.atan2(root[1, 0], root[0, 0])
    local = root[:2, :2].T @ (spot[:2] - root[:2, 3])
    return np.array([local[0], local[1], spot[2] - turn])


def scene_spot(arm: StretchIk, joints: Array) -> Array:
    """The base's joints as a spot of the scene (x, y, yaw)."""
    root = arm.root
    turn = math.atan2(root[1, 0], root[0, 0])
    place = root[:2, 3] + root[:2, :2] @ joints[:2]
    return np.array([place[0], place[1], joints[2] + turn])


def _right(yaw: float) -> Array:
    return np.array([math.sin(yaw), -math.cos(yaw)])


def _row(arm: StretchIk, start: Array, reach: ReachRow) -> Array | None:
    """The whole qpos (n, joints) at every pose of the reach; None where it is beyond reach."""
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
    """From one pose of a row to the next."""
    if np.allclose(here[:3, :3], there[:3, :3], atol=1e-6):
        return arm.straight(q, there[:3, 3] - here[:3, 3])
    near = [one for one in planted(arm, q, there) if np.max(np.abs(one - q)[arm.wrist]) < 0.4]
    return min(near, key=lambda one: float(np.sum(np.abs(one - q)[arm.wrist])), default=None)


def _moved(arm: StretchIk, q: Array, other: Array) -> float:
    return float(np.linalg.norm((other - q)[arm.base[:2]]))


def _liking(arm: StretchIk, q: Array, pivot: Array, reach: ReachRow) -> float:
    """Near, little turning, the arm not at its end, the wrist nearly straight out."""
    step = (pivot - q)[arm.base]
    turn = abs(math.remainder(float(step[2]), 2 * math.pi))
    score = -0.5 * float(np.linalg.norm(step[:2])) - 0.1 * turn - reach.cost
    score -= 0.15 * abs(float(pivot[arm.wrist[0]]))
    return score - 0.5 * abs(arm.extension(pivot) - _BEST_EXTENSION)


def _margin(arm: StretchIk, row: Array) -> float:
    """How far (m) lift and extension stay from their limits along a row."""
    extensions = np.sum(row[:, arm.segments], axis=1)
    lifts = row[:, arm.lift]
    ends = (lifts - arm.low[arm.lift], arm.high[arm.lift] - lifts, extensions, REACH - extensions)
    return float(min(np.min(end) for end in ends))
