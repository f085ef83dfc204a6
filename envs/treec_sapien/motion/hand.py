"""The gripper of an arm: its fingers, what they hold, and how the planner knows."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.upright import Upright

if TYPE_CHECKING:
    from treec_sapien.motion.frames import Array, Index
    from treec_sapien.motion.motion import Motion
    from treec_sapien.robots.description import ArmDescription
    from treec_sapien.robots.robot import Robot

_SQUEEZE = 0.03
"""Metres beyond shut that closing fingers are driven to, which sets their force (about 30 N)."""

_OPEN = 0.004  # m
_LOST = 0.03  # m: a thing that no finger touches and that moved this far in the hand is lost
_LOOKS = 12  # control steps between two checks for that
_FALLS, _STILL = 90, 0.02  # control steps to wait for it to come to rest, m/s
_RESTS = 3  # control steps that it must be at rest: at the top of a bounce it is slow, too


class GripperMotion:
    """Motions of an arm's gripper; an arm is one."""

    motion: Motion
    robot: Robot
    about: ArmDescription
    fingers: Index
    holding: Any | None = None
    upright: Upright | None = None
    careful: bool = False
    """Whether to move slowly even in free space: what is held has slipped before."""

    opens_to: float | None = None
    """How wide (m) the fingers open for a grasp, where neighbours leave no room for more."""

    _taken: Array

    loose: float = 0.012
    """How far the fingers open to release (m): there may be little room."""

    @property
    def hand_links(self) -> tuple[str, ...]:
        """The links of hand and fingers, which may touch a thing that is grasped."""
        return (
            *self.about.gripper.links[0],
            *self.about.gripper.links[1],
            *self.motion.palm(self.about.hand, self.finger_links),
        )

    @property
    def finger_links(self) -> tuple[str, ...]:
        """The links of both fingers."""
        return (*self.about.gripper.links[0], *self.about.gripper.links[1])

    @property
    def width(self) -> float:
        """The distance between the fingers."""
        first, second = self.robot.qpos[self.fingers]
        return self.about.gripper.width(float(first), float(second))

    @property
    def is_open(self) -> bool:
        """Whether the fingers are open as far as they go, or nearly so."""
        return self.width > self._opening - _OPEN

    @property
    def _opening(self) -> float:
        return self.about.gripper.opening[1] if self.opens_to is None else self.opens_to

    @property
    def widest(self) -> Array:
        """The fingers' joints when they are wide open."""
        return np.array(self.about.gripper.targets(self._opening), dtype=float)

    def spread(self) -> None:
        """Begin to open the fingers while something else goes on."""
        gripper = self.about.gripper
        self.robot.drive_to(gripper.joints, gripper.targets(self._opening))

    def open_gripper(self, width: float | None = None) -> Generator[None, None, None]:
        """Open the fingers to ``width`` metres or as far as they go; takes at most 0.6 s."""
        gripper = self.about.gripper
        target = self._opening if width is None else width
        self.robot.drive_to(gripper.joints, gripper.targets(target))
        for _ in range(36):
            yield
            if abs(self.width - min(max(target, gripper.opening[0]), gripper.opening[1])) < 0.002:
                return

    def let_go(self) -> Generator[None, None, None]:
        """Open each finger a little from where it is, without pushing what is held off-centre."""
        gripper = self.about.gripper
        target = self.robot.qpos[self.fingers] + self.loose * np.array(gripper.travel)
        self.robot.drive_to(gripper.joints, target)
        for _ in range(24):
            yield
            if np.max(np.abs(self.robot.qpos[self.fingers] - target)) < 0.001:
                return

    def close_gripper(self) -> Generator[None, None, bool]:
        """Close the fingers; whether something is between them when they have come to rest."""
        gripper = self.about.gripper
        shut = zip(gripper.shut, gripper.travel, strict=True)
        self.robot.drive_to(gripper.joints, [at - _SQUEEZE * travel for at, travel in shut])
        before = self.width
        for tick in range(48):
            yield
            if tick > 10 and abs(self.width - before) < 2e-4:
                break
            before = self.width
        return self.width > gripper.opening[0] + 0.0015

    def centre(self) -> None:
        """Press on from the middle between the pads, as fingers do that one motor moves.

        Each finger has a drive of its own. Driven to beyond shut both press as hard as they can,
        wherever they are, and what is held drifts to one side until that finger is at its limit:
        it could not open any more, and would drag along what is released.
        """
        gripper, drives = self.about.gripper, self.robot.description.drives
        shut, travel = np.array(gripper.shut), np.array(gripper.travel)
        middle = float(np.mean((self.robot.qpos[self.fingers] - shut) / travel))
        press = np.array([drives[name].force / drives[name].stiffness for name in gripper.joints])
        self.robot.drive_to(gripper.joints, shut + middle * travel - np.sign(travel) * press)

    def attach(
        self, entity: Any, *, upright: Upright | None = None, also: Sequence[str] = ()
    ) -> None:
        """Let the planner move ``entity`` with this hand from now on; it touches ``also``."""
        self.holding = entity
        self.opens_to = None
        self.upright = upright
        self._taken = self._in_hand(entity)
        if not also:
            self.centre()
        touch = [link for link in (*self.hand_links, *also) if self.motion.has_shapes(link)]
        self.motion.space.attach(entity, self.about.hand, touch)

    def attach_too(self, entity: Any) -> None:
        """Declare that this hand also holds what another one has attached."""
        self.holding = entity
        self._taken = self._in_hand(entity)

    def detach(self) -> None:
        """Let the planner no longer move anything with this hand."""
        if self.holding is not None:
            self.motion.space.detach(self.holding)
        self.holding = None
        self.upright = None
        self.careful = False

    def grips(self, entity: Any) -> bool:
        """Whether both fingers touch ``entity``."""
        return all(self.motion.touches(links, entity) for links in self.about.gripper.links)

    def while_holding(self, steps: Generator[None, None, None]) -> Generator[None, None, None]:
        """Yield the same steps as long as the hand keeps what it holds.

        Fails as "dropped" when that was lost, once it is at rest.
        """
        try:
            for number, _ in enumerate(steps):
                if number % _LOOKS == 0 and self._has_lost():
                    break
                yield
            else:
                return
        finally:
            steps.close()
        thing: Any = self.holding
        self.detach()
        yield from self.until_still(thing)
        raise MotionFailure("dropped", f"{thing.name} on the way")

    def until_still(self, thing: Any) -> Generator[None, None, None]:
        """Wait until a free body is at rest; takes at most 1.5 s."""
        still = 0
        for _ in range(_FALLS):
            yield
            slow = float(np.linalg.norm(self.motion.speed(thing))) < _STILL
            still = still + 1 if slow else 0
            if still >= _RESTS:
                return

    def _has_lost(self) -> bool:
        if self.holding is None:
            return False
        if float(np.linalg.norm(self._in_hand(self.holding) - self._taken)) < _LOST:
            return False
        return not self.motion.touches(self.finger_links, self.holding)

    def _in_hand(self, entity: Any) -> Array:
        """The position of a thing in the hand's frame (3,)."""
        hand = self.robot.link(self.about.hand).entity_pose
        return matrix(hand.inv() * entity.pose)[:3, 3]
