"""Free the gripper, in SAPIEN: what it holds is set down at the nearest place, physically."""

from __future__ import annotations

from treec_sapien.base_placement import nearest_place
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.sense.hands import in_hand
from treec_sapien.skills.place.sapien import set_down
from treec_sapien.worker import Physical, PhysicalAct, Steps


class PutDown(Physical):
    """Worker of `put_down`."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Put down what is held; an empty gripper is already free."""
        item = in_hand(act.kitchen, act.hand)
        if item is None:
            act.arm.detach()
            return
        place = nearest_place(act.kitchen, act.order.agent)
        if place is None:
            raise MotionFailure("not reached", "there is no place within reach")
        yield from set_down(act, item, place)
