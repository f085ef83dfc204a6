"""Contacts between people and robots, with what these hold, and whose motion made them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treec.envs.sapien.person.figure import CAPSULES
from treec.envs.sapien.person.guard import HAND_PARTS

if TYPE_CHECKING:
    from treec.envs.sapien.environment import SapienKitchen
    from treec.envs.sapien.robots.robot import Robot

SPEED = 0.05
"""Speed (m/s) of a link towards what it touches, above which the contact is the robot's own doing;
not of a robot that is driven nowhere, and swings back after it was pushed."""


def count_contacts(kitchen: SapienKitchen) -> None:
    """Count what began to touch a person in the last control step."""
    people, robots, held = kitchen.people, kitchen.robots, kitchen.held_things()
    now: dict[str, set[tuple[str, str]]] = {name: set() for name in people}
    for contact in kitchen.scene.get_contacts():
        pieces = [kitchen.pieces.get(body.entity) for body in contact.bodies]
        for at, (own, other) in enumerate((pieces, pieces[::-1])):
            if own is None or other is None or own[0] not in people:
                continue
            if other[0] in held:  # counts to the robot, but where it is handed to that hand
                if own[1] in _HAND_PARTS and kitchen.is_given_to(held[other[0]], own[0]):
                    continue
                other = held[other[0]], other[0]
            if other[0] not in robots:
                continue
            if not any(point.separation <= 0.0 for point in contact.points):
                continue
            now[own[0]].add(other)
            link, part = contact.bodies[1 - at], contact.bodies[at]
            if other not in people[own[0]].touching:
                way = np.array(part.entity.pose.p) - np.array(link.entity.pose.p)
                way /= max(float(np.linalg.norm(way)), 1e-9)
                by = float(np.array(link.linear_velocity) @ way)
                moves = by > SPEED and _is_driven(robots[other[0]])
                people[own[0]].count_contact(kitchen.now, *other, own_motion=moves)
    for name, touching in now.items():
        people[name].touching = touching


_HAND_PARTS = {CAPSULES[number].name for number in HAND_PARTS}


def _is_driven(robot: Robot) -> bool:
    """Whether a robot's drives move any of its joints."""
    return any(
        abs(float(joint.drive_velocity_target[0])) > 1e-3
        for joint in robot.articulation.active_joints
    )
