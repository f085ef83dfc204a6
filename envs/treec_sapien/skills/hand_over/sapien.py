"""Hand a thing to a person, in SAPIEN.

Physical: the thing is laid on the person's open hand, a board in the air as declared in their
agent's file (``body: {kind: palm, …}``). Declared: that the person takes it from there. To a
person who moves it is brought where their hand will be (:mod:`.reactive`); declared: that the hand
then holds it.
"""

from __future__ import annotations

import numpy as np

from treec_sapien.manipulation import body, chance, held_body
from treec_sapien.motion.place import put
from treec_sapien.placement import HOVER, around
from treec_sapien.sense.location import box
from treec_sapien.skills.hand_over.reactive import HandingOver, withdraw
from treec_sapien.worker import Physical, PhysicalAct, Steps


class HandOver(Physical):
    """Worker of `hand_over`."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Lay the item on the person's palm."""
        built = held_body(act, act.arg("item"))
        if (person := act.watched()) is not None:
            yield from HandingOver(act, act.arm, built, person).run()
            # it is given: who is slow to go away fails nothing
            act.motion.patience[act.arm.side] = np.inf
            try:
                yield from withdraw(act, act.arm, built.entity)
                yield from act.arm.rest(chance(act))
            finally:
                act.motion.patience.pop(act.arm.side, None)
            return
        body(act, act.arg("person"))
        low, high = box(act.kitchen, act.arg("person"))
        palm = np.array([*((low + high) / 2)[:2], high[2] + HOVER])
        yield from put(act.arm, built, around(palm), chance(act))
