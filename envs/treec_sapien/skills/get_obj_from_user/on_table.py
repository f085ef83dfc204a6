"""Where a person puts down what a robot cannot take out of their hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion.frames import Array, matrix
from treec_sapien.person.figure import NECK
from treec_sapien.placement import (
    GRID,
    arms_at,
    boxes_of_others,
    footprint,
    has_walls,
    room_at,
    spot_on,
)
from treec_sapien.sense.location import base, box, off_boxes

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen
    from treec_sapien.person.person import Person
    from treec_sapien.person.setting_down import SettingDown
    from treec_sapien.worker import PhysicalAct

BESIDE = 0.1
"""Metres left free around what is put down: a person leaves room for the gripper."""

FOOT = 0.3
"""Metres left free around the foot of an arm that is mounted on the table."""

TRUNK = 0.15
"""Metres that a person's neck stays outside a table, level, on their way, too."""

APART = 0.7
"""Metres that a person who comes a step stays away from the robot's base."""


@dataclass(frozen=True)
class WayDown:
    """The place on which the thing is put, and how they do it."""

    place: str
    way: SettingDown


def how_to_set_down(act: PhysicalAct, person: Person, item: str) -> WayDown | None:
    """Return how a person puts a thing on the table that a robot drives up to: in front of it.

    That is, on the free spot nearest to it that they reach with a step or two; None without one.
    """
    kitchen = act.kitchen
    here = np.array(base(act.robot))
    spots = sorted(
        (float(np.linalg.norm(spot[:2] - here)), number, place, spot)
        for number, (place, spot) in enumerate(_free(kitchen, item))
    )
    for _, _, place, spot in spots:
        way = person.how_to_set_down(item, spot, act.now())
        if way is None:
            continue
        stands = way.at[NECK, :2]
        table = box(kitchen, kitchen.owner(place))
        walk = np.linspace(person.joints(act.now())[NECK, :2], stands, 5)[1:]
        if any(off_boxes(table, at) < TRUNK for at in walk):
            continue
        if np.linalg.norm(stands - here) >= APART:
            return WayDown(place, way)
    return None


def _free(kitchen: SapienKitchen, item: str) -> Iterator[tuple[str, Array]]:
    """Spots (3; m) with room for a thing and a hand, on what has no walls, and their places."""
    radius = footprint(kitchen.bodies[item].body)
    occupied = np.array(boxes_of_others(kitchen, item)).reshape(-1, 2, 3)
    for place, region, pose in kitchen.regions():
        if region.kind != "on" or not kitchen.bodies[kitchen.owner(place)].body.fixed:
            continue
        if has_walls(kitchen, place):
            continue
        feet = [foot[:2] for foot in arms_at(kitchen, place).values()]
        frame = matrix(pose)
        half = np.array(region.half_size[:2]) - radius - BESIDE / 2
        for x in np.arange(-half[0], half[0] + 1e-9, GRID):
            for y in np.arange(-half[1], half[1] + 1e-9, GRID):
                spot = spot_on(region, frame, x, y)
                clear = room_at(spot, occupied) >= radius + BESIDE
                if clear and all(np.linalg.norm(spot[:2] - foot) >= FOOT for foot in feet):
                    yield place, spot
