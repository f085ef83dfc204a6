"""Put what a hand holds into or onto something."""

from __future__ import annotations

from treec_sapien.dual_kitchen.common import body, chance, sides, spots
from treec_sapien.motion.place import Release, put
from treec_sapien.worker import Physical, PhysicalAct, Steps


class Put(Physical):
    """Physical throughout. Into narrow things (a toaster's slot) it is dropped the last bit."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Put it at a free spot, from above or from the front."""
        yield from put_down(act)


def put_down(act: PhysicalAct, release: Release | None = None) -> Steps:
    """Put the order's item at a free spot of its target; see `put`. Raises MotionFailure."""
    item, rng = body(act, "item"), chance(act)
    there = spots(act, act.arm, item, act.arg("target"), rng)
    yield from put(act.arm, item, there, rng, radius=sides(item)[1], release=release)
