"""Take and put down with both hands what is too heavy or too wide for one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.build import BuiltBody
from treec_sapien.dual_kitchen.common import body, chance, spots
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.bimanual import put_pair, take_pair
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, at, compose, matrix
from treec_sapien.motion.place import Spot
from treec_sapien.placement import out_of
from treec_sapien.sense.location import enclosing_regions
from treec_sapien.worker import Physical, PhysicalAct, Steps

TRIES = 3
"""Attempts to take a thing that slips out of the hands."""

_HOVER = 0.006
_MOST = 12  # candidate places
_WIDE = 0.3  # half length (m) of a surface on which a thing is set down to be grasped anew
_Z = np.array([0.0, 0.0, 1.0])


class GraspBoth(Physical):
    """Physical throughout: each hand holds a handle by friction."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Grasp with the left hand the handle on the left, as seen from in front of the thing."""
        yield from grasp(act, body(act, "item"), pair(act))


class PutBoth(Physical):
    """Physical throughout. The thing is kept level and released 6 mm above its target.

    If it cannot be brought there as it is held, it is set down elsewhere and grasped anew: hands
    that took it out of a cabinet may come in too flat for a sink.
    """

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Put it in the middle of the target or near it; where that is taken, elsewhere on it."""
        item, arms, target = body(act, "item"), pair(act), act.arg("target")
        places = _places(act, item, arms, target)
        if not places:
            raise MotionFailure("not reached", f"nothing can be put at {target}")
        try:
            yield from put_pair(arms, item, places, chance(act))
        except MotionFailure as failure:
            if failure.name != "not reached":
                raise
            yield from put_pair(arms, item, _resting_places(act, item, arms), chance(act, 1))
            yield from grasp(act, item, arms)
            yield from put_pair(arms, item, places, chance(act, 2))


def grasp(act: PhysicalAct, item: BuiltBody, arms: Sequence[Arm]) -> Steps:
    """Take a thing by its two handles, the left hand the one on the left as seen from in front."""
    handles = [handle for handle in item.body.handles if handle.joint is None]
    if len(handles) != 2:
        raise MotionFailure("not reached", f"{item.name} has no two handles")
    front = _front(act, item)
    grasps: list[tuple[GraspPoint, ...]] = [handle.grasps for handle in handles]
    grasps.sort(key=lambda own: _aside(item, own[0], front), reverse=True)
    for attempt in range(TRIES):
        try:
            yield from take_pair(arms, item, grasps, chance(act, attempt), front=front)
            return
        except MotionFailure as failure:
            if failure.name != "slipped" or attempt == TRIES - 1:
                raise


def _places(act: PhysicalAct, item: BuiltBody, arms: Sequence[Arm], target: str) -> list[Array]:
    """Where the thing's origin may be at a target: near its middle, else elsewhere on it."""
    places = []
    for region, frame in act.kitchen.regions_of(target):
        for x, y in ((0.0, 0.0), (0.03, 0.0), (-0.03, 0.0), (0.0, -0.03)):
            floor = at(region.p[0] + x, region.p[1] + y, region.floor + _HOVER)
            places.append((matrix(frame) @ floor)[:3, 3])
    space, ahead = arms[0].motion.space, matrix(item.pose())[:3, 0]
    level = about(_Z, float(np.arctan2(ahead[1], ahead[0])))
    space.update()
    if places and not any(space.fits(item.entity, compose(level, place)) for place in places):
        places = _free_places(act, item, arms, target) or places
    return places[:_MOST]


def _free_places(
    act: PhysicalAct, item: BuiltBody, arms: Sequence[Arm], target: str
) -> list[Array]:
    """Free spots of a target, each in one of several orientations."""
    free: dict[tuple[float, ...], Spot] = {}
    for spot in spots(act, arms[0], item, target, chance(act)):
        free.setdefault(tuple(spot.pose[:3, 3]), spot)
    space = arms[0].motion.space
    return [one.pose[:3, 3] for one in free.values() if space.fits(item.entity, one.pose)]


def _resting_places(act: PhysicalAct, item: BuiltBody, arms: Sequence[Arm]) -> list[Array]:
    """Free spots on wide furniture, the nearest first."""
    names = dict.fromkeys(
        name
        for name, region, _ in act.kitchen.regions()
        if region.kind == "on"
        and max(region.half_size[:2]) > _WIDE
        and not act.kitchen.is_free(act.kitchen.owner(name))
    )
    candidates = [place for name in names for place in _free_places(act, item, arms, name)]
    here = np.array(item.pose().p)
    return sorted(candidates, key=lambda place: float(np.linalg.norm(place - here)))[:_MOST]


def _front(act: PhysicalAct, item: BuiltBody) -> Array:
    """The direction out for a thing: to the front of what it stands in or on, whatever its yaw."""
    ways = (out_of(act.kitchen, region, item.pose()) for region in item.body.regions)
    front = next((way for way in ways if way is not None), None)
    if front is not None:
        return front
    names = [act.kitchen.owner(name) for name, _ in enclosing_regions(act.kitchen, item.name)]
    below = next((act.kitchen.bodies[name] for name in names if name in act.kitchen.bodies), item)
    return -matrix(below.pose())[:3, 1]


def pair(act: PhysicalAct) -> list[Arm]:
    """Return the two arms of the order, the left one first."""
    arms = [act.kitchen.arm(act.order.agent), act.kitchen.arm(act.arg("other"))]
    return sorted(arms, key=lambda arm: arm.side)


def _aside(item: BuiltBody, grasp: GraspPoint, front: Array) -> float:
    """How far to the left (m) a grasp is for somebody in front of the thing.

    Not seen from the robot's present pose: it may be beside the table and take the thing from
    elsewhere.
    """
    place: Array = (matrix(item.pose(grasp.link)) @ matrix(grasp.pose))[:3, 3]
    return float(np.dot(place, np.cross(front, _Z)))
