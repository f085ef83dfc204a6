"""Pick a thing up with the gripper, in SAPIEN.

Physical throughout: the arm (and a mobile robot's base) moves there, the fingers close, and
friction
alone holds. When a grasp slips, another grasp of the thing is tried. A fallen thing is grasped as
it lies.
"""

from __future__ import annotations

from treec.envs.sapien.handling import body, chance, empty
from treec.envs.sapien.lying import LEANS, grasps_of, lean_degrees
from treec.envs.sapien.motion.taking import take
from treec.envs.sapien.seen import offset_of
from treec.envs.sapien.spots import footprint, height
from treec.envs.sapien.worker import Physical, PhysicalAct, Steps


class Pick(Physical):
    """Worker of `pick`."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Grasp the item; an upright thing is kept upright from then on."""
        item = act.arg("item")
        built = body(act, item)
        empty(act)
        vessel = any(region.kind == "in" for region in built.body.regions)
        tall = height(built.body) > footprint(built.body)
        stands = lean_degrees(built) < LEANS and (tall or vessel)
        grasps = grasps_of(built)
        stood = built.pose()
        seen = act.order.needs.get("pose")
        off = offset_of(built, seen["point"]) if seen is not None else None
        yield from take(act.arm, built, chance(act), grasps=grasps, keep_upright=stands, offset=off)
        act.kitchen.stood[item] = act.order.agent, stood
