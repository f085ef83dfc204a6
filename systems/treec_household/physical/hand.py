"""Take, put, put down and pour with one hand."""

from __future__ import annotations

from treec_household.actions import SURFACES
from treec_household.physical.liquids import liquids
from treec_household.physical.orders import with_args
from treec_sapien.bodies.spec import GraspPoint
from treec_sapien.dual_kitchen.common import body, chance, upright
from treec_sapien.dual_kitchen.grasp import Grasp
from treec_sapien.dual_kitchen.pour import Pour
from treec_sapien.dual_kitchen.put import Put
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.grasp import take
from treec_sapien.sense.location import box
from treec_sapien.toppled import grasps_of
from treec_sapien.worker import Physical, PhysicalAct, Steps

_SLANT = -0.8
"""The z of a hand's direction from which it does not count as coming from above."""


class Pickup(Grasp):
    """Take a thing by friction."""


class PlaceItem(Put):
    """Put what is in the hand at a free spot; if need be, after it was grasped from beside.

    A thing that was taken from above is not brought into an oven: the hand would be in the way.
    """

    def do(self, act: PhysicalAct) -> Steps:
        """Put it as it is held; else set it down, take it from beside, and put it then."""
        try:
            yield from super().do(act)
            return
        except MotionFailure as failure:
            item = body(act, "item")
            beside = [grasp for grasp in grasps_of(item) if _is_beside(grasp)]
            if failure.name != "not reached" or not beside:
                raise
        yield from put_down(act)
        yield from take(act.arm, item, chance(act, 1), grasps=beside, keep_upright=upright(item))
        yield from super().do(act)


class SetDown(Physical):
    """Put what is in the hand on the nearest surface that it can be put on."""

    unless = "dropped"

    def do(self, act: PhysicalAct) -> Steps:
        """Try the surfaces in order of their distance from the thing."""
        yield from put_down(act)


def put_down(act: PhysicalAct) -> Steps:
    """Put the item on the nearest surface that it can be put on. Raises MotionFailure."""
    surfaces = _surfaces(act)
    if not surfaces:
        raise MotionFailure("not reached", "there is no surface to put it on")
    for left, surface in zip(reversed(range(len(surfaces))), surfaces, strict=True):
        try:
            yield from Put().do(with_args(act, target=surface))
            return
        except MotionFailure as failure:
            if failure.name != "not reached" or not left:
                raise


def _is_beside(grasp: GraspPoint) -> bool:
    """Whether the hand comes from the front or at a slant, not from above."""
    return bool(matrix(grasp.pose)[2, 2] > _SLANT)


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
    distances = [
        (float(sum((box(kitchen, name).mean(axis=0)[:2] - middle[:2]) ** 2)), name)
        for name, spec in kitchen.setup.objects.items()
        if spec["type"] in SURFACES and name in kitchen.bodies
    ]
    return [name for _, name in sorted(distances)]
