"""Things put where they are said to be: at the start, and when a person has moved them meanwhile.

A task may say that the bowl stands on the table to begin with; a person may say that they have put
it there. Then it is put onto a free spot of the table: the nearest to where an arm that stands on
it reaches well, or else to a hand's reach behind the middle of its front edge. Who carried it there
is not to be seen. Where there is no room it stays where it was, which is what is sensed next.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from treec import Effect
from treec.envs.bodies.pose import Pose, Vector
from treec.envs.sapien.build import to_sapien
from treec.envs.sapien.sense.hands import holders
from treec.envs.sapien.sense.location import around, box

if TYPE_CHECKING:
    from treec.envs.sapien.environment import SapienKitchen

GRID = 0.03
"""Distance (m) between two spots that are tried."""

HANDY = 0.25
"""How far (m) behind the front edge of a place things are put."""

CLEAR = 0.03
"""Room (m) that is left to everything around."""


class NoRoom(ValueError):
    """There is no free spot for a thing where it shall be."""


def arrange(kitchen: SapienKitchen) -> None:
    """Put things and doors as the facts at the start have them. Raises NoRoom."""
    for effect in kitchen.setup.facts:
        if effect.source == "unknown" or len(effect.args) != 1:
            continue
        thing = effect.args[0]
        if effect.fact == "at" and kitchen.is_free(thing):
            if effect.value != kitchen.setup.objects[thing].get("at"):
                put(kitchen, thing, str(effect.value))
        elif effect.fact == "opened" and effect.value is True:
            stand_door(kitchen, thing, opened=True)


def follow(kitchen: SapienKitchen, effects: Iterable[Effect]) -> None:
    """Put things, doors and switches as others have made them; what cannot be is left as it is."""
    for effect in effects:
        if len(effect.args) != 1:
            continue
        thing, value = effect.args[0], effect.value
        if effect.fact == "at" and kitchen.is_free(thing):
            there = [name for name, _ in around(kitchen, thing)] + holders(kitchen, thing)
            if value not in there and value not in kitchen.hands:
                with suppress(NoRoom):
                    put(kitchen, thing, str(value))
        elif effect.fact == "opened":
            stand_door(kitchen, thing, opened=value is True)
        elif effect.fact == "running":
            for machine in kitchen.machines.values():
                if machine.where == thing:
                    machine.running = value is True
    kitchen.forget_contacts()


def stand_door(kitchen: SapienKitchen, door: str, *, opened: bool) -> None:
    """Stand a door open as far as it goes, or shut; one that is so already is left alone."""
    where = kitchen.joint_of(door)
    if where is None:
        return
    built, joint = where
    low, high = built.body.joint(joint).limits
    if (built.position(joint) >= built.body.opened.get(joint, high)) == opened:
        return
    qpos = built.articulation.qpos
    qpos[list(built.joints).index(joint)] = high if opened else low
    built.articulation.qpos = qpos


def put(kitchen: SapienKitchen, item: str, place: str) -> None:
    """Stand an item, upright, on a free spot in or on a place. Raises NoRoom."""
    built = kitchen.bodies[item]
    low, high = box(kitchen, item)
    half = (high - low) / 2 + CLEAR
    offset = (low + high) / 2 - np.array(built.pose().p)
    there = (item, kitchen.owner(place))
    taken = [box(kitchen, other) for other in kitchen.bodies if other not in there]
    for region, pose in kitchen.regions_of(place):
        if kitchen.too_large(item, place, region):
            continue
        rx, ry, _ = region.half_size
        across = _steps(rx - half[0])
        along = _steps(ry - half[1])
        best = min(0.0, HANDY - ry)
        grid = sorted(product(along, across), key=lambda s: math.hypot(s[0] - best, s[1]))
        spots = [
            pose.apply((region.p[0] + x, region.p[1] + y, region.floor + 0.002)) for y, x in grid
        ]
        for spot in _handy(kitchen, place, spots):
            middle = np.array(spot) + offset
            if not any(_meet(middle, half, other) for other in taken):
                built.links["body"].entity.pose = to_sapien(Pose(spot))
                built.links["body"].linear_velocity = [0.0, 0.0, 0.0]
                built.links["body"].angular_velocity = [0.0, 0.0, 0.0]
                built.links["body"].wake_up()
                return
    raise NoRoom(f"there is no room for '{item}' at '{place}', where it shall be at the start")


def _handy(kitchen: SapienKitchen, place: str, spots: list[Vector]) -> list[Vector]:
    """The spots, those first that an arm reaches well which stands on the place."""
    from treec.envs.sapien.spots import arms_at, beyond  # which need the planner's packages

    feet = arms_at(kitchen, place)
    if not feet:
        return spots
    return sorted(spots, key=lambda spot: min(beyond(foot, np.array(spot)) for foot in feet))


def _steps(reach: float) -> list[float]:
    count = int(max(0.0, reach) / GRID)
    return [GRID * i for i in range(-count, count + 1)]


def _meet(middle: np.ndarray, half: np.ndarray, other: np.ndarray) -> bool:  # type: ignore[type-arg]
    low, high = middle - half, middle + half
    low[2] = middle[2] - half[2] + 2 * CLEAR  # what it stands on is no obstacle
    return bool(np.all(low < other[1]) and np.all(high > other[0]))
