"""Shared helpers of these skills: randomness, regions of a target, carrying upright."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treec_sapien.bodies.solid import solid
from treec_sapien.bodies.spec import BodyHandle
from treec_sapien.build import BuiltBody
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.place import Spot, spots_in
from treec_sapien.placement import out_of
from treec_sapien.sense.location import box, contents

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen
    from treec_sapien.motion.arm import Arm
    from treec_sapien.worker import PhysicalAct

_WIDE = 0.15
"""Half length (m) from which a region has room for several things side by side."""

_AJAR = 0.05  # rad or m: a door that is less open counts as shut
_DOOR_POSES = 9  # tested poses of a door on its way
_HAND, _HAND_LENGTH = 0.08, 0.25  # m: half as wide as a hand with its wrist; as long as that

CARRIED_UPRIGHT = ("bowl", "cup", "pot", "bottle")
"""Kinds of bodies that may hold liquid."""


def chance(act: PhysicalAct, attempt: int = 0) -> np.random.Generator:
    """Return the order's random generator; depends only on the run's seed, order and attempt."""
    return np.random.default_rng(act.seed(attempt))


def body(act: PhysicalAct, argument: str) -> BuiltBody:
    """Return the body that an argument names. Raises Failed if it has none."""
    built = act.kitchen.bodies.get(act.arg(argument))
    if built is None:
        raise MotionFailure("not reached", f"{act.arg(argument)} has no body")
    return built


def upright(built: BuiltBody) -> bool:
    """Whether a thing is to be carried upright."""
    return built.body.kind in CARRIED_UPRIGHT


def door(act: PhysicalAct, argument: str = "door") -> tuple[BuiltBody, BodyHandle, str]:
    """Return the body, the handle and the joint of a door."""
    where = act.kitchen.joint_of(act.arg(argument))
    part = act.kitchen.layout.parts.get(act.arg(argument))
    if where is None or part is None or part.part.handle is None:
        raise MotionFailure("not reached", f"{act.arg(argument)} has no handle")
    built, joint = where
    return built, built.body.handle(part.part.handle), joint


def sides(item: BuiltBody) -> tuple[float, float]:
    """Return half of the shorter and of the longer side of an upright thing's base (m)."""
    poses = item.body.at_start()
    solids = [solid(shape, poses[link.name]) for link in item.body.links for shape in link.shapes]
    x, y = (max(it.high[i] for it in solids) - min(it.low[i] for it in solids) for i in (0, 1))
    return min(x, y) / 2, max(x, y) / 2


def spots(
    act: PhysicalAct, arm: Arm, item: BuiltBody, target: str, rng: np.random.Generator
) -> list[Spot]:
    """Return where a thing may stand in or on a target, over all of its regions."""
    low, high = box(act.kitchen, item.name)
    wide = float(np.max(high[:2] - low[:2])) / 2
    wide = min(wide, sides(item)[0]) + 0.005  # long things may stick out
    placements: list[Spot] = []
    for region, frame in act.kitchen.regions_of(target):
        if act.kitchen.oversize_reason(item.name, target, region):
            continue
        front = out_of(act.kitchen, region, frame)
        there = spots_in(region, matrix(frame), rng, radius=wide, near=arm.tcp[:3, 3], front=front)
        if max(region.half_size[:2]) > _WIDE:  # beside what stands there, not overlapping it
            names = [name for name in contents(act.kitchen, target) if name != item.name]
            others = [box(act.kitchen, name) for name in names]
            level = float((matrix(frame) @ np.array([*region.p[:2], region.floor, 1.0]))[2])
            others += _built_in(act, target, level, level + float(high[2] - low[2]))
            top = level + float(high[2] - low[2])
            others += swept_by_doors(act.kitchen, level, top, but=act.kitchen.owner(target))
            free = [spot for spot in there if not _over(spot, others, 0.8 * wide)]
            worked_at = before_controls(act.kitchen, level, top)
            there = [spot for spot in free if not _over(spot, worked_at, wide)] or free or there
        placements += there
    if not placements:
        raise MotionFailure("not reached", f"nothing can be put at {target}")
    return sorted(placements, key=lambda spot: spot.cost)


def _built_in(act: PhysicalAct, target: str, low: float, high: float) -> list[Any]:
    """The boxes of fixed things between two heights: a stove on a table, a sink in it."""
    kitchen = act.kitchen
    boxes = [
        box(kitchen, name)
        for name, built in kitchen.bodies.items()
        if built.body.fixed and name != kitchen.owner(target)
    ]
    return [one for one in boxes if one[0][2] < high and one[1][2] > low - 0.004]


def swept_by_doors(kitchen: SapienKitchen, low: float, high: float, *, but: str = "") -> list[Any]:
    """Boxes (2, 3) that open doors and drawers pass through when they shut, between two heights.

    What is put there would be pushed off by a door that is closed later. Those of one body may be
    left out: its own rack comes and goes with its door.
    """
    boxes = []
    for built in kitchen.bodies.values():
        for joint in () if built.name == but else built.body.joints:
            now, shut = built.position(joint.name), joint.limits[0]
            if now - shut < _AJAR or built.body.opened.get(joint.name) is None:
                continue
            link = built.body.link(joint.child)
            positions = {name: built.position(name) for name in built.joints}
            for share in np.linspace(0.0, 1.0, _DOOR_POSES):
                positions[joint.name] = float(now + share * (shut - now))
                pose = built.pose() @ built.body.at(positions)[joint.child]
                solids = [solid(shape, pose) for shape in link.shapes]
                box = np.array(
                    [
                        np.min([it.low for it in solids], axis=0),
                        np.max([it.high for it in solids], axis=0),
                    ]
                )
                if box[0][2] < high and box[1][2] > low:
                    boxes.append(box)
    return boxes


def before_controls(kitchen: SapienKitchen, low: float, high: float) -> list[Any]:
    """Boxes (2, 3) that a hand needs at buttons, knobs and levers, between two heights.

    What is put there would keep hands from switching an appliance later.
    """
    boxes = []
    for built in kitchen.bodies.values():
        for control in built.body.controls:
            handle = built.body.handle(control.handle)
            point = handle.push or next((it.pose for it in handle.grasps), None)
            if point is None:  # nobody can work it
                continue
            pose = matrix(built.pose(handle.link)) @ matrix(point)
            ends = pose[:3, 3], pose[:3, 3] - _HAND_LENGTH * pose[:3, 2]
            box = np.array([np.min(ends, axis=0) - _HAND, np.max(ends, axis=0) + _HAND])
            if box[0][2] < high and box[1][2] > low:
                boxes.append(box)
    return boxes


def _over(spot: Spot, others: list[Any], margin: float) -> bool:
    """Whether a spot is above, or within ``margin`` of, one of the boxes ``others``."""
    x, y = spot.pose[:2, 3]
    return any(
        low[0] - margin < x < high[0] + margin and low[1] - margin < y < high[1] + margin
        for low, high in others
    )
