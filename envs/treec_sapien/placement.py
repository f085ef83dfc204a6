"""Free spots: where on a place a thing can be set down."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.fits import size
from treec_sapien.bodies.pose import Pose, rotate
from treec_sapien.bodies.solid import solid
from treec_sapien.bodies.spec import Body, Region, Shape
from treec_sapien.motion.frames import Array, about, compose, matrix
from treec_sapien.motion.place import Spot
from treec_sapien.sense.hands import holders
from treec_sapien.sense.location import base, box, off_boxes
from treec_sapien.shared_reach import RatedSpot, in_ring, takable

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

GRID = 0.04
CLEAR = 0.035
"""Clearance (m) around what is set down, for fingers."""

HOVER = 0.006
"""Height (m) above a surface at which the hand releases."""

_TURNS = 8
_STRIDE = 3  # rotations between two visits of a spot
_MAX_SPOTS = 8
_MOST_SERVED = 20  # spots that are tried for a mounted arm
_FOOT = 0.12  # radius (m) of a mounted arm's foot
_HAND = 0.1  # room (m) for a hand beside a thing
_CROWDED, _TIGHT = 0.3, 1.0  # cost of less room than for a hand, and than CLEAR
_REACH = (0.38, 0.6)  # distances from its foot at which a mounted arm reaches well (m)
_UNDER = 2.0  # weight of a distance that is too small
_ASIDE = 0.9  # angle to its side (rad)
_DETOUR = 10.0  # weight of a spot's cost where somebody drives to it for a mounted arm
_WALL = 0.12  # height of what counts as a wall beside a surface; things then come in from the front
_EYE = 0.015  # tolerance (m) above a surface when looking up
_HEADROOM = 0.4  # height (m) of a thing with the hand above it
_UPRIGHT = 0.999  # cosine of its lean up to which a cylinder stands
_Z = np.array([0.0, 0.0, 1.0])


def free_spots(kitchen: SapienKitchen, item: str, place: str, agent: str) -> list[Spot]:
    """Return where on ``place`` an item can stand upright: best spots first, each in all rotations.

    On a table the best are those from which a mounted arm can take it, the agent's own if there is
    no other, else those near the agent; on boards, those far in front.
    """
    others, rated = _served(kitchen, place, agent), _rated(kitchen, item, place, agent)
    robots = _takers(kitchen, place, agent)
    best: list[RatedSpot] = []
    for one in rated:
        if all(np.linalg.norm(one[1] - other) > 1.5 * GRID for _, other, _ in best):
            best.append(one)
        if len(best) >= (_MOST_SERVED if robots else _MAX_SPOTS):
            break
    if robots:
        served = takable(kitchen, item, robots, best)
        best = list(itertools.islice(served, _MAX_SPOTS)) or best
    best = best[:_MAX_SPOTS]
    worth = _DETOUR if others else 1.0
    # every spot in one rotation, then all in the next, so that the first few cover all spots
    return [
        Spot(
            _turn(spot, turn * _STRIDE + number), front, worth * (cost - best[0][0]) + 0.02 * number
        )
        for turn in range(_TURNS)
        for number, (cost, spot, front) in enumerate(best)
    ]


def handy_spot(kitchen: SapienKitchen, item: str, place: str, agent: str) -> Array | None:
    """Return the free spot (3,) of a place that suits an arm mounted there best.

    None where no other robot's arm is mounted, or there is no room. Whether the arm could take the
    item there is not tested.
    """
    if not _served(kitchen, place, agent):
        return None
    return next((spot for _, spot, _ in _rated(kitchen, item, place, agent)), None)


def _served(kitchen: SapienKitchen, place: str, agent: str) -> list[str]:
    """The robots mounted on a place, without the agent's own."""
    own = kitchen.hands[agent].robot.name
    return [name for name in arms_at(kitchen, place) if name != own]


def _takers(kitchen: SapienKitchen, place: str, agent: str) -> list[str]:
    """The robots mounted on a place that are to take things there: others, else the agent's own."""
    return _served(kitchen, place, agent) or list(arms_at(kitchen, place))


def _rated(kitchen: SapienKitchen, item: str, place: str, agent: str) -> list[RatedSpot]:
    """Spots of a place where an item has room, best first.

    Where it has none however it is turned, those where it has some if it is turned well. An arm
    that is mounted there itself is the one that has to reach them.
    """
    body = kitchen.bodies[item].body
    robots = _takers(kitchen, place, agent)
    wide = _roomy(kitchen, item, place, agent, footprint(body))
    rated = in_ring(kitchen, item, robots, wide) if robots else wide
    if not rated:
        rated = _roomy(kitchen, item, place, agent, min(size(body)[:2]) / 2)
        rated = in_ring(kitchen, item, robots, rated) if robots else rated
        rated = _that_fit(kitchen, item, agent, rated)
    return sorted(rated or wide, key=lambda one: one[0])


def _that_fit(
    kitchen: SapienKitchen, item: str, agent: str, rated: Sequence[RatedSpot]
) -> list[RatedSpot]:
    """The spots at which an item stands free in one of its turns, at least."""
    space, entity = (
        kitchen.motion(kitchen.hands[agent].robot.name).space,
        kitchen.bodies[item].entity,
    )
    space.update()
    return [
        one
        for one in rated
        if any(space.fits(entity, _turn(one[1], turn)) for turn in range(_TURNS))
    ]


def _roomy(
    kitchen: SapienKitchen, item: str, place: str, agent: str, radius: float
) -> list[RatedSpot]:
    """Spots of a place with nothing within a radius (m)."""
    boxes = [*boxes_of_others(kitchen, item), *_kept_free(kitchen, agent)]
    occupied = np.array(boxes).reshape(-1, 2, 3)
    feet, others = arms_at(kitchen, place), _served(kitchen, place, agent)
    here = np.array(base(kitchen.hands[agent].robot))
    rated: list[RatedSpot] = []
    for region, pose in kitchen.regions_of(place):
        frame = matrix(pose)
        front = -frame[:3, 1] if has_walls(kitchen, place) else None
        half = np.array(region.half_size[:2]) - radius - 0.01
        for x in _steps(half[0]):
            for y in _steps(half[1]):
                spot = spot_on(region, frame, x, y)
                room = room_at(spot, occupied)
                on_foot = any(
                    np.hypot(*(spot[:2] - foot[:2])) < radius + _FOOT for foot in feet.values()
                )
                if room < radius + HOVER or on_foot:
                    continue
                if front is not None:
                    cost = (y + half[1]) + 0.4 * abs(spot[2] - 0.85)
                elif feet:
                    cost = min(beyond(foot, spot) for foot in feet.values())
                    # what comes from outside is put before the arm first, so that nothing is behind
                    cost += 0.1 * (
                        min(_to_side(foot, spot) for foot in feet.values())
                        if others
                        else float(np.linalg.norm(spot[:2] - here))
                    )
                    cost += _CROWDED * (room < radius + _HAND)
                else:
                    cost = float(np.linalg.norm(spot[:2] - here))
                cost += _TIGHT * (room < radius + CLEAR)
                rated.append((cost - 0.3 * min(room, radius + _HAND), spot, front))
    return rated


def _kept_free(kitchen: SapienKitchen, agent: str) -> list[Array]:
    """The boxes (2, 3) where things stood that arms on fixed bases hold and will put back."""
    boxes = []
    for name, (taker, pose) in kitchen.stood.items():
        held = taker != agent and not kitchen.hands[taker].robot.base_joints
        if held and taker in holders(kitchen, name):
            there = kitchen.bodies[name].body
            own = there.at_start()
            solids = [solid(s, pose @ own[link.name]) for link in there.links for s in link.shapes]
            low = np.min([it.low for it in solids], axis=0)
            boxes.append(np.array([low, np.max([it.high for it in solids], axis=0)]))
    return boxes


def around(where: Array, cost: float = 0.0) -> list[Spot]:
    """The spot at ``where`` (3,), in all turns."""
    return [Spot(_turn(where, turn), None, cost) for turn in range(_TURNS)]


def _turn(where: Array, turn: int) -> Array:
    return compose(about(_Z, 2 * np.pi * turn / _TURNS), where)


def raise_spots(spots: Sequence[Spot], by: float) -> list[Spot]:
    """Return the same spots higher by ``by``: what is released there falls that far."""
    up = np.eye(4)
    up[2, 3] = by
    return [replace(spot, pose=up @ spot.pose, drop=by, cost=spot.cost + by) for spot in spots]


def has_walls(kitchen: SapienKitchen, place: str) -> bool:
    """Whether a place is open only at the front: something of it stands up beside its surfaces."""
    owner = kitchen.bodies[kitchen.owner(place)]
    lowest = min((region.floor for region, _ in kitchen.regions_of(place)), default=np.inf)
    tops = [top(shape) for link in owner.body.links for shape in link.shapes]
    return bool(max(tops) > lowest + _WALL)


def out_of(kitchen: SapienKitchen, region: Region, link: Pose) -> Array | None:
    """Return the level direction in which a hand leaves a region that is covered from above.

    It is the front of what is above: of the shelf around its own boards, of the cabinet over the
    shelf. None if it is not covered.
    """
    place = np.array(link.apply((region.p[0], region.p[1], region.floor + _EYE)))
    top = place[2] + _HEADROOM
    while place[2] < top:
        hit = kitchen.scene.physx_system.raycast(place, _Z, top - place[2])
        if hit is None:
            return None
        built = kitchen.bodies.get(kitchen.pieces.get(hit.component.entity, ("", ""))[0])
        if built is not None and built.body.fixed:
            return np.asarray(-matrix(built.pose())[:3, 1])
        place = np.array(hit.position) + _EYE * _Z  # movable things do not count as a roof
    return None


def footprint(body: Body) -> float:
    """Return the radius (m) of the circle around an upright body's base."""
    return max(_outermost(shape) for link in body.links for shape in link.shapes)


def height(body: Body) -> float:
    """Return the height of an upright body (m)."""
    return max(top(shape) for link in body.links for shape in link.shapes)


def top(shape: Shape) -> float:
    """Return the highest point of a shape in its link's frame."""
    return float(shape.p[2] + _half(shape)[2])


def _outermost(shape: Shape) -> float:
    """The distance of a shape's outermost point from the body's axis."""
    middle = np.array(shape.p[:2])
    if shape.kind == "sphere" or (shape.kind == "cylinder" and abs(_axes(shape)[2, 2]) > _UPRIGHT):
        return float(np.linalg.norm(middle)) + shape.radius
    own = np.array(_own_half(shape))
    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * own @ _axes(shape)
    return float(np.max(np.linalg.norm(middle + corners[:, :2], axis=1)))


def _half(shape: Shape) -> Array:
    """Half the size of a shape's bounding box."""
    if shape.kind == "sphere":
        return np.full(3, shape.radius)
    return np.asarray(np.abs(_axes(shape)).T @ np.array(_own_half(shape)))


def _own_half(shape: Shape) -> tuple[float, float, float]:
    """Half the size of a box or cylinder along its own axes."""
    if shape.kind == "cylinder":
        return (shape.radius, shape.radius, shape.half_length)
    return shape.half_size


def _axes(shape: Shape) -> Array:
    """A shape's own axes in its link's frame, one a row."""
    units = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    return np.array([rotate(shape.q, unit) for unit in units])


def arms_at(kitchen: SapienKitchen, place: str) -> dict[str, Array]:
    """Return the robots mounted on a place, with x, y and yaw (rad) of their feet."""
    low, high = box(kitchen, kitchen.owner(place))
    feet = {}
    for name, robot in kitchen.robots.items():
        x, y = base(robot)
        facing = matrix(robot.pose)[:2, 0]
        if not robot.base_joints and np.all((x, y) > low[:2]) and np.all((x, y) < high[:2]):
            feet[name] = np.array([x, y, np.arctan2(facing[1], facing[0])])
    return feet


def beyond(foot: Array, spot: Array) -> float:
    """Return the distance (m) of a spot from where an arm reaches well.

    Too near counts more: an arm bends over what is a little too far, not over its own foot.
    """
    near, far = _REACH
    step = spot[:2] - foot[:2]
    distance = float(np.hypot(step[0], step[1]))
    aside = abs(np.remainder(np.arctan2(step[1], step[0]) - foot[2] + np.pi, 2 * np.pi) - np.pi)
    return max(_UNDER * (near - distance), distance - far, 0.0) + 0.3 * max(
        0.0, float(aside) - _ASIDE
    )


def _to_side(foot: Array, spot: Array) -> float:
    """The distance (m) of a spot from the line on which a mounted arm faces."""
    step = spot[:2] - foot[:2]
    return float(abs(np.cos(foot[2]) * step[1] - np.sin(foot[2]) * step[0]))


def room_at(spot: Array, occupied: Array) -> float:
    """The distance (m) of a spot from the nearest of the boxes (n, 2, 3) on its level; 1 m if far.

    Boxes above or below it are not counted.
    """
    low, high = occupied[:, 0, 2], occupied[:, 1, 2]
    level = (low <= spot[2] + 0.25) & (high >= spot[2] - 0.02)
    return float(np.min(off_boxes(occupied, spot)[level], initial=1.0))


def spot_on(region: Region, frame: Array, x: float, y: float) -> Array:
    """Return the point (3; m) beside the middle of a region at which a hand releases a thing.

    ``frame`` (4, 4) is the region's pose.
    """
    return np.asarray(frame @ (region.p[0] + x, region.p[1] + y, region.floor + HOVER, 1.0))[:3]


def boxes_of_others(kitchen: SapienKitchen, item: str) -> list[Array]:
    """Return the boxes (2, 3) of all free things but one."""
    names = (name for name in kitchen.bodies if kitchen.is_free(name) and name != item)
    return [box(kitchen, name) for name in names]


def _steps(reach: float) -> Sequence[float]:
    count = int(max(0.0, reach) / GRID)
    return [GRID * i for i in range(-count, count + 1)]
