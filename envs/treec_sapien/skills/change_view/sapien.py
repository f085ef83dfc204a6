"""Drive a little at a place to see an item there from elsewhere, in SAPIEN.

Physical: the base drives as in `go_to`, first away from the place, from where a board covers less
of what is below it, then along it, to look past what stands in front. It keeps the item ahead,
since its own mast stands behind its head, and does not go back to where it has just been.
"""

from __future__ import annotations

from treec_sapien.base_placement import views_beside
from treec_sapien.manipulation import body, chance
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.worker import Physical, PhysicalAct, Steps

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
