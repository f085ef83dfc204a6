"""Take, put, put down and pour with one hand."""

from __future__ import annotations

from treec.envs.dual_kitchen.physical.grasp import Grasp
from treec.envs.dual_kitchen.physical.pour import Pour
from treec.envs.dual_kitchen.physical.put import Put
from treec.envs.household.actions import SURFACES
from treec.envs.household.physical.liquids import liquids
from treec.envs.household.physical.orders import with_args
from treec.envs.sapien.motion.failure import MotionFailure
from treec.envs.sapien.sense.location import box
from treec.envs.sapien.worker import Physical, PhysicalAct, Steps


class Pickup(Grasp):
    """Take a thing by friction."""


class Place(Put):
    """Put what is in the hand at a free spot."""


class PutDown(Put):
    """Put what is in the hand on the nearest surface that it can be put on."""

    def do(self, act: PhysicalAct) -> Steps:
        """Try the surfaces in order of their distance from the thing."""
        surfaces = _surfaces(act)
        if not surfaces:
            raise MotionFailure("not reached", "there is no surface to put it on")
        for last, surface in enumerate(surfaces, 1 - len(surfaces)):
            try:
                yield from super().do(with_args(act, target=surface))
                return
            except MotionFailure as failure:
                if failure.name != "not reached" or not last:
                    raise


class PourOut(Physical):
    """The tilting over the target is physical; the liquid is declared, not simulated."""

    unless = "spilled"

    def do(self, act: PhysicalAct) -> Steps:
        """Tilt the vessel over the target."""
        item, target = act.arg("item"), act.arg("target")
        yield from Pour().do(with_args(act, vessel=item))
        there = liquids(act.kitchen)
        liquid = there.pop(item, None)
        if liquid is not None and target in act.kitchen.vessels:
            there[target] = liquid


def _surfaces(act: PhysicalAct) -> list[str]:
    kitchen, item = act.kitchen, act.arg("item")
    middle = box(kitchen, item).mean(axis=0)
    found = [
        (float(sum((box(kitchen, name).mean(axis=0)[:2] - middle[:2]) ** 2)), name)
        for name, spec in kitchen.setup.objects.items()
        if spec["type"] in SURFACES and name in kitchen.bodies
    ]
    return [name for _, name in sorted(found)]
