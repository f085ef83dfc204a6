"""Whether an arm mounted on a table could take a thing from where it is to be put."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from treec_sapien.bodies.pose import Pose
from treec_sapien.feasibility import out_of_ring
from treec_sapien.motion.frames import Array, about, compose
from treec_sapien.motion.grasp import reaches
from treec_sapien.motion.reach import candidates, collision_free_reaches

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen

RatedSpot = tuple[float, Array, Array | None]
"""Its cost, where it is (3,), and the direction out of what covers it."""

_YAWS = (0.0, np.pi / 2)
_SEEDS = 6  # configurations from which each way is solved
_TESTED = 12  # solutions tested for collisions at a spot
_Z = np.array([0.0, 0.0, 1.0])


def in_ring(
    kitchen: SapienKitchen, item: str, robots: Sequence[str], rated: Sequence[RatedSpot]
) -> list[RatedSpot]:
    """Return the rated spots where no robot's pick is refused as out of reach before it moves.

    For at least one of the robots. The item is thought standing upright, turned either way.
    """
    grasps = kitchen.bodies[item].body.grasps

    def refused(robot: str, spot: Array, yaw: float) -> bool:
        x, y, z = map(float, spot)
        there = Pose((x, y, z), (float(np.cos(yaw / 2)), 0.0, 0.0, float(np.sin(yaw / 2))))
        return bool(out_of_ring(kitchen, robot, {there.apply(grasp.p) for grasp in grasps}))

    return [
        one
        for one in rated
        if any(not any(refused(robot, one[1], yaw) for yaw in _YAWS) for robot in robots)
    ]


def takable(
    kitchen: SapienKitchen, item: str, robots: Sequence[str], rated: Sequence[RatedSpot]
) -> Iterator[RatedSpot]:
    """Return the rated spots from which an arm of one of the robots, at rest, could take an item.

    It is thought standing upright; which way it is turned is not known yet. Where an arm holds it
    now, the arm is thought empty and open.
    """
    built = kitchen.bodies[item]
    arms = [arm for name in robots for arm in kitchen.motion(name).arms.values()]
    for arm in arms:
        arm.motion.space.update()
    rng = np.random.default_rng(1)
    for one in rated:
        for arm in arms:
            q = arm.robot.qpos
            q[arm.joints] = arm.home
            if arm.holding is not None:
                q[arm.fingers] = arm.widest
            ways = [
                way
                for yaw in _YAWS
                for way in reaches(arm, built, built.body.grasps, compose(about(_Z, yaw), one[1]))
            ]
            problem = replace(arm.problem(q), gentle=False)
            solutions = candidates(problem, ways, rng, seeds=_SEEDS) if ways else []
            space = arm.motion.space
            with space.without([built.entity]), arm.may_touch(built.entity):
                free = collision_free_reaches(space, solutions[:_TESTED], partial(arm.whole, q))
                found = next(free, None) is not None
            if found:
                yield one
                break
