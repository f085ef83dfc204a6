"""Set what the gripper holds down at a place, in SAPIEN.

Physical throughout. The spot is a free one on the place's surface: on a table one that the arm
mounted there reaches well, on boards one far in front. An arm on a fixed base puts back what it
took from the same place to where that stood, if it is still free: it reaches there. What falls over
as it is released is taken as it lies and stood up.
"""

from __future__ import annotations

import numpy as np

from treec_sapien.build import BuiltBody
from treec_sapien.manipulation import body, chance, held_body
from treec_sapien.motion.arm import Steps as Way
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, matrix
from treec_sapien.motion.grasp import take
from treec_sapien.motion.place import Spot, put
from treec_sapien.placement import HOVER, free_spots, raise_spots
from treec_sapien.toppled import grasps_of, lean_degrees, lying_spots
from treec_sapien.worker import Physical, PhysicalAct, Steps

ATTEMPTS = 3
"""Attempts, each with the free spots in other rotations of the thing, before all at once."""

STAND_UPS = 2
"""How often a thing that fell over as it was released is taken again."""

FELL = 30.0
"""Lean (degrees) from how it was put down beyond which a thing has fallen over."""

DROP = 0.015
"""Height (m) of the drop where the fingers would hit the surface."""

_UPRIGHT = 0.98  # cosine of the lean of what stood


class Place(Physical):
    """Worker of `place`."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Put the item on a free spot of the place."""
        yield from set_down(act, act.arg("item"), act.arg("place"))


def set_down(act: PhysicalAct, item: str, place: str) -> Steps:
    """Put a held item on a free spot of a place; what falls over there is stood up again.

    What has turned over in the hand is laid down: no hand would set it down upright from there.
    """
    built = held_body(act, item)
    body(act, act.kitchen.owner(place))
    if lean_degrees(built) > FELL:
        act.arm.upright = None
    for left in reversed(range(STAND_UPS + 1)):
        stood = yield from _put_on(act, built, place)
        if float(stood[:3, 2] @ matrix(built.pose())[:3, 2]) >= np.cos(np.radians(FELL)):
            return
        if not left:
            break
        try:
            yield from take(act.arm, built, chance(act, left), grasps=grasps_of(built))
        except MotionFailure:
            break
    raise MotionFailure("knocked over", f"{item} lies on {place}")


def _put_on(act: PhysicalAct, built: BuiltBody, place: str) -> Way[Array]:
    """Put what is held on a free spot; return its pose (4, 4) at release."""
    back = where_it_stood(act, built, place)
    if back:
        try:
            return (yield from put(act.arm, built, back, chance(act)))
        except MotionFailure as failure:
            if failure.name == "dropped":
                raise
    spots = free_spots(act.kitchen, built.name, place, act.order.agent)
    if not spots:
        raise MotionFailure("blocked", f"there is no room for {built.name} on {place}")
    for number, some in enumerate(_tries(act, built, spots)):
        try:
            return (yield from put(act.arm, built, some, chance(act, number)))
        except MotionFailure as failure:
            if failure.name == "dropped":
                raise
    return (yield from put(act.arm, built, spots, chance(act, ATTEMPTS), most=len(spots)))


def where_it_stood(act: PhysicalAct, built: BuiltBody, place: str) -> list[Spot]:
    """Return the spot of a place from which an arm on a fixed base has taken what it holds, if any.

    Whether it is still free is not tested.
    """
    agent, pose = act.kitchen.stood.get(built.name, ("", built.pose()))
    stood = matrix(pose)
    if agent != act.order.agent or act.robot.base_joints or stood[2, 2] < _UPRIGHT:
        return []
    for region, link in act.kitchen.regions_of(place):
        x, y, z = link.inverse().apply(pose.p)
        inside = abs(x - region.p[0]) < region.half_size[0]
        inside = inside and abs(y - region.p[1]) < region.half_size[1]
        if region.kind == "on" and inside and abs(z - region.floor) < HOVER:
            stood[2, 3] += HOVER
            return [Spot(stood), *raise_spots([Spot(stood)], DROP)]
    return []


def _tries(act: PhysicalAct, built: BuiltBody, spots: list[Spot]) -> list[list[Spot]]:
    """The spots in batches, one for each attempt; fallen things are laid down."""
    each = len(spots) // ATTEMPTS
    out: list[list[Spot]] = []
    for attempt in range(ATTEMPTS):
        some = spots[attempt * each : (attempt + 1) * each]
        out.append([*some, *raise_spots(some, DROP)])
        if act.arm.upright is None and lean_degrees(built) > FELL:
            out.append(lying_spots(built, some))
    return out
