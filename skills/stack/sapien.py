"""Lay what the gripper holds on top of a thing, in SAPIEN: physical, and left to balance there."""

from __future__ import annotations

import numpy as np

from envs.sapien.handling import body, chance, held
from envs.sapien.motion.putting import put
from envs.sapien.sense.location import box
from envs.sapien.spots import HOVER, around
from envs.sapien.worker import Act, Physical, Steps


class Stack(Physical):
    """See the module."""

    unless = "dropped"

    def do(self, act: Act) -> Steps:
        """Put the item on the middle of the base's top."""
        built = held(act, act.arg("item"))
        base = act.arg("base")
        body(act, base)
        low, high = box(act.kitchen, base)
        top = np.array([*((low + high) / 2)[:2], high[2] + HOVER])
        yield from put(act.arm, built, around(top), chance(act))
