"""Pick a thing up with the gripper, in SAPIEN.

Physical throughout: the arm (and a mobile robot's base) moves there, the fingers close, and
friction alone holds. When a grasp slips, another grasp of the thing is tried. A fallen thing is
grasped as it lies. A robot that drives takes a thing from the side if it can: held from above, it
finds no place between the boards of a shelf.
"""

from __future__ import annotations

from collections.abc import Sequence

from treec_sapien.bodies.pose import Pose
from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.build import BuiltBody
from treec_sapien.manipulation import body, chance, empty
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.grasp import grasp_pose, take
from treec_sapien.placement import footprint, height
from treec_sapien.seen_offset import offset_of
from treec_sapien.sense.hands import in_hand
from treec_sapien.toppled import LEANS, grasps_of, lean_degrees
from treec_sapien.worker import Physical, PhysicalAct, Steps

STEEP = -0.7
"""Upward part of a hand's direction below which it comes from above."""


class Pick(Physical):
    """Worker of `pick`."""

    unless = "slipped"

    _stood: Pose | None = None
    """Where the item stood before it was taken; None if it was in the hand or in a person's."""

    def do(self, act: PhysicalAct) -> Steps:
        """Grasp the item; an upright thing is kept upright from then on."""
        item = act.arg("item")
        built = body(act, item)
        empty(act)
        vessel = any(region.kind == "in" for region in built.body.regions)
        tall = height(built.body) > footprint(built.body)
        stands = lean_degrees(built) < LEANS and (tall or vessel)
        if in_hand(act.kitchen, act.hand) == item:  # somebody was in the way when it was lifted
            yield from act.arm.rest(chance(act))
            if self._stood is not None:
                act.kitchen.stood[item] = act.order.agent, self._stood
            return
        stood = self._stood = built.pose()
        seen = act.order.needs.get("pose")
        off = offset_of(built, seen["point"]) if seen is not None else None
        groups = in_turn(built, grasps_of(built), drives=bool(act.robot.base_joints))
        for number, grasps in enumerate(groups):
            rng = chance(act, number)
            try:
                yield from take(act.arm, built, rng, grasps=grasps, keep_upright=stands, offset=off)
                break
            except MotionFailure as failure:
                otherwise = failure.name in ("not reached", "blocked") and not failure.person
                if number == len(groups) - 1 or not otherwise:
                    raise
        act.kitchen.stood[item] = act.order.agent, stood


def in_turn(
    built: BuiltBody, grasps: Sequence[GraspPoint], *, drives: bool
) -> list[Sequence[GraspPoint]]:
    """Return the grasps to try first, and all of them if there are others.

    For a robot that drives, those of a standing thing that do not come from above are first.
    """
    if lean_degrees(built) >= LEANS:
        return [grasps]
    beside = [one for one in grasps if float(grasp_pose(built, one)[2, 2]) > STEEP]
    if not drives or not beside or len(beside) == len(grasps):
        return [grasps]
    return [beside, grasps]
