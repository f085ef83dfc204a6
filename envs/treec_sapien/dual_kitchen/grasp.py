"""Take a thing with one hand."""

from __future__ import annotations

from treec_sapien.dual_kitchen.common import body, chance, upright
from treec_sapien.motion.grasp import Approach, take
from treec_sapien.toppled import LEANS, grasps_of, lean_degrees
from treec_sapien.worker import Physical, PhysicalAct, Steps


class Grasp(Physical):
    """Physical throughout: held by friction. Things that hold liquid are kept upright."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Take it by any grasp that can be reached; try another one when it slips."""
        yield from grasp(act)


def grasp(act: PhysicalAct, approach: Approach | None = None) -> Steps:
    """Take the order's item; see `take`. Raises MotionFailure."""
    item = body(act, "item")
    yield from take(
        act.arm,
        item,
        chance(act),
        grasps=grasps_of(item),
        keep_upright=upright(item) and lean_degrees(item) < LEANS,
        approach=approach,
    )
