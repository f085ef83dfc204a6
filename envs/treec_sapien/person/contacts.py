"""Contacts between people and robots, with what these hold, and whose motion made them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.motion.frames import Array, matrix
from treec_sapien.motion.timing import CONTROL
from treec_sapien.person.figure import CAPSULES, points
from treec_sapien.person.guard import HAND_PARTS

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen
    from treec_sapien.robots.robot import Robot

SPEED = 0.05
"""Speed (m/s) at which a robot's drives move the place where it is touched towards who touches it,
above which the contact is the robot's own doing.

Not the speed of the link itself: whoever hits an arm with 3 m/s makes it fly.
"""

LAG = 3
"""Control steps within which an arm follows the targets of its drives."""

LATELY = 2.0
"""Seconds after a person's push within which a thing that falls over has fallen because of it."""

NEAR = 0.75
"""Metres between a joint of somebody who stands still and any link of a robot from which on they
may touch before the next look (`LOOK`): half a link, what is held and a body's radius, and what an
arm moves in that time."""

LOOK = 6
"""Control steps between two looks whether a robot is near somebody who stands still."""

SAME = 0.1
"""Seconds without a contact after which the next one is another: what is pushed bounces."""


class ContactCounter:
    """Counts what touches people, in each control step."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        self._kitchen = kitchen
        self._before: dict[str, tuple[Array, Array]] = {}
        self._steps: dict[str, deque[tuple[Array, Array, Array]]] = {
            name: deque(maxlen=LAG) for name in kitchen.robots
        }
        self._parts = {part for person in kitchen.people.values() for part in person.links.values()}
        self._last: dict[tuple[str, str, str], float] = {}
        self._pushed: dict[str, float] = {}
        self._apart_until = 0

    def begin(self) -> None:
        """Note where the drives' targets and the joints are before anybody sets them."""
        self._before = {
            name: (robot.targets(), robot.qpos) for name, robot in self._kitchen.robots.items()
        }

    def end(self) -> None:
        """Count what touches a person after the step.

        A contact is the robot's own if its drives move it into the person at any time of it.
        """
        kitchen = self._kitchen
        for name, before in self._before.items():
            self._steps[name].append((*before, kitchen.robots[name].targets()))
        if self._is_apart():
            return
        touching: dict[tuple[str, str, str], bool] = {}
        held = kitchen.held_things()
        for contact in kitchen.scene.get_contacts():
            bodies = contact.bodies
            if self._parts.isdisjoint(bodies):  # of hundreds: not yet their entities
                continue
            pieces = [kitchen.pieces.get(body.entity) for body in bodies]
            for at, (own, other) in enumerate((pieces, pieces[::-1])):
                if own is None or other is None or own[0] not in kitchen.people:
                    continue
                person, (body, part) = own[0], other
                robot, link = held.get(body, other)  # what is held counts to the robot
                if body in held and own[1] in _HAND_PARTS and kitchen.is_given_to(robot, person):
                    continue  # but where it is handed to that hand
                points = [point for point in contact.points if point.separation <= 0.0]
                if points and kitchen.is_free(robot):
                    self._pushed[robot] = kitchen.now
                if robot not in kitchen.robots or not points:
                    continue
                sign = 1.0 if at == 0 else -1.0  # normals point to the first body
                moves = max(self._speed(robot, link, it, sign) for it in points) > SPEED
                key = person, robot, body if body in held else part
                touching[key] = touching.get(key, False) or moves
        for (person, robot, what), moves in touching.items():
            self._count(person, robot, what, own_motion=moves)

    def _is_apart(self) -> bool:
        """Whether nobody moves, and no robot is near anybody: hundreds of contacts say nothing."""
        kitchen = self._kitchen
        people = kitchen.people.values()
        if any(person.is_moving(kitchen.now) for person in people):
            self._apart_until = 0
            return False
        if kitchen.ticks < self._apart_until:
            return True
        bodies = np.concatenate([points(person.joints(kitchen.now)) for person in people])
        links = [link for robot in kitchen.robots.values() for link in robot.links]
        places = np.array([link.entity_pose.p for link in links])
        apart = np.linalg.norm(bodies[:, None] - places, axis=-1)
        if not len(places) or apart.min() > NEAR:
            self._apart_until = kitchen.ticks + LOOK
            return True
        return False

    def was_pushed(self, thing: str) -> bool:
        """Whether a person has touched a thing just now that no robot holds."""
        return self._kitchen.now - self._pushed.get(thing, -np.inf) <= LATELY

    def _count(self, person: str, robot: str, link: str, *, own_motion: bool) -> None:
        now, key = self._kitchen.now, (person, robot, link)
        is_new = now - self._last.get(key, -np.inf) > SAME
        self._last[key] = now
        self._kitchen.people[person].count_contact(
            now, robot, link, own_motion=own_motion, is_new=is_new
        )

    def _speed(self, robot: str, link: str, point: Any, sign: float) -> float:
        """How fast (m/s) the drives move a point of contact along its normal, at most, lately."""
        normal = sign * np.array(point.normal, dtype=float)
        known = self._kitchen.robots[robot]
        jacobian = point_jacobian(known, link, np.array(point.position, dtype=float))
        speeds = (driven(*step) / CONTROL for step in self._steps[robot])
        return max((float(normal @ jacobian @ it) for it in speeds), default=0.0)


def driven(before: Array, at: Array, targets: Array) -> Array:
    """Return how far drives move joints (n) ``at`` rest whose targets change.

    They follow the change, but no farther than to their targets: a finger that held something, its
    target beyond what it holds, moves nowhere when it only presses less.
    """
    change, left = targets - before, targets - at
    far = np.minimum(np.abs(change), np.abs(left))
    return np.asarray(np.where(change * left > 0.0, np.sign(change) * far, 0.0))


def point_jacobian(robot: Robot, link: str, point: Array) -> Array:
    """Return the Jacobian (3, joints of qpos) of a point (3, world frame) on a link."""
    order = {name: at for at, name in enumerate(robot.joints)}
    columns = np.zeros((3, len(order)))
    body = robot.link(link)
    while body is not None and body.parent is not None:
        joint = body.joint
        if joint.name in order:
            pose = matrix(joint.global_pose)
            axis = pose[:3, 0]
            turns = "revolute" in joint.type
            columns[:, order[joint.name]] = np.cross(axis, point - pose[:3, 3]) if turns else axis
        body = body.parent
    return columns


_HAND_PARTS = {CAPSULES[number].name for number in HAND_PARTS}
