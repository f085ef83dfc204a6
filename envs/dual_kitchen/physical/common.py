"""What several of these skills ask: chance, regions of a target, how a thing is to be carried."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treec.envs.bodies.solid import solid
from treec.envs.bodies.spec import BodyHandle
from treec.envs.sapien.build import BuiltBody
from treec.envs.sapien.motion.failed import MotionFailure
from treec.envs.sapien.motion.frames import matrix
from treec.envs.sapien.motion.putting import Spot, spots_in
from treec.envs.sapien.sense.location import box, inside
from treec.envs.sapien.spots import out_of

if TYPE_CHECKING:
    from treec.envs.sapien.motion.arm import Arm
    from treec.envs.sapien.worker import PhysicalAct

_WIDE = 0.15
"""Half the length (m) from which on a region has room for several things side by side."""

CARRIED_UPRIGHT = ("bowl", "cup", "pot", "bottle")
"""Kinds of bodies that liquid could be in."""


def chance(act: PhysicalAct, attempt: int = 0) -> np.random.Generator:
    """The order's own randomness: of the run's seed and the order, whatever else is under way."""
    return np.random.default_rng(act.seed(attempt))


def body(act: PhysicalAct, argument: str) -> BuiltBody:
    """The body that an argument names. Fails when it has none."""
    built = act.kitchen.bodies.get(act.arg(argument))
    if built is None:
        raise MotionFailure("not reached", f"{act.arg(argument)} has no body")
    return built


def upright(built: BuiltBody) -> bool:
    """Whether a thing is carried the right way up."""
    return built.body.kind in CARRIED_UPRIGHT


def door(act: PhysicalAct, argument: str = "door") -> tuple[BuiltBody, BodyHandle, str]:
    """The body, the handle and the joint of a door."""
    where = act.kitchen.joint_of(act.arg(argument))
    part = act.kitchen.layout.parts.get(act.arg(argument))
    if where is None or part is None or part.part.handle is None:
        raise MotionFailure("not reached", f"{act.arg(argument)} has no handle")
    built, joint = where
    return built, built.body.handle(part.part.handle), joint


def sides(item: BuiltBody) -> tuple[float, float]:
    """Half of the shorter and half of the longer side of what an upright thing stands on (m)."""
    poses = item.body.at_start()
    solids = [solid(shape, poses[link.name]) for link in item.body.links for shape in link.shapes]
    x, y = (max(it.high[i] for it in solids) - min(it.low[i] for it in solids) for i in (0, 1))
    return min(x, y) / 2, max(x, y) / 2


def spots(
    act: PhysicalAct, arm: Arm, item: BuiltBody, target: str, rng: np.random.Generator
) -> list[Spot]:
    """Where a thing may stand in or on a target, all of its regions together."""
    low, high = box(act.kitchen, item.name)
    wide = float(np.max(high[:2] - low[:2])) / 2
    wide = min(wide, sides(item)[0]) + 0.005  # long things may jut out
    found: list[Spot] = []
    for region, frame in act.kitchen.regions_of(target):
        if act.kitchen.too_large(item.name, target, region):
            continue
        front = out_of(act.kitchen, region, frame)
        there = spots_in(region, matrix(frame), rng, radius=wide, near=arm.tcp[:3, 3], front=front)
        if max(region.half_size[:2]) > _WIDE:  # beside what stands there, not into it
            names = [name for name in inside(act.kitchen, target) if name != item.name]
            others = [box(act.kitchen, name) for name in names]
            level = float((matrix(frame) @ np.array([*region.p[:2], region.floor, 1.0]))[2])
            others += _built_in(act, target, level, level + float(high[2] - low[2]))
            free = [spot for spot in there if not _over(spot, others, 0.8 * wide)]
            there = free or there
        found += there
    if not found:
        raise MotionFailure("not reached", f"nothing can be put at {target}")
    return sorted(found, key=lambda spot: spot.cost)


def _built_in(act: PhysicalAct, target: str, low: float, high: float) -> list[Any]:
    """The boxes of what stands for good between two heights: a stove on a table, a sink in it."""
    kitchen = act.kitchen
    boxes = [
        box(kitchen, name)
        for name, built in kitchen.bodies.items()
        if built.body.fixed and name != kitchen.owner(target)
    ]
    return [one for one in boxes if one[0][2] < high and one[1][2] > low - 0.004]


def _over(spot: Spot, others: list[Any], margin: float) -> bool:
    """Whether a spot is above, or too near to, a thing whose box is one of ``others``."""
    x, y = spot.pose[:2, 3]
    return any(
        low[0] - margin < x < high[0] + margin and low[1] - margin < y < high[1] + margin
        for low, high in others
    )
