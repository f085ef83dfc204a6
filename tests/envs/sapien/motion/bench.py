"""A robot at a table with a few blocks, stepped by hand: for tests of motion."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

import numpy as np
import sapien

from treec_sapien.motion.arm import Arm
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.frames import Array, about, compose, matrix, rotation, translate
from treec_sapien.motion.grasp import go_to_one
from treec_sapien.motion.kinematic_tree import Mask
from treec_sapien.motion.motion import Motion
from treec_sapien.motion.reach import ReachRow, through
from treec_sapien.robots.describe import load

DOWN = rotation(np.array([0.0, 1.0, 0.0, 0.0]))
"""The tool points down, its fingers close along y."""


class FreeRate:
    """A guard of which nothing but the share of speeds is asked for: 1, or what it is made with."""

    held_up_by = ""

    def __init__(self, share: Callable[..., float] = lambda *rest: 1.0) -> None:
        self.share = share

    def leaves_room(self, rows: Array) -> Mask:
        return np.ones(len(rows), dtype=bool)

    def reason(self, person: str) -> str:
        return f"{person} is in the way"


class Bench:
    """A Panda on a table, or Baxter before one, and five blocks of 4 x 4 x 6 cm on it."""

    def __init__(self, kind: str) -> None:
        self.scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
        self.scene.set_timestep(1 / 240)
        self.ticks = 0
        self.block("floor", (3, 3, 0.05), (0, 0, -0.05), fixed=True)
        if kind == "panda":
            self.block("table", (0.3, 0.6, 0.02), (0.55, 0, 0.38), fixed=True)
            spots = [(0.42 + 0.05 * i, -0.24 + 0.12 * i, 0.43) for i in range(5)]
            self.robot = load(self.scene, kind, kind, (0, 0, 0.4), 0)
        else:
            self.block("table", (0.9, 0.3, 0.02), (0, 0.4, 0.73), fixed=True)
            spots = [(-0.32 + 0.16 * i, 0.25 + 0.05 * (i % 2), 0.78) for i in range(5)]
            self.robot = load(self.scene, kind, kind, (0, -0.55, 0), 90)
        self.blocks = [self.block(f"b{i}", (0.02, 0.02, 0.03), p) for i, p in enumerate(spots)]
        self.motion = Motion(self.scene, self.robot, lambda: self.ticks / 60)
        self.run(self.motion.pause(0.3))

    def block(
        self, name: str, half: tuple[float, ...], at: tuple[float, ...], *, fixed: bool = False
    ) -> Any:
        builder = self.scene.create_actor_builder()
        material = sapien.physx.PhysxMaterial(1, 1, 0)
        builder.add_box_collision(half_size=half, density=400, material=material)
        builder.initial_pose = sapien.Pose(at)
        return builder.build_static(name) if fixed else builder.build(name)

    def step(self) -> None:
        for _ in range(4):
            self.scene.step()
        self.ticks += 1

    def run(self, *doing: Generator[None, None, Any], limit: float = 60.0) -> list[Any]:
        """Step generators side by side until all have ended; returns what they returned."""
        out: list[Any] = [None] * len(doing)
        left = dict(enumerate(doing))
        end = self.ticks + round(limit * 60)
        while left:
            assert self.ticks < end, "it takes too long"
            for i, one in list(left.items()):
                try:
                    next(one)
                except StopIteration as stop:
                    out[i] = stop.value
                    del left[i]
            self.step()
        return out


def from_above(block: Any) -> list[ReachRow]:
    """Four ways to take a block from above: before, at it, lifted."""
    middle = matrix(block.pose)[:3, 3]
    out = []
    for turn in np.linspace(0, np.pi, 4, endpoint=False):
        at = compose(about(np.array([0.0, 0.0, 1.0]), turn) @ DOWN, middle)
        up = translate(at, world=np.array([0.0, 0.0, 0.12]))
        out.append(through([up, at, up], [8, 8], name="above"))
    return out


def lift(arm: Arm, block: Any, seed: int) -> Generator[None, None, bool]:
    """Take a block from above and draw the arm in; whether both fingers hold it then."""
    rng = np.random.default_rng(seed)
    try:
        (options,) = yield from arm.motion.base.ask(rng, ReachWish(arm, from_above(block), block))
        found = yield from go_to_one(arm, options, rng)
        yield from arm.along(found, 0, touch=block)
        yield from arm.close_gripper()
        arm.attach(block)
        yield from arm.along(found, 1, touch=block)
        yield from arm.rest(rng)
    finally:
        arm.motion.base.release(arm)
    return arm.grips(block)


def let_go(arm: Arm) -> Generator[None, None, None]:
    """Drop what is held."""
    yield from arm.open_gripper()
    arm.detach()


def path_to(bench: Bench, block: Any, seed: int) -> Array:
    """The path that the robot's first arm would take to a place above a block."""
    arm = next(iter(bench.motion.arms.values()))
    rng = np.random.default_rng(seed)
    bench.motion.space.update()
    from treec_sapien.motion.reach import candidates

    found = candidates(arm.problem(bench.robot.qpos), from_above(block), rng)
    path = arm.path_to([arm.chain_rows([found[0].q[0]])[0]], rng)
    assert path is not None
    return path
