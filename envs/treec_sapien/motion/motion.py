"""A robot's motion: its space, arms and base, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
import sapien

from treec_sapien.motion.activity import Activity, ArmActivities
from treec_sapien.motion.arm import Arm, Steps
from treec_sapien.motion.base import MobileBase
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, Index
from treec_sapien.motion.rail import MotionGuard, Rail
from treec_sapien.motion.reach import ReachSolution
from treec_sapien.motion.space import Space
from treec_sapien.motion.stretch import StretchMover
from treec_sapien.motion.stretch_base import StretchBase
from treec_sapien.motion.timing import CONTROL
from treec_sapien.motion.traffic import Traffic
from treec_sapien.robots.robot import Robot

PATIENCE, PROGRESS = 10.0, 0.05
"""Seconds for which a person may hold a motion up until it has got on by that share of what it does
in them at full rate, or by half of what is left, or it is blocked. Ten seconds without progress are
what Nav2 allows by default (``SimpleProgressChecker``); ISO/TS 15066 has a robot stop, and does not
say for how long."""


class Motion:
    """Everything one robot needs to move in a scene.

    ``clock`` returns the simulated seconds. The planning world is built on first use, after the
    whole scene has been built.
    """

    def __init__(self, scene: Any, robot: Robot, clock: Callable[[], float]) -> None:
        self.scene = scene
        self.robot = robot
        self.traffic = Traffic(clock)
        self.activities = ArmActivities()
        self.claims: dict[str, tuple[Array, float]] = {}
        """Where each arm is about to put something (x, y, z), and how wide that is (m)."""
        self.begun: dict[Arm, ReachSolution] = {}
        """What each arm that is rooted set out to reach."""
        self.guard: MotionGuard | None = None
        """Limits its speed where people are."""
        self.patience: dict[str, float] = {}
        """Seconds for which people may hold an arm up until its motion is blocked, by the arm's
        side, where that is not `PATIENCE`."""
        self._space: Space | None = None
        self.arms: dict[str, Arm]
        self.base: MobileBase
        if robot.description.moves == "telescope":
            mover = StretchMover(self, "arm")
            self.arms, self.base = {"arm": mover}, StretchBase(self, mover)
        else:
            self.arms = {side: Arm(self, side) for side in robot.arms}
            self.base = MobileBase(self)

    @property
    def space(self) -> Space:
        """The planning world."""
        if self._space is None:
            self._space = Space(self.scene, self.robot)
        return self._space

    def follow(self, who: str, joints: Index, rows: Array) -> Steps[None]:
        """Drive joints through rows, one per control step; when closed half way, they hold."""
        names = [self.robot.joints[i] for i in joints]
        drives = [self.robot.joint(name) for name in names]
        self.traffic.set_out(who, joints, rows)
        completed = False
        try:
            if self.guard is not None:
                yield from self._follow_guarded(who, joints, rows)
                completed = True
                return
            for i, row in enumerate(rows):
                after = rows[i + 1] if i + 1 < len(rows) else row
                for drive, target, speed in zip(drives, row, (after - row) / CONTROL, strict=True):
                    drive.set_drive_target(float(target))
                    drive.set_drive_velocity_target(float(speed))
                yield
            completed = True
        finally:
            self.traffic.stop(who)
            if not completed:
                self.robot.hold(names)

    def _follow_guarded(self, who: str, joints: Index, rows: Array) -> Steps[None]:
        """Follow rows as fast as people allow. Raises MotionFailure("blocked"): see `PATIENCE`."""
        rail = Rail(self, who, joints, np.concatenate([self.robot.targets()[joints][None], rows]))
        patience = self.patience.get(who, PATIENCE)
        begun, stood, held_up_by = 0.0, 0, ""
        while rail.place < rail.last:
            rail.step()
            person = rail.held_up_by
            with self.activities.during(Activity.PERSON, who) if person else nullcontext():
                yield
            stood, held_up_by = stood + bool(person), person or held_up_by
            wanted = min(PROGRESS * patience / CONTROL, (rail.last - begun) / 2)
            if rail.place - begun >= max(wanted, 1.0):
                begun, stood, held_up_by = rail.place, 0, ""
            elif stood * CONTROL >= patience and self.guard is not None:
                raise MotionFailure("blocked", self.guard.reason(held_up_by), person=held_up_by)

    def away_from_people(
        self, arm: Arm, solutions: Sequence[ReachSolution], q: Array
    ) -> list[ReachSolution]:
        """Return solutions, those first on which nobody holds the arm up who stays where they are.

        ``q`` is the robot's configuration otherwise.
        """
        if self.guard is None or not solutions:
            return list(solutions)
        keys = [[0, it.reach.marks[it.reach.pivot], len(it.q) - 1] for it in solutions]
        rows = np.stack([it.q[at] for it, ats in zip(solutions, keys, strict=True) for at in ats])
        fine = self.guard.leaves_room(arm.whole(q, rows)).reshape(-1, 3).all(axis=1)
        return [solutions[i] for i in np.argsort(~fine, kind="stable")]

    def pause(self, seconds: float, why: Activity = Activity.WORKING, *sides: str) -> Steps[None]:
        """Let time pass; meanwhile these arms do what ``why`` says."""
        with self.activities.during(why, *sides):
            for _ in range(max(1, round(seconds / CONTROL))):
                yield

    def rest_configuration(self) -> Array:
        """Return the present joints with the empty arms retracted, unless blocked.

        Arms that are under way are where they will come to rest.
        """
        now = self.traffic.with_others_at_rest("", self.robot.qpos)
        out = self.retract(now)
        return out if self.space.is_self_collision_free(out) else now

    def retract(self, q: Array, but: Arm | None = None) -> Array:
        """Return ``q``, or rows of it, with the empty arms retracted except for ``but``."""
        out = q.copy()
        for arm in self.arms.values():
            if arm.holding is None and arm is not but:
                out[..., arm.joints] = arm.home
        return out

    def is_apart(self, rows: Array, joints: Index) -> bool:
        """Whether what an arm's joints move is clear of the robot's other arms at these rows."""
        return len(self.arms) == 1 or self.space.is_apart(rows, joints)

    def clear_ahead(self, who: str, joints: Index, rows: Array) -> bool:
        """Whether what ``who`` moves is clear of the robot's other arms on its next rows.

        ``rows`` (n, joints) are followed one per control step. See `Traffic.clear_ahead`.
        """
        if len(self.arms) == 1:
            return True
        q = self.robot.qpos
        with self.space.ignore_contacts(q):
            return self.traffic.clear_ahead(
                who, q, joints, rows, lambda whole: self.space.is_apart(whole, joints)
            )

    def touches(self, links: Iterable[str], entity: Any) -> bool:
        """Whether one of these links of the robot is in contact with an entity now."""
        own = {self.robot.link(name).entity for name in links}
        for contact in self.scene.get_contacts():
            one, two = (body.entity for body in contact.bodies)
            if (one in own and two == entity) or (two in own and one == entity):
                force = sum(float(np.linalg.norm(point.impulse)) for point in contact.points)
                if force > 1e-6:
                    return True
        return False

    def speed(self, entity: Any) -> Array:
        """Return the velocity (m/s) of a free body along x, y and z."""
        body = entity.find_component_by_type(sapien.physx.PhysxRigidDynamicComponent)
        return np.array(body.linear_velocity)

    def palm(self, hand: str, fingers: Iterable[str]) -> tuple[str, ...]:
        """Return the links from an arm's hand link outwards, without the fingers."""
        names: list[str] = []
        todo = [self.robot.link(hand)]
        while todo:
            link = todo.pop()
            names.append(link.name)
            todo += link.children
        return tuple(name for name in names if name not in set(fingers))

    def has_shapes(self, link: str) -> bool:
        """Whether a link has collision shapes."""
        return bool(self.robot.link(link).collision_shapes)
