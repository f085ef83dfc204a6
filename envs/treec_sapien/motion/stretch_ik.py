"""Closed-form inverse kinematics of Stretch within joint limits.

Stretch has eight degrees of freedom: three of the base, the lift, the extension and a wrist with
yaw, pitch and roll. The tool's direction determines pitch and, for a given heading of the base, yaw
and roll; its height determines the lift; its position then determines the base's for any chosen
extension. So every pose whose pitch and height are within limits has a family of solutions by
heading and extension, found without iteration. The four segments of the telescoping arm share the
extension evenly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from treec_sapien.motion.chain import Chain
from treec_sapien.motion.frames import Array, inverse, matrix
from treec_sapien.robots.robot import Robot

REACH = 0.52
"""Range of the extension (m)."""

HEADINGS: tuple[float, ...] = tuple(np.linspace(-math.pi, math.pi, 24, endpoint=False))
EXTENSIONS = (0.06, 0.16, 0.26, 0.36, 0.46)
WRISTS = (0.0, math.pi / 2, -math.pi / 2, math.pi)
"""Wrist yaws tried when the tool points straight down, where all are equivalent."""

_VERTICAL = 2e-3  # directions this near to the vertical have no heading
_SLACK = 2e-3  # tolerance of limits for rounding (the pitch's is -1.57, not -pi/2)


class StretchIk:
    """Forward and inverse kinematics of Stretch's tool point, in whole qpos vectors.

    A **bend** (5,) is the arm's own configuration: lift, extension, wrist yaw, pitch and roll.
    """

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        origin = matrix(robot.articulation.root_pose)
        self.chain = Chain(robot.articulation, robot.arms["arm"].tcp, origin)
        self.root = matrix(robot.pose)
        where = {name: int(at) for at, name in enumerate(robot.joints)}
        self.base = [where[name] for name in robot.base_joints]
        lift, *joints = (where[name] for name in robot.arms["arm"].joints)
        self.lift = lift
        self.segments, self.wrist = joints[:-3], joints[-3:]
        self.columns = robot.indices(self.chain.names)  # of the chain's joints in qpos
        self.low = np.full(len(robot.joints), -np.inf)
        self.high = np.full(len(robot.joints), np.inf)
        self.low[self.columns], self.high[self.columns] = self.chain.low, self.chain.high

    def pose(self, q: Array) -> Array:
        """Return the tool point's pose (4, 4), or poses (n, 4, 4), in the scene's frame."""
        return self.chain.poses(q[..., self.columns])

    def extension(self, q: Array) -> float:
        """Return the arm's extension (m)."""
        return float(np.sum(q[self.segments]))

    def extend(self, q: Array, extension: float) -> Array:
        """Return ``q`` with that extension."""
        out = q.copy()
        out[self.segments] = extension / len(self.segments)
        return out

    def bend(self, q: Array) -> Array:
        """Return the arm's bend in a configuration."""
        return np.array([q[self.lift], self.extension(q), *q[self.wrist]])

    def bent(self, q: Array, bend: Array) -> Array:
        """Return ``q`` with that bend; many rows for many bends (n, 5)."""
        out = np.broadcast_to(q, (*bend.shape[:-1], len(q))).copy()
        out[..., self.segments] = bend[..., 1:2] / len(self.segments)
        out[..., self.lift] = bend[..., 0]
        out[..., self.wrist] = bend[..., 2:]
        return out

    def solve(
        self,
        goal: Array,
        q: Array,
        *,
        headings: Sequence[float] = HEADINGS,
        extensions: Sequence[float] = EXTENSIONS,
        wrists: Sequence[float] = WRISTS,
    ) -> Array:
        """Return all solutions (n, joints) for the tool at ``goal`` (4, 4); fingers as in ``q``.

        ``headings`` are of the base, in the frame of the robot's root.
        """
        local = inverse(self.root) @ goal
        approach, closing = local[:3, 2], local[:3, 1]
        pitch = math.atan2(approach[2], math.hypot(approach[0], approach[1]))
        vertical = math.hypot(approach[0], approach[1]) < _VERTICAL
        rows = []
        for heading, extension in itertools.product(headings, extensions):
            if vertical:
                yaws: Sequence[float] = wrists
            else:
                yaws = [math.atan2(approach[1], approach[0]) - heading + math.pi / 2]
            for yaw in yaws:
                yaw = self._within(yaw, self.wrist[0])
                tool = heading - math.pi / 2 + yaw
                level = np.array([-math.sin(tool), math.cos(tool), 0.0])
                roll = math.atan2(closing @ np.cross(approach, level), closing @ level)
                row = self.extend(q, extension)
                row[self.base] = 0.0, 0.0, heading
                row[self.lift] = 0.0
                row[self.wrist] = yaw, pitch, roll
                rows.append(row)
        solutions = np.array(rows)
        near = self.inside(solutions)
        solutions = self.clip_to_limits(solutions[near])  # before the position, which is then exact
        points = (inverse(self.root) @ self.pose(solutions))[:, :3, 3]
        solutions[:, self.base[:2]] = local[:2, 3] - points[:, :2]
        solutions[:, self.lift] = local[2, 3] - points[:, 2]
        good = self.inside(solutions)
        return self.clip_to_limits(solutions[good])

    def straight(self, q: Array, shift: Array) -> Array | None:
        """Return ``q`` with the tool point translated (3,) in the scene; None beyond the limits.

        The base drives ahead or back, the arm extends and the lift moves, all at once; the base
        does not slide sideways. Upwards the hand goes as high as the lift allows.
        """
        step = self.root[:3, :3].T @ shift
        heading = q[self.base[2]]
        ahead = np.array([math.cos(heading), math.sin(heading)])
        right = np.array([ahead[1], -ahead[0]])
        out = self.extend(q, self.extension(q) + float(step[:2] @ right))
        out[self.base[:2]] += ahead * (step[:2] @ ahead)
        out[self.lift] = min(q[self.lift] + step[2], max(q[self.lift], self.high[self.lift]))
        return self.clip_to_limits(out) if self.inside(out[None])[0] else None

    def inside(self, q: Array) -> Array:
        """Return which of these configurations (n, joints) are within all limits."""
        within = (q >= self.low - _SLACK) & (q <= self.high + _SLACK)
        return np.asarray(np.all(within, axis=1))

    def clip_to_limits(self, q: Array) -> Array:
        """Return ``q`` clipped to all limits."""
        return np.clip(q, self.low, self.high)

    def _within(self, angle: float, joint: int) -> float:
        """The same angle inside the joint's limits, if an equivalent one is."""
        turns = (angle + k * 2 * math.pi for k in (0, 1, -1, 2, -2))
        inside = (a for a in turns if self.low[joint] <= a <= self.high[joint])
        return next(inside, angle)
