"""Open and close doors by their handles."""

from __future__ import annotations

from treec.envs.bodies.spec import BodyHandle
from treec.envs.dual_kitchen.physical.common import chance, door
from treec.envs.sapien.build import BuiltBody
from treec.envs.sapien.motion.shutting import shut
from treec.envs.sapien.motion.turning import turn
from treec.envs.sapien.worker import Physical, PhysicalAct, Steps

_SHUT = 0.06
"""Radians or metres from shut that count as shut."""


class Open(Physical):
    """Physical throughout: the handle is held and moved along the door's own arc."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Open it nearly as far as it goes; any position that counts as open succeeds."""
        yield from open_door(act, *door(act))


class Close(Physical):
    """Physical throughout: it is pushed shut, or moved back by its handle."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Push it until it is shut."""
        yield from close_door(act, *door(act))


def open_door(act: PhysicalAct, built: BuiltBody, handle: BodyHandle, joint: str) -> Steps:
    """Open a door of a body nearly as far as it goes. Raises MotionFailure."""
    limit = built.body.joint(joint).limits[1]
    enough = 1.02 * built.body.opened.get(joint, 0.8 * limit)
    to = max(0.95 * limit, enough)
    yield from turn(act.arm, built, handle, to, chance(act), enough=enough)


def close_door(act: PhysicalAct, built: BuiltBody, handle: BodyHandle, joint: str) -> Steps:
    """Push a door of a body shut. Raises MotionFailure."""
    low = built.body.joint(joint).limits[0]
    yield from shut(act.arm, built, handle, low, chance(act), enough=low + _SHUT)
