"""Place things where facts say they are: at the start, and when a person has moved them.

A task may state that the bowl stands on the table at the start; a person may say that they have put
it there. It is then placed on a free spot of the table: the one nearest to where an arm mounted on
the table reaches well, or else the one nearest to a point a hand's reach behind the middle of the
front edge. Without room it stays where it was, and that is what is sensed next.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from contextlib import suppress
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from treec import Effect
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.build import to_sapien
from treec_sapien.sense.hands import holders
from treec_sapien.sense.location import box, enclosing_regions

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

GRID = 0.03
"""Distance (m) between candidate spots."""

HANDY = 0.25
"""Preferred distance (m) of things behind the front edge of a place."""

CLEAR = 0.03
"""Clearance (m) to everything around."""

_OUTSIDE = 60.0  # x and y (m) of what has been taken out of the scene
_FALLS = 1.5  # how far (m) from where it was a thing lies on the floor
_HEADROOM = 1.0  # half height (m) of what must be free above it


class NoRoom(ValueError):
    """There is no free spot for a thing at its place."""


def arrange(kitchen: SapienKitchen) -> None:
    """Place things and doors as the facts at the start say. Raises NoRoom."""
    for effect in kitchen.setup.facts:
        if effect.source == "unknown" or len(effect.args) != 1:
            continue
        thing = effect.args[0]
        if effect.fact == "at" and kitchen.is_free(thing):
            if effect.value != kitchen.setup.objects[thing].get("at"):
                put(kitchen, thing, str(effect.value))
        elif effect.fact == "opened" and effect.value is True:
            stand_door(kitchen, thing, opened=True)


def apply_effects(kitchen: SapienKitchen, effects: Iterable[Effect]) -> None:
    """Place things, doors and switches as others changed them; skip what is impossible.

    What is at no place any more has been taken away, unless it has fallen to the floor.
    """
    effects = tuple(effects)
    fallen = {effect.args for effect in effects if effect.fact == "fallen" and effect.value is True}
    for effect in effects:
        if len(effect.args) != 1:
            continue
        thing, value = effect.args[0], effect.value
        if effect.fact == "at" and kitchen.is_free(thing):
            there = [name for name, _ in enclosing_regions(kitchen, thing)] + holders(
                kitchen, thing
            )
            if value is None:
                if effect.args not in fallen:
                    remove(kitchen, thing)
            elif value not in there and value not in kitchen.hands:
                with suppress(NoRoom):
                    put(kitchen, thing, str(value))
        elif effect.args in fallen and kitchen.is_free(thing):
            with suppress(NoRoom):
                drop(kitchen, thing)
        elif effect.fact == "opened":
            stand_door(kitchen, thing, opened=value is True)
        elif effect.fact == "running":
            for machine in kitchen.machines.values():
                if machine.where == thing:
                    machine.running = value is True
    kitchen.forget_contacts()


def stand_door(kitchen: SapienKitchen, door: str, *, opened: bool) -> None:
    """Set a door fully open or shut, unless it already is open or shut."""
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
    """Place an item upright on a free spot in or on a place. Raises NoRoom."""
    built = kitchen.bodies[item]
    low, high = box(kitchen, item)
    half = (high - low) / 2 + CLEAR
    offset = (low + high) / 2 - np.array(built.pose().p)
    there = (item, kitchen.owner(place))
    occupied = [box(kitchen, other) for other in kitchen.bodies if other not in there]
    for region, pose in kitchen.regions_of(place):
        if kitchen.oversize_reason(item, place, region):
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
            if not any(_meet(middle, half, other) for other in occupied):
                _stand_at(kitchen, item, spot)
                return
    raise NoRoom(f"there is no room for '{item}' at '{place}', its place at the start")


def remove(kitchen: SapienKitchen, item: str) -> None:
    """Take an item out of the scene: it stands far from everything."""
    number = list(kitchen.bodies).index(item)
    _stand_at(kitchen, item, (_OUTSIDE, _OUTSIDE + number, 0.002))


def drop(kitchen: SapienKitchen, item: str) -> None:
    """Stand an item on the free spot of the floor that is nearest to it. Raises NoRoom."""
    low, high = box(kitchen, item)
    half, middle = (high - low) / 2 + CLEAR, (low + high) / 2
    others = [box(kitchen, other) for other in kitchen.bodies if other != item]
    steps = _steps(_FALLS)
    for x, y in sorted(product(steps, steps), key=lambda step: math.hypot(*step)):
        spot = np.array([middle[0] + x, middle[1] + y, half[2]])
        covered = np.array([*half[:2], _HEADROOM])
        if not any(
            _meet(spot + np.array([0.0, 0.0, _HEADROOM]), covered, other) for other in others
        ):
            _stand_at(kitchen, item, (float(spot[0]), float(spot[1]), 0.002))
            return
    raise NoRoom(f"there is no room for '{item}' on the floor")


def _stand_at(kitchen: SapienKitchen, item: str, spot: Vector) -> None:
    for person in kitchen.people.values():
        person.let_go(item)
    kitchen.detach(item)
    body = kitchen.bodies[item].links["body"]
    body.entity.pose = to_sapien(Pose(spot))
    body.linear_velocity = body.angular_velocity = [0.0, 0.0, 0.0]
    body.wake_up()


def _handy(kitchen: SapienKitchen, place: str, spots: list[Vector]) -> list[Vector]:
    """The spots, first those that an arm mounted on the place reaches well."""
    from treec_sapien.placement import arms_at, beyond  # needs the planner's packages

    feet = arms_at(kitchen, place)
    if not feet:
        return spots
    return sorted(
        spots, key=lambda spot: min(beyond(foot, np.array(spot)) for foot in feet.values())
    )


def _steps(reach: float) -> list[float]:
    count = int(max(0.0, reach) / GRID)
    return [GRID * i for i in range(-count, count + 1)]


def _meet(middle: np.ndarray, half: np.ndarray, other: np.ndarray) -> bool:  # type: ignore[type-arg]
    low, high = middle - half, middle + half
    low[2] = middle[2] - half[2] + 2 * CLEAR  # what it stands on is not an obstacle
    return bool(np.all(low < other[1]) and np.all(high > other[0]))
