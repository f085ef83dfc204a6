"""Two arms of one robot where a person may hold one of them up: it is not where its course was."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from tests.envs.sapien.motion.bench import Bench, lift
from treec.envs.sapien.motion.arm import Arm
from treec.envs.sapien.motion.failure import MotionFailure
from treec.envs.sapien.motion.frames import Array, Index


def lift_again(arm: Arm, block: Any, seed: int) -> Generator[None, None, bool]:
    """Lift a block; again where the other arm was in the way, as skills do."""
    for left in reversed(range(3)):
        try:
            return (yield from lift(arm, block, seed))
        except MotionFailure as failure:
            if failure.name != "blocked" or not left:
                raise
        yield from arm.motion.pause(2.0)
    return False


def arms_in_contact(bench: Bench) -> bool:
    """Whether two parts of the robot overlap."""
    name = bench.robot.articulation.name
    hits = bench.motion.space.contacts(bench.robot.qpos)
    return any(one.startswith(f"{name}") and two.startswith(f"{name}") for one, two in hits)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("slowed", "ones", "seed"),
    [
        ("left", (1, 3), 1),
        ("right", (2, 0), 1),
        pytest.param("left", (2, 0), 1, marks=pytest.mark.slow),
        pytest.param("left", (4, 2), 3, marks=pytest.mark.slow),  # one gives up, and tries again
    ],
)
def test_arms_never_touch_where_one_is_held_up(
    slowed: str, ones: tuple[int, int], seed: int
) -> None:
    bench = Bench("baxter")
    its = set(bench.motion.arms[slowed].joints.tolist())

    def guard(joints: Index, here: Array, ahead: Array, steps: float) -> float:
        held_up = its.issuperset(joints.tolist()) and bench.ticks % 100 < 70
        return 0.0 if held_up else 1.0

    bench.motion.guard = guard
    sides = ("left", "right")
    doing = {
        i: lift_again(bench.motion.arms[side], bench.blocks[ones[i]], seed + i)
        for i, side in enumerate(sides)
    }
    held, met, together = {}, 0, 0
    while doing:
        for i, one in list(doing.items()):
            try:
                next(one)
            except StopIteration as stop:
                held[i] = stop.value
                del doing[i]
        together += len(bench.motion.traffic.others("nobody")) == 2
        met += bench.ticks % 10 == 0 and arms_in_contact(bench)
        bench.step()
        assert bench.ticks < 6000
    assert held == {0: True, 1: True}
    assert met == 0
    assert together > 30
