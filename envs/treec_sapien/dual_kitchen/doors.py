"""Open and close doors by their handles."""

from __future__ import annotations

from treec_sapien.bodies.spec import BodyHandle
from treec_sapien.build import BuiltBody
from treec_sapien.dual_kitchen.common import chance, door
from treec_sapien.motion.articulated import Travel, turn
from treec_sapien.motion.push_shut import shut
from treec_sapien.worker import Physical, PhysicalAct, Steps

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


def open_door(
    act: PhysicalAct,
    built: BuiltBody,
    handle: BodyHandle,
    joint: str,
    travel: Travel | None = None,
) -> Steps:
    """Open a door of a body nearly as far as it goes; see `turn`. Raises MotionFailure."""
    limit = built.body.joint(joint).limits[1]
    enough = 1.02 * built.body.opened.get(joint, 0.8 * limit)
    to = max(0.95 * limit, enough)
    yield from turn(act.arm, built, handle, to, chance(act), enough=enough, travel=travel)


def close_door(
    act: PhysicalAct,
    built: BuiltBody,
    handle: BodyHandle,
    joint: str,
    travel: Travel | None = None,
) -> Steps:
    """Push a door of a body shut, or, with ``travel``, move it by its handle.

    Raises MotionFailure.
    """
    low = built.body.joint(joint).limits[0]
    if travel is not None:
        enough = low + _SHUT
        yield from turn(act.arm, built, handle, low, chance(act), enough=enough, travel=travel)
        return
    yield from shut(act.arm, built, handle, low, chance(act), enough=low + _SHUT)
