"""See an item from elsewhere, in SAPIEN: drive a little, or bring the hand's camera before it.

What was seen, but not exactly enough for a grasp, the hand comes before, as for the grasp. Else the
base drives as in `go_to`, first away from the place, from where a board covers less of what is
below it, then along it, to look past what stands in front. It keeps the item ahead, since its own
mast stands behind its head, and does not go back to where it has just been.
"""

from __future__ import annotations

import numpy as np

from treec_sapien.base_placement import views_beside
from treec_sapien.build import BuiltBody
from treec_sapien.manipulation import body, chance
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, translate
from treec_sapien.motion.grasp import BEFORE, grasp_pose, reach_one, reaches
from treec_sapien.motion.reach import through
from treec_sapien.seen_offset import offset_of
from treec_sapien.toppled import grasps_of
from treec_sapien.worker import Physical, PhysicalAct, Steps

_BACK = 0.03  # m

RECENT = 60.0
"""Seconds for which it avoids a spot from which it has looked for the item."""


class ChangeView(Physical):
    """Worker of `change_view`."""

    unless = "not reached"

    def do(self, act: PhysicalAct) -> Steps:
        """Drive to another spot from which the item is seen."""
        base, agent = act.arm.motion.base, act.order.agent
        if not base.moves:
            raise MotionFailure("not reached", f"{agent} cannot drive: its base is fixed")
        item, place, rng = act.arg("item"), act.arg("place"), chance(act)
        for name in (item, act.kitchen.owner(place)):
            body(act, name)
        point = act.kitchen.sightings.pop((agent, item), None)
        if point is not None:
            built = body(act, item)
            yield from come_before(act, built, offset_of(built, point))
            return
        looked = act.kitchen.looked_from.setdefault((agent, item), [])
        looked[:] = [(when, spot) for when, spot in looked if act.now() - when < RECENT]
        looked.append((act.now(), base.spot()))
        for spot in views_beside(act.kitchen, item, place, base, [it for _, it in looked]):
            try:
                yield from base.drive_to_one([spot], rng)
                return
            except MotionFailure as failure:
                if failure.name != "blocked":
                    raise
        raise MotionFailure("blocked", f"there is no other place to see the {item} from")


def come_before(act: PhysicalAct, built: BuiltBody, offset: Array) -> Steps:
    """Bring the open hand to where a grasp of a thing begins, which is seen ``offset`` (m) away.

    If no grasp is clear, only to before one. It stays there.
    """
    arm, rng, grasps = act.arm, chance(act), grasps_of(built)
    arm.motion.space.update()
    begins = [translate(grasp_pose(built, it), world=offset) for it in grasps]
    befores = [translate(it, own=np.array([0.0, 0.0, -BEFORE])) for it in begins]
    backs = [translate(it, own=np.array([0.0, 0.0, -_BACK])) for it in befores]
    views = [through(keys, [2], name="view") for keys in zip(backs, befores, strict=True)]
    for ways in (reaches(arm, built, grasps, offset=offset), views):
        if not ways:
            continue
        try:
            yield from reach_one(arm, ReachWish(arm, ways, built.entity), rng)
            return
        except MotionFailure as failure:
            if failure.name not in ("not reached", "blocked") or failure.person or ways is views:
                raise
        finally:
            arm.motion.base.release(arm)
