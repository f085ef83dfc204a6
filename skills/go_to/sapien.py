"""Drive to a place and stop beside it, in SAPIEN.

Physical: the base drives around obstacles with the arm folded and carries what the gripper holds.
It stops where the arm points at the place: in front of a shelf, at any side of a table.
"""

from __future__ import annotations

from treec.envs.sapien.handling import body, chance
from treec.envs.sapien.motion.failure import MotionFailure
from treec.envs.sapien.motion.stretch_base import StretchBase
from treec.envs.sapien.standing import spots_before
from treec.envs.sapien.worker import Physical, PhysicalAct, Steps


class GoTo(Physical):
    """Worker of `go_to`."""

    unless = "not reached"

    def do(self, act: PhysicalAct) -> Steps:
        """Drive to a spot beside the place."""
        base = act.arm.motion.base
        if not isinstance(base, StretchBase):
            raise MotionFailure("not reached", f"{act.order.agent} cannot drive: its base is fixed")
        body(act, act.kitchen.owner(act.arg("place")))
        spots = spots_before(act.kitchen, act.arg("place"), base)
        if not spots:
            raise MotionFailure("blocked", f"there is no room in front of the {act.arg('place')}")
        yield from base.drive_to_one(spots, chance(act))
