"""Locations: in a hand, in or on something, on the floor; and what a robot stands near.

A thing is in or on another if the middle of its base, or its own middle, is inside one of the
other's regions: of several, the highest one whose owner is a possible value of the fact. A thing
larger than an opening lies in front of it or on it, never in it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from treec import Sensor
from treec_sapien.bodies.pose import Pose, Vector
from treec_sapien.bodies.spec import Region
from treec_sapien.build import from_sapien
from treec_sapien.sense.contacts import GROUND
from treec_sapien.sense.hands import holders
from treec_sapien.sense.unsensed import UNSENSED, SensorSilence

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

GROUND_OBJECT = "ground"
"""The object that a thing on the floor is at, in scenes that have it."""

ROOM = 3.0
"""Distance (m) from the furniture beyond which a thing has left the scene."""

SLACK = 0.012
"""Tolerance (m) of a thing's base below a region's lower face."""

REACH = 1.0
"""Largest distance (m) of a robot's base from the edge of what it is near to."""

AS_NEAR = 0.3
"""How much nearer (m) another place must be than the one that a robot was sent to."""


def at(kitchen: SapienKitchen, sensor: Sensor, item: str) -> str | SensorSilence | None:
    """Who holds an item, or what it is in or on; None in the air, or if it has left the scene.

    On the floor it is at the `ground`, or nowhere in a scene without one: see :func:`fallen`.

    What rests on top of furniture that is not a place for things (an oven) is where that stands.
    """
    if not kitchen.is_free(item):
        return UNSENSED
    hands = [agent for agent in holders(kitchen, item) if agent in sensor.values]
    if hands:
        return hands[0]
    return _place(kitchen, sensor, item)


def _place(kitchen: SapienKitchen, sensor: Sensor, item: str) -> str | None:
    for name, _ in enclosing_regions(kitchen, item):
        if name in sensor.values:
            return name
    if on_floor(kitchen, item):
        ground = GROUND_OBJECT in kitchen.setup.objects and in_room(kitchen, item)
        return GROUND_OBJECT if ground else None
    low, high = box(kitchen, item)
    for one in supports(kitchen, item):
        if one in sensor.values and _rests_on(kitchen, float(low[2]), float(high[2]), one):
            return one
        if not kitchen.is_free(one) and abs(low[2] - box(kitchen, one)[1][2]) <= SLACK:
            return _place(kitchen, sensor, one)
    return None


def _rests_on(kitchen: SapienKitchen, low: float, high: float, name: str) -> bool:
    """Whether what an object supports lies on its surface or hangs over the edge of it."""
    floors = (
        pose.apply((region.p[0], region.p[1], region.floor))[2]
        for region, pose in kitchen.regions_of(name)
        if region.kind == "on"
    )
    return any(low - SLACK <= floor <= high for floor in floors)


def enclosing_regions(kitchen: SapienKitchen, item: str) -> Iterator[tuple[str, Region]]:
    """Return the regions that an item is in, each with its object: the nearest floor first.

    So what stands in the cabinet is not on the shelf below it, however high the shelf's region is.
    """
    low, high = box(kitchen, item)
    middle = (low + high) / 2
    base = np.array([middle[0], middle[1], low[2] + 0.005])
    enclosing = []
    for number, (name, region, pose) in enumerate(kitchen.regions()):
        there = kitchen.owner(name) != item and any(
            _inside(region, pose, p) for p in (base, middle)
        )
        if there and not kitchen.oversize_reason(item, name, region):
            _, _, floor = pose.apply((region.p[0], region.p[1], region.floor))
            enclosing.append((-round(floor, 3), number, name, region))
    for _, _, name, region in sorted(enclosing, key=lambda one: one[:2]):
        yield name, region


def contents(kitchen: SapienKitchen, name: str) -> list[str]:
    """Return the free bodies that are in or on an object."""
    return [
        item
        for item in kitchen.bodies
        if kitchen.is_free(item)
        and any(owner == name for owner, _ in enclosing_regions(kitchen, item))
    ]


def supports(kitchen: SapienKitchen, item: str) -> list[str]:
    """Return what an item rests on: things in contact whose middle is below its own."""
    middle = sum(box(kitchen, item))[2] / 2
    names = []
    for name, _ in kitchen.contacts.of(item):
        if name in kitchen.bodies and name not in names:
            low, high = box(kitchen, name)
            if (low[2] + high[2]) / 2 < middle:
                names.append(name)
    return names


def stacked(kitchen: SapienKitchen, sensor: Sensor, item: str) -> str | SensorSilence | None:
    """The movable thing that an item lies on or in, if any.

    Of a pile, the thing that it was to be stacked on, wherever in the pile that is.
    """
    if not kitchen.is_free(item):
        return UNSENSED
    if holders(kitchen, item):
        return None
    laid = kitchen.laid.get(item)
    if laid in sensor.values and item in pile(kitchen, str(laid)):
        return laid
    below = [name for name in _under(kitchen, item) if name in sensor.values]
    return below[0] if below else None


def pile(kitchen: SapienKitchen, base: str) -> list[str]:
    """Return the free bodies that lie on or in a base, or on what does, the nearest to it first."""
    under = {name: _under(kitchen, name) for name in kitchen.bodies if kitchen.is_free(name)}
    above, layer = list[str](), [base]
    while layer:
        layer = [
            name
            for name, below in under.items()
            if name != base and name not in above and any(one in below for one in layer)
        ]
        above += layer
    return above


def _under(kitchen: SapienKitchen, item: str) -> list[str]:
    """The movable things that an item lies on or in."""
    under = [*supports(kitchen, item), *(name for name, _ in enclosing_regions(kitchen, item))]
    return [name for name in under if kitchen.is_free(name)]


def fallen(kitchen: SapienKitchen, sensor: Sensor, item: str) -> bool | SensorSilence:
    """Whether an item lies on the floor of the scene."""
    if not kitchen.is_free(item):
        return UNSENSED
    return on_floor(kitchen, item) and in_room(kitchen, item)


def in_room(kitchen: SapienKitchen, item: str) -> bool:
    """Whether a thing is among the furniture or near it."""
    x, y = (sum(box(kitchen, item)) / 2)[:2]
    low, high = kitchen.furniture
    return bool(
        low[0] < x + ROOM and x - ROOM < high[0] and low[1] < y + ROOM and y - ROOM < high[1]
    )


def on_floor(kitchen: SapienKitchen, item: str) -> bool:
    """Whether an item lies on the floor."""
    low, _ = box(kitchen, item)
    return bool(low[2] < 0.03) or GROUND in kitchen.contacts.of(item)


def near(kitchen: SapienKitchen, sensor: Sensor, agent: str) -> str | SensorSilence | None:
    """The place that a robot stands at: of several, the one it was sent to, or the nearest."""
    if agent not in kitchen.hands:
        return UNSENSED
    return nearest(kitchen, agent, (name for name in sensor.values if name in kitchen.bodies))


def nearest(kitchen: SapienKitchen, agent: str, places: Iterable[str]) -> str | None:
    """Return which of these places with bodies a robot stands at, if any."""
    x, y = base(kitchen.hands[agent].robot)
    distances = []
    for place in places:
        low, high = box(kitchen, place)
        far = math.hypot(max(low[0] - x, 0, x - high[0]), max(low[1] - y, 0, y - high[1]))
        if place == kitchen.bound.get(agent):
            far -= AS_NEAR
        if far <= REACH:
            distances.append((far, place))
    return min(distances)[1] if distances else None


def base(robot: Any) -> tuple[float, float]:
    """Return a robot's base position on the floor: x and y in the scene."""
    pose = from_sapien(robot.pose)
    if not robot.base_joints:
        return pose.p[0], pose.p[1]
    index = robot.indices(robot.base_joints)
    x, y = (float(value) for value in robot.qpos[index[:2]])
    px, py, _ = pose.apply((x, y, 0.0))
    return px, py


def box(kitchen: SapienKitchen, name: str) -> Any:
    """Return the corners of a body's bounding box: lowest and highest x, y, z (2, 3)."""
    built = kitchen.bodies[name]
    corners = [link.compute_global_aabb_tight() for link in built.links.values()]
    return np.array(
        [np.min([c[0] for c in corners], axis=0), np.max([c[1] for c in corners], axis=0)]
    )


def off_boxes(corners: Any, point: Any) -> Any:
    """Return how far (m) a point (x, y, …) is from boxes (…, 2, 3), level; 0 over them."""
    low, high = corners[..., 0, :2], corners[..., 1, :2]
    off = np.maximum(np.maximum(low - point[:2], point[:2] - high), 0.0)
    return np.hypot(off[..., 0], off[..., 1])


def _inside(region: Region, pose: Pose, point: Any) -> bool:
    x, y, z = pose.inverse().apply((float(point[0]), float(point[1]), float(point[2])))
    off: Vector = (x - region.p[0], y - region.p[1], z - region.p[2])
    half = region.half_size
    level = abs(off[0]) <= half[0] and abs(off[1]) <= half[1]
    return level and -half[2] - SLACK <= off[2] <= half[2]
