"""What stands around a thing in a kitchen of SAPIEN, as a case of the kinematic pantry.

The policies see boxes to the sides, behind, below, above and before the goal. They are taken from
the poses of the scene's things. What is farther away than in any case of the training is shown at
the farthest that was trained with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treec_learning.pantry.cases import BOXES, Case, PlaceSpec, shipped_starts
from treec_learning.pantry.kinematics import Array
from treec_sapien.bodies.spec import GraspPoint, Region
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.grasp import grasp_pose

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.environment import SapienKitchen

OPEN_AT_THE_FRONT = ("pantry", "shelf", "fridge")
"""Kinds of bodies whose things stand on boards and are reached from the front."""

_LEVEL, _STRAIGHT = 0.2, 0.8  # of an approach: at most so steep; at least so far into the place
_EDGE = 0.012  # half a finger's height: the least distance (m) of a goal from a thing's top
_WIDE = 0.08  # things within that of the goal's line (m) stand before or behind it
_WIDEST = 0.06  # of a thing, to either side of the goal (m): open fingers pass beside it
_DEPTH, _WALL = 0.45, 0.12
_FAR = 90.0


@dataclass(frozen=True)
class PantryFrame:
    """The pantry's frame: x along its front, y into it, z up from the floor; see `kinematics`."""

    origin: Array
    """(3,): in the scene, on the floor."""
    into: Array
    """(3,): the direction of y."""

    @property
    def along(self) -> Array:
        """The direction of x (3,)."""
        return np.array([self.into[1], -self.into[0], 0.0])

    def inside(self, points: Array) -> Array:
        """Return points (..., 3) of the scene in this frame."""
        off = points - self.origin
        return np.stack([off @ self.along, off @ self.into, off[..., 2]], axis=-1)

    def outside(self, points: Array) -> Array:
        """Return points (..., 3) of this frame in the scene."""
        x, y, z = np.moveaxis(np.asarray(points, dtype=float), -1, 0)
        up = np.array([0.0, 0.0, 1.0])
        return np.asarray(
            self.origin + x[..., None] * self.along + y[..., None] * self.into + z[..., None] * up
        )


@dataclass(frozen=True)
class PantryGoal:
    """A thing in a pantry that a policy may reach for."""

    frame: PantryFrame
    case: Case
    """What stands around it; where the robot stands and begins is not known yet."""
    grasp: GraspPoint
    built: BuiltBody
    """The thing."""


def find_goal(kitchen: SapienKitchen, item: str, offset: Array | None = None) -> PantryGoal | str:
    """Return the goal, or why the policies were not made for it.

    ``offset`` (3; metres): it is believed to be that far from where it is.
    """
    built = kitchen.bodies[item]
    location = _place_of(kitchen, built)
    if location is None:
        return f"{item} does not stand on a board that is open at the front"
    region, pose = location
    into = pose[:3, :3] @ np.array([0.0, 1.0, 0.0])
    grasp = _grasp(built, into)
    if grasp is None:
        return f"{item} has no grasp from the front"
    at = grasp_pose(built, grasp)[:3, 3] + (0.0 if offset is None else offset)
    front = pose[:3, 3] + pose[:3, :3] @ (np.array(region.p) - [0.0, region.half_size[1], 0.0])
    origin = at - into * ((at - front) @ into)
    frame = PantryFrame(np.array([origin[0], origin[1], 0.0]), into)
    board = float(pose[2, 3] + region.p[2] - region.half_size[2])
    ceiling = board + 2 * region.half_size[2]
    low, high = _extent(built, frame)
    if max(-low[0], high[0]) > _WIDEST:
        return f"{item} is wider than what the policies were trained with"
    spec = shipped_starts().place
    goal = frame.inside(at)
    tallest = max(high[2] - _EDGE, board + 0.02)
    goal[2] = min(np.clip(goal[2], board + spec.below[0], board + spec.below[1]), tallest)
    others = [
        _extent(other, frame)
        for name, other in kitchen.bodies.items()
        if name != item and not other.body.fixed
    ]
    back = float(frame.inside(front)[1]) + 2 * region.half_size[1]
    boxes = boxes_around(goal, board, ceiling, back, others, spec, behind=float(high[1]))
    radius = float(np.clip(grasp.width / 2, *spec.radius))
    return PantryGoal(frame, Case("", goal, 0.0, boxes, radius, board, np.zeros(5)), grasp, built)


def boxes_around(
    goal: Array,
    board: float,
    ceiling: float,
    back: float,
    others: Sequence[tuple[Array, Array]],
    spec: PlaceSpec,
    *,
    behind: float,
) -> Array:
    """Return the boxes (6, 2, 3) around a goal, in the order of BOXES.

    ``others`` are the lowest and highest corners of things in the pantry's frame, ``back`` is where
    its back is, and ``behind`` the far side of the thing itself (m).
    """
    boxes = np.full((len(BOXES), 2, 3), _FAR)
    x, y, _ = goal
    here = [
        (low, high)
        for low, high in others
        if high[2] > board + 0.005 and low[2] < ceiling and low[1] < _DEPTH and high[1] > -0.1
    ]
    left = [box for box in here if box[1][0] <= x - 0.01 and box[0][1] < behind]
    right = [box for box in here if box[0][0] >= x + 0.01 and box[0][1] < behind]
    line = [box for box in here if box[0][0] < x + _WIDE and box[1][0] > x - _WIDE]
    before = [box for box in line if box[1][1] < y]
    after = [box for box in line if box[0][1] >= behind - 0.005]
    nothing = np.array([0.0, y - 0.01, board]), np.array([0.0, _DEPTH, board + spec.neighbour[0]])
    far = 2 * spec.free[1]
    near = [box for box in left if box[1][0] > x - far]
    low, high = max(near, key=lambda box: box[1][0]) if near else nothing
    edge = max(float(high[0]) if near else -_FAR, x - spec.free[1])
    boxes[0] = (edge - _WALL, low[1], board), (edge, _DEPTH, high[2])
    near = [box for box in right if box[0][0] < x + far]
    low, high = min(near, key=lambda box: box[0][0]) if near else nothing
    edge = min(float(low[0]) if near else _FAR, x + spec.free[1])
    boxes[1] = (edge, low[1], board), (edge + _WALL, _DEPTH, high[2])
    wall = min([back, y + spec.behind[1], *(float(low[1]) for low, _ in after)])
    boxes[2] = (-1.0, wall, board), (1.0, _DEPTH + 0.02, board + 0.4)
    boxes[3] = (-1.0, 0.0, board - 0.02), (1.0, _DEPTH, board)
    above = min(ceiling, float(goal[2]) + spec.above[1])
    boxes[4] = (-1.0, 0.0, above), (1.0, _DEPTH, above + 0.02)
    if before:
        boxes[5] = min(before, key=lambda box: abs(float(box[0][0] + box[1][0]) / 2 - x))
    return boxes


def _place_of(kitchen: SapienKitchen, built: BuiltBody) -> tuple[Region, Array] | None:
    """The board that a thing stands on: its region, and the pose of its body."""
    p = np.array([*built.pose().p, 1.0])
    for name, region, pose in kitchen.regions():
        owner = kitchen.bodies[kitchen.owner(name)]
        if owner.body.kind not in OPEN_AT_THE_FRONT or region.kind != "on":
            continue
        there = matrix(pose)
        own = (np.linalg.inv(there) @ p)[:3] - np.array(region.p)
        if np.all(np.abs(own) <= np.array(region.half_size) + 0.01):
            return region, there
    return None


def _grasp(built: BuiltBody, into: Array) -> GraspPoint | None:
    """The thing's grasp that comes most straight from the front."""
    candidates = [
        (float(pose[:3, 2] @ into), -number, grasp)
        for number, grasp in enumerate(built.body.grasps)
        if abs((pose := grasp_pose(built, grasp))[2, 2]) < _LEVEL
        and abs(pose[2, 1]) < _LEVEL
        and pose[:3, 2] @ into > _STRAIGHT
    ]
    return max(candidates, key=lambda one: one[:2])[2] if candidates else None


def _extent(built: BuiltBody, frame: PantryFrame) -> tuple[Array, Array]:
    """The lowest and highest corner (3,) of a thing in the pantry's frame."""
    boxes = [link.compute_global_aabb_tight() for link in built.links.values()]
    low = np.min([box[0] for box in boxes], axis=0)
    high = np.max([box[1] for box in boxes], axis=0)
    corners = np.array([[(low, high)[n >> k & 1][k] for k in range(3)] for n in range(8)])
    points = frame.inside(corners)
    return points.min(axis=0), points.max(axis=0)
