"""Drive to a place and stop beside it, in SAPIEN.

Physical: the base drives around obstacles with the arm folded and carries what the gripper holds.
It stops where the arm points at the place: in front of a shelf, at any side of a table. With a
thing for a table on which an arm is mounted, it stops near where that arm would take it from.
"""

from __future__ import annotations

import numpy as np

from treec_sapien.base_placement import spots_before
from treec_sapien.manipulation import body, chance
from treec_sapien.motion.base import MobileBase
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.placement import handy_spot
from treec_sapien.sense.hands import in_hand
from treec_sapien.worker import Physical, PhysicalAct, Steps

NEAR = 0.9
"""Distance (m) of the base from a spot on which it is to set something down."""


class GoTo(Physical):
    """Worker of `go_to`."""

    unless = "not reached"

    def do(self, act: PhysicalAct) -> Steps:
        """Drive to a spot beside the place."""
        base = act.arm.motion.base
        if not base.moves:
            raise MotionFailure("not reached", f"{act.order.agent} cannot drive: its base is fixed")
        place, rng = act.arg("place"), chance(act)
        body(act, act.kitchen.owner(place))
        try:
            yield from self._drive(act, base, place, rng)
        except MotionFailure as failure:
            if failure.name != "blocked" or failure.person:
                raise
            person = base.person_in_the_way(
                lambda: base.has_path(spots_before(act.kitchen, place, base), rng)
            )
            if not person:
                raise
            why = f"{person} stands in the way to the {place}"
            raise MotionFailure("blocked", why, person=person) from None

    def _drive(
        self, act: PhysicalAct, base: MobileBase, place: str, rng: np.random.Generator
    ) -> Steps:
        spots = spots_before(act.kitchen, place, base)
        if not spots:
            raise MotionFailure("blocked", f"there is no room in front of the {place}")
        held = in_hand(act.kitchen, act.hand)
        handy = None if held is None else handy_spot(act.kitchen, held, place, act.order.agent)
        if handy is not None:
            near = [spot for spot in spots if np.linalg.norm((spot - handy)[:2]) < NEAR]
            try:
                yield from base.drive_to_one(near, rng)
                return
            except MotionFailure as failure:
                if failure.name != "blocked":
                    raise
        yield from base.drive_to_one(spots, rng)
