"""One base handed from arm to arm: the next one gets ready, and the last one retires as it goes."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tests.envs.sapien.motion.bench import Bench, FreeRate, from_above
from treec_sapien.motion import ik
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.base import BaseRequest, Options, ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, translate
from treec_sapien.motion.grasp import go_to_one
from treec_sapien.motion.reach import ReachSolution


@pytest.fixture
def bench() -> Bench:
    return Bench("baxter")


def far_block(bench: Bench) -> Any:
    """A block on a stand of its own, out of reach for the right arm from where the left works."""
    bench.block("stand", (0.2, 0.2, 0.02), (1.8, 0.4, 0.73), fixed=True)
    block = bench.block("far", (0.02, 0.02, 0.03), (1.8, 0.3, 0.78))
    bench.run(bench.motion.pause(0.1))
    return block


def set_out(bench: Bench, arm: Arm, block: Any) -> ReachSolution:
    """Bring the arm above a block, rooted."""
    rng = np.random.default_rng(0)

    def steps() -> Generator[None, None, ReachSolution]:
        (options,) = yield from arm.motion.base.ask(rng, ReachWish(arm, from_above(block), block))
        return (yield from go_to_one(arm, options, rng))

    found: ReachSolution = bench.run(steps())[0]
    return found


@pytest.mark.thorough
def test_an_arm_gets_ready_while_the_base_stands_for_the_other(bench: Bench) -> None:
    motion, far = bench.motion, far_block(bench)
    left, right, base = motion.arms["left"], motion.arms["right"], motion.base
    set_out(bench, left, bench.blocks[1])
    here = base.place
    asks = base.ask(np.random.default_rng(0), ReachWish(right, from_above(far), far))
    (request,) = wait_until(bench, asks, lambda: [it for it in base._queue if it.ready])
    assert np.allclose(base.place, here, atol=0.01)  # the base stands
    ready = bench.robot.qpos[right.joints]
    assert np.max(np.abs(ready - right.home)) > 0.3
    assert request.planned is not None
    base.release(left)
    (options,) = finish(bench, asks)
    assert np.max(np.abs(base.place - here)) > 0.1
    start = right.chain_rows([options[0].q[0]])[0]
    assert np.max(np.abs(start - bench.robot.qpos[right.joints])) < 0.1  # no way is left


@pytest.mark.thorough
def test_who_got_ready_in_vain_is_retracted(bench: Bench) -> None:
    motion, far = bench.motion, far_block(bench)
    left, right, base = motion.arms["left"], motion.arms["right"], motion.base
    set_out(bench, left, bench.blocks[1])
    asks = base.ask(np.random.default_rng(0), ReachWish(right, from_above(far), far))
    (request,) = wait_until(bench, asks, lambda: [it for it in base._queue if it.ready])
    request.refused = True
    with pytest.raises(MotionFailure, match="not reached"):
        finish(bench, asks)
    assert np.max(np.abs(bench.robot.qpos[right.joints] - right.home)) < 0.06


def test_no_arm_gets_ready_in_the_way_of_the_one_at_work(bench: Bench) -> None:
    motion = bench.motion
    left, right = motion.arms["left"], motion.arms["right"]
    found = set_out(bench, left, bench.blocks[1])
    assert motion.base._leaves_room(right, right.home)
    problem = right.problem(bench.robot.qpos)
    over = [translate(it, world=np.array([0.0, 0.0, 0.02])) for it in found.reach.way[:1]]
    q, _ = ik.solve(
        right.chain, np.stack(over), problem.now[None].copy(), free=problem.arm, iterations=60
    )
    assert not motion.base._leaves_room(right, q[0][problem.arm])


@pytest.mark.thorough
def test_no_arm_gets_ready_where_a_door_will_swing(bench: Bench) -> None:
    motion = bench.motion
    left, right, base = motion.arms["left"], motion.arms["right"], motion.base
    found = set_out(bench, left, bench.blocks[1])
    shown: list[int] = []

    def show(space: Any, i: int) -> None:
        shown.append(i)

    motion.begun[left] = replace(found, reach=replace(found.reach, show=show))
    assert base._leaves_room(right, right.home)
    assert shown == list(range(0, len(found.q), 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(motion.space, "free", lambda q, roomy=False: shown[-1] < 6)
        assert not base._leaves_room(right, right.home)


@pytest.mark.thorough
def test_an_arm_whose_hand_is_done_is_retracted_while_the_base_drives(bench: Bench) -> None:
    motion, far = bench.motion, far_block(bench)
    left, right, base = motion.arms["left"], motion.arms["right"], motion.base
    set_out(bench, left, bench.blocks[1])
    both: list[int] = []
    rng = np.random.default_rng(0)
    asks = base.ask(rng, ReachWish(right, from_above(far), far))

    def watched() -> Generator[None, None, Options]:
        while True:
            try:
                next(asks)
            except StopIteration as stop:
                return list(stop.value)
            if {"base", "left"} <= set(motion.traffic._courses):
                both.append(bench.ticks)
            yield

    retired, _ = bench.run(base.retire(left, rng), watched())
    assert retired
    assert len(both) > 20  # control steps
    assert np.max(np.abs(bench.robot.qpos[left.joints] - left.home)) < 0.06


@pytest.mark.thorough
def test_beside_people_the_base_waits_until_an_arm_is_retracted(bench: Bench) -> None:
    motion = bench.motion
    left, base = motion.arms["left"], motion.base
    set_out(bench, left, bench.blocks[1])
    motion.guard = FreeRate()
    steps = base.retire(left, np.random.default_rng(0))
    next(steps)
    assert base._rooted == {"left"}
    bench.run(steps)
    assert base._rooted == set()


def wait_until(
    bench: Bench, steps: Generator[None, None, Any], found: Any, limit: int = 600
) -> list[BaseRequest]:
    for _ in range(limit):
        next(steps)
        bench.step()
        if there := found():
            return list(there)
    raise AssertionError("it takes too long")


def finish(bench: Bench, steps: Generator[None, None, Any]) -> Array | Any:
    (out,) = bench.run(steps)
    return out
