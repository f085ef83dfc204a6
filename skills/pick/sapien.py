"""Pick a thing up with the gripper, in SAPIEN.

All of it is physical: the arm (and the base of a robot that has one) goes there, the fingers close,
friction alone holds. When a grasp slips, another one of the thing's grasps is tried.
"""

from __future__ import annotations

from envs.sapien.handling import body, chance, empty
from envs.sapien.motion.taking import take
from envs.sapien.sense.posture import lean
from envs.sapien.spots import footprint, height
from envs.sapien.worker import Act, Physical, Steps

STANDS = 20.0
"""Degrees that a thing may lean and still be carried as it stands."""


class Pick(Physical):
    """See the module."""

    unless = "slipped"

    def do(self, act: Act) -> Steps:
        """Take the item; what stands is kept upright from then on."""
        item = act.arg("item")
        built = body(act, item)
        empty(act)
        stands = height(built.body) > footprint(built.body) and lean(act.kitchen, item) < STANDS
        vessel = any(region.kind == "in" for region in built.body.regions)
        yield from take(act.arm, built, chance(act), keep_upright=stands or vessel)
