"""Base poses of a robot on wheels at a place, and which place it stands at."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.motion.base import MobileBase
from treec_sapien.motion.frames import Array, matrix
from treec_sapien.placement import arms_at, has_walls
from treec_sapien.sense.location import AS_NEAR, REACH, box, nearest, off_boxes

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

_AWAY = (0.4, 0.48, 0.58, 0.7)  # distances from the edge to the middle of the base (m)
_NEAR = 1.2  # distance from the foot of an arm mounted on the place (m)
_SHARES = (0.0, 0.4, -0.4, 0.75, -0.75)  # positions along the edge as fractions of half its length

_VIEWS = (
    (0.2, 0.8),
    (0.45, 0.65),
    (0.0, 0.8),
    (0.2, 0.6),
    (0.4, 0.45),
    (-0.1, 0.6),
    (0.2, 0.45),
    (0.0, 0.45),
)
"""Where a thing is seen from: how far (m) behind it, and from the edge of the place that it is at.

The mast is behind the head: what is ahead of the robot is seen past it.
"""
_INSIDE = 0.05  # m: nearer than this to a place its front cannot be determined
_ANEW = 0.14  # distance (m) from where it has looked from which a view is another one


def spots_before(kitchen: SapienKitchen, place: str, base: MobileBase) -> list[Array]:
    """Return base poses (x, y, yaw in the scene) with the arm towards a place.

    The side of its arm faces the front of a thing with walls, or any side of a table, near an arm
    mounted on it. Only spots nearer to this place than to any other are returned.
    """
    floor = base.floor()
    built = kitchen.bodies[kitchen.owner(place)]
    frame = matrix(built.pose())
    low, high = _outline(kitchen, place)
    middle, half = (low + high) / 2, (high - low) / 2
    # outward directions in the body's frame, the front (-y) first
    sides = ((0, -1), (1, 0), (0, 1), (-1, 0))[: 1 if has_walls(kitchen, place) else 4]
    out: list[Array] = []
    for away in _AWAY:
        for side in sides:
            outward, along = np.array(side, dtype=float), np.array([-side[1], side[0]], dtype=float)
            for share in _SHARES:
                local = middle + outward * (np.abs(outward) @ half + away)
                local = local + along * (np.abs(along) @ half) * share
                spot = (frame @ np.array([*local, 0.0, 1.0]))[:2]
                if floor.space_at(spot) < base.radius or nearest_to(kitchen, spot) != place:
                    continue
                towards = -(frame[:2, :2] @ outward)
                out.append(np.array([*spot, math.atan2(towards[1], towards[0]) + base.heading]))
    feet = arms_at(kitchen, place)
    near = [
        spot
        for spot in out
        if any(np.linalg.norm(spot[:2] - foot[:2]) < _NEAR for foot in feet.values())
    ]
    return near or out


def views_beside(
    kitchen: SapienKitchen, item: str, place: str, base: MobileBase, looked: Sequence[Array]
) -> list[Array]:
    """Return base poses (x, y, yaw in the scene) for views of an item at a place, the best first.

    None is near one of the poses from which it has ``looked``. Its arm's side faces the
    place, as when it looked last, and it stays where it counts as being there. Where the item is
    said to be is the simulator's truth, as for heads that turn there: a map, without its errors.
    """
    floor, last = base.floor(), looked[-1][:2]
    low, high = (corner[:2] for corner in box(kitchen, kitchen.owner(place)))
    outward = last - np.clip(last, low, high)
    far = float(np.linalg.norm(outward))
    if far < _INSIDE:
        return []
    outward = outward / far
    behind = np.array([-outward[1], outward[0]])
    middle = sum(box(kitchen, item))[:2] / 2
    edge = last - far * outward
    foot = edge + behind * float((middle - edge) @ behind)
    yaw = math.atan2(-outward[1], -outward[0]) + base.heading
    out = []
    for back, away in _VIEWS:
        spot = foot + back * behind + away * outward
        if floor.space_at(spot) < base.radius or nearest_to(kitchen, spot, place) != place:
            continue
        if all(np.linalg.norm(spot - it[:2]) > _ANEW for it in looked):
            out.append(np.array([*spot, yaw]))
    return out


def nearest_place(kitchen: SapienKitchen, agent: str) -> str | None:
    """Return the place that an agent stands at, as sensed."""
    return nearest(kitchen, agent, _places(kitchen))


def nearest_to(kitchen: SapienKitchen, spot: Array, sent_to: str = "") -> str | None:
    """Return the place nearest to a spot on the floor, within reach, or None.

    Another place than the one that a robot was ``sent_to`` must be clearly nearer.
    """
    distances = []
    for name in _places(kitchen):
        far = float(off_boxes(box(kitchen, name), spot))
        distances.append((far - AS_NEAR if name == sent_to else far, name))
    far, name = min(distances, default=(REACH + 1.0, ""))
    return name if far <= REACH else None


def _places(kitchen: SapienKitchen) -> Iterator[str]:
    for name, built in kitchen.bodies.items():
        place = kitchen.setup.objects.get(name, {}).get("type") == "Place"
        if place and built.body.fixed and built.body.regions:
            yield name


def _outline(kitchen: SapienKitchen, place: str) -> tuple[Array, Array]:
    """The rectangle of a place's surfaces in its body's frame: lowest and highest x and y."""
    regions = [region for region, _ in kitchen.regions_of(place)]
    points = np.array([region.p[:2] for region in regions])
    halves = np.array([region.half_size[:2] for region in regions])
    return np.min(points - halves, axis=0), np.max(points + halves, axis=0)
