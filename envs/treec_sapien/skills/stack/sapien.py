"""Put what the gripper holds on top of a thing, in SAPIEN; physical: it has to balance there.

It is lowered into a vessel if it is small enough. What lies on the thing already is stacked upon.
"""

from __future__ import annotations

import numpy as np

from treec_sapien.manipulation import body, chance, held_body
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.place import Spot, put, spots_in
from treec_sapien.placement import HOVER, around, footprint
from treec_sapien.sense.location import box, pile
from treec_sapien.worker import Physical, PhysicalAct, Steps


class Stack(Physical):
    """Worker of `stack`."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Put the item on the middle of the pile's top, or into the base."""
        built = held_body(act, act.arg("item"))
        base = act.arg("base")
        body(act, base)
        boxes = [box(act.kitchen, name) for name in (base, *pile(act.kitchen, base))]
        low, high = max(boxes, key=lambda one: float(one[1][2]))
        top = np.array([*((low + high) / 2)[:2], high[2] + HOVER])
        spots = into(act, act.arg("item"), base) or around(top)
        yield from put(act.arm, built, spots, chance(act))


def into(act: PhysicalAct, item: str, base: str) -> list[Spot]:
    """Return spots inside a vessel into which an item fits; none for anything else."""
    kitchen, near = act.kitchen, act.arm.tcp[:3, 3]
    radius = footprint(kitchen.bodies[item].body)
    free: list[Spot] = []
    for region, link in kitchen.regions_of(base):
        if region.kind == "in" and not kitchen.oversize_reason(item, base, region):
            free += spots_in(region, matrix(link), chance(act), radius=radius, near=near)
    return free
