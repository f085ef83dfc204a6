"""Take a thing with one hand."""

from __future__ import annotations

from treec.envs.dual_kitchen.physical.common import body, chance, upright
from treec.envs.sapien.lying import LEANS, grasps_of, lean
from treec.envs.sapien.motion.taking import take
from treec.envs.sapien.worker import Physical, PhysicalAct, Steps


class Grasp(Physical):
    """Physical throughout: the fingers hold by friction. What holds liquid is kept upright."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Take it by whichever of its grasps can be reached; another one when it slips."""
        item = body(act, "item")
        yield from take(
            act.arm,
            item,
            chance(act),
            grasps=grasps_of(item),
            keep_upright=upright(item) and lean(item) < LEANS,
        )
