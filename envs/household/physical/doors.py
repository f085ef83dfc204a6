"""Open and close what has a door: the first moving part of its body that has a handle."""

from __future__ import annotations

from treec.envs.bodies.spec import BodyHandle
from treec.envs.dual_kitchen.physical.common import body
from treec.envs.dual_kitchen.physical.doors import close_door, open_door
from treec.envs.sapien.build import BuiltBody
from treec.envs.sapien.motion.failure import MotionFailure
from treec.envs.sapien.worker import Physical, PhysicalAct, Steps


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
