"""Stretch's reach in a kitchen of SAPIEN, step by step as in the kinematic pantry.

The configuration (drive, lift, extension, yaw, pitch) is read off the robot's joints; an action
moves the robot's joints by what it moves them by in the kinematic pantry. The collision model of
the motion planner says which actions are free.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from treec_learning.pantry.cases import Case
from treec_learning.pantry.kinematics import FOLDED_REACH, Array, configuration_at, tip
from treec_learning.pantry.simulator import MOVES, NEAR, PantrySimulator
from treec_learning.sapien.surroundings import PantryFrame, PantryGoal
from treec_sapien.motion.frames import translate
from treec_sapien.motion.stretch_solutions import arm_frame
from treec_sapien.placement import footprint

if TYPE_CHECKING:
    from treec_sapien.build import BuiltBody
    from treec_sapien.motion.arm import Steps
    from treec_sapien.motion.stretch import StretchMover

Seen = npt.NDArray[np.float32]
LIMIT = "limit"
"""What refuses an action beyond a joint's limit."""


class StretchReach:
    """The hand of a Stretch on its way to a goal.

    The robot stands before the pantry with its arm along the frame's y, and its hand is level.
    """

    def __init__(self, arm: StretchMover, goal: PantryGoal) -> None:
        self.arm = arm
        self.frame: PantryFrame = goal.frame
        self.case: Case = goal.case
        self._goal = goal
        self._ik = arm.ik
        self._picture = PantrySimulator([self.case])
        root = arm.ik.root[:3, :3]
        self._along = (root.T @ self.frame.along)[:2]
        self.commanded = arm.within(arm.robot.targets())
        """The joints (whole qpos) where the last action leads."""

    def configuration(self, q: Array) -> tuple[Array, float]:
        """Return the configuration (5,) at joints ``q``, and y of the robot's base (m)."""
        lift, extension, yaw, pitch, _ = self._ik.bend(q)
        there = self.frame.inside(self._ik.pose(q)[:3, 3])
        joints = np.array([0.0, lift, extension, yaw, pitch])
        off = there - tip(joints[None], np.zeros(1))[0]
        return np.array([off[0], lift + off[2], extension, yaw, pitch]), float(off[1])

    def picture(self) -> PantrySimulator:
        """Return the kinematic pantry with the hand where it is now."""
        q, stand = self.configuration(self.arm.within(self.arm.robot.qpos))
        self._picture.q[0] = q
        self._picture.around.stand[0] = stand
        return self._picture

    def seen(self, observation: str) -> Seen:
        """Return what a policy sees now (size,): of the robot's joints, and of the goal."""
        return np.asarray(self.picture().seen(observation)[0])

    @property
    def distance(self) -> float:
        """From the tool point to the goal (m)."""
        there = self.frame.inside(self.arm.tcp[:3, 3])
        return float(np.linalg.norm(there - self.case.goal))

    @property
    def reached(self) -> bool:
        """Whether the thing is between the pads."""
        return self.distance < NEAR

    def after(self, action: int) -> Array:
        """Return the joints (whole qpos) after an action; limits are not minded."""
        return self.at(MOVES[action])

    def at(self, moved: Array) -> Array:
        """Return the joints (whole qpos) after moving a configuration (5,) by ``moved``."""
        drive, *bend = moved
        q: Array = self.commanded.copy()
        q[self._ik.base[:2]] += drive * self._along
        now = self._ik.bend(q)
        return self._ik.bent(q, now + np.array([*bend, 0.0]))

    def is_clear(self, here: Array, to: Array, *, roomy: bool = False) -> bool:
        """Whether a step from ``here`` to ``to`` (whole qpos) keeps to the limits and is free."""
        is_inside = bool(self._ik.inside(to[None])[0])
        return is_inside and self.arm.motion.space.all_free(_step(here, to), roomy=roomy)

    def can_close(self, q: Array) -> bool:
        """Whether the fingers touch nothing but the thing while they close on it at ``q``."""
        rows = np.repeat(q[None], 3, axis=0)
        rows[:, self.arm.fingers] = fingers_on(self.arm, self._goal.built, np.array([0.7, 0.3, 0]))
        with self.arm.may_touch(self._goal.built.entity):
            return self.arm.motion.space.all_free(rows)

    def distance_at(self, q: Array) -> float:
        """From the tool point to the goal (m) at joints (whole qpos)."""
        there = self.frame.inside(self._ik.pose(q)[:3, 3])
        return float(np.linalg.norm(there - self.case.goal))

    def is_free(self, action: int) -> bool:
        """Whether it keeps to the limits and, by the planner's model, touches nothing."""
        return self.refusal(action) is None

    def limit(self, action: int) -> str | None:
        """Return LIMIT if an action leads beyond a joint's limit, or None."""
        return None if self._ik.inside(self.after(action)[None])[0] else LIMIT

    def refusal(self, action: int) -> str | None:
        """Return what an action would touch (LIMIT for a joint's limit), or None."""
        if self.limit(action) is not None:
            return LIMIT
        space, rows = self.arm.motion.space, _step(self.commanded, self.after(action))
        if space.all_free(rows):
            return None
        for row in rows:
            for one, other in space.contacts(row):
                own = self.arm.robot.name
                return next((it for it in map(body_of, (one, other)) if it != own), "itself")
        return "itself"

    def execute(self, action: int) -> Steps[None]:
        """Move the joints, within the robot's speeds and past whoever guards it."""
        to = self._ik.clip_to_limits(self.after(action))
        path = np.stack([self.commanded, to])[:, self.arm.all_joints]
        self.commanded = to
        yield from self.arm.go_along(path)

    def joints(self, config: Array, stand: float) -> tuple[Array, Array]:
        """Return the base's spot (x, y, yaw in the scene) and the bend of a configuration (5,).

        ``stand`` is y of the robot's base (m).
        """
        ik, into = self._ik, self.frame.into
        x, y, _ = self.frame.outside(np.array([config[0], stand, 0.0]))
        spot = np.array([x, y, float(np.arctan2(into[0], -into[1]))])
        bend = np.array([0.0, *config[2:], 0.0])
        q = ik.bent(self.commanded, bend)
        q[ik.base] = arm_frame(ik, spot)
        aim = tip(config[None], np.array([stand]))[0]
        off = aim - self.frame.inside(ik.pose(q)[:3, 3])
        spot += np.array([*(off[0] * self.frame.along + off[1] * into)[:2], 0.0])
        bend[0] = off[2]
        return spot, bend

    def start(self, ahead: float, beside: float, above: float) -> tuple[Array, Array]:
        """Return where an episode with a drawn-in arm begins: the base's spot and the bend.

        The spot is (x, y, yaw) in the scene; the bend is lift, extension and wrist. The tip is
        ``ahead`` metres before the pantry, ``beside`` and ``above`` the goal.
        """
        aim = np.array([self.case.goal[0] + beside, -ahead, self.case.goal[2] + above])
        stand = np.array([-ahead - FOLDED_REACH])
        config = configuration_at(aim[None], stand, np.zeros(1), np.zeros(1))[0]
        return self.joints(config, float(stand[0]))

    def grasp_pose(self) -> Array:
        """Return the present pose of the tool (4, 4), moved to the goal."""
        now = self.arm.tcp
        return translate(now, world=self.frame.outside(self.case.goal) - now[:3, 3])


def _step(here: Array, to: Array) -> Array:
    """The joints (2, whole qpos) at which a step is tested: its end and its middle."""
    return np.stack([to, (to + here) / 2])


def fingers_on(arm: StretchMover, built: BuiltBody, apart: Array) -> Array:
    """Return the fingers' joints (n, fingers) on a thing; ``apart`` (n,) of 1 is wide open."""
    gripper = arm.about.gripper
    shut, widest = np.array(gripper.shut), np.asarray(arm.widest)
    thick = min(footprint(built.body) / gripper.opening[1], 1.0)
    return np.asarray(shut + (thick + apart * (1.0 - thick))[:, None] * (widest - shut))


def body_of(piece: str) -> str:
    """Return the name of the body, robot or person of a piece of the planning world.

    Their names end in numbers there, and a person's, like a free thing's, stands twice:
    ``fridge_3/door``, ``jar_1_4/jar_1_4``, ``user/hand_5/user/hand_5``.
    """
    half = len(piece) // 2
    name = piece[:half] if piece[:half] == piece[half + 1 :] else piece.rpartition("/")[0]
    return name.rpartition("_")[0].partition("/")[0]
