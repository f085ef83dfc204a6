"""Open and close what has a door: the first moving part of its body that has a handle."""

from __future__ import annotations

from treec_sapien.bodies.spec import BodyHandle
from treec_sapien.build import BuiltBody
from treec_sapien.dual_kitchen.common import body
from treec_sapien.dual_kitchen.doors import close_door, open_door
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.worker import Physical, PhysicalAct, Steps


class OpenDoor(Physical):
    """Open a thing by its handle."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Open it nearly as far as it goes."""
        yield from open_door(act, *_door(act))


class CloseDoor(Physical):
    """Push a thing shut."""

    unless = "slipped"

    def do(self, act: PhysicalAct) -> Steps:
        """Push it until it is shut."""
        yield from close_door(act, *_door(act))


def _door(act: PhysicalAct) -> tuple[BuiltBody, BodyHandle, str]:
    built = body(act, "thing")
    for part in built.body.parts:
        if part.joint is not None and part.handle is not None:
            return built, built.body.handle(part.handle), part.joint
    raise MotionFailure("not reached", f"{built.name} has no handle")
