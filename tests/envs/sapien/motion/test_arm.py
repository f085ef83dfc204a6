"""Arms that move: they take, they stop at once, two of them do not meet."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import run
from tests.envs.sapien.motion.bench import Bench, let_go, lift
from tests.envs.sapien.scenes import kitchen
from treec_sapien.motion import rrt
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about
from treec_sapien.motion.grasp import take
from treec_sapien.motion.timing import resample, time_parametrize
from treec_sapien.motion.upright import Upright


def test_a_panda_takes_a_block_and_holds_it_by_friction() -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    assert bench.run(lift(arm, bench.blocks[3], 4)) == [True]
    assert bench.blocks[3].pose.p[2] > 0.6
    bench.run(let_go(arm))
    bench.run(bench.motion.pause(1.0))
    assert not arm.grips(bench.blocks[3])


@pytest.mark.parametrize(("misses", "could"), [(2, True), (99, False)])
def test_the_way_home_is_sought_again_where_a_search_has_not_found_it(
    monkeypatch: pytest.MonkeyPatch, misses: int, could: bool
) -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    bench.robot.put(bench.robot.qpos + np.where(np.arange(9) == 1, 0.4, 0.0))
    connect, searches = rrt.connect, list[int]()

    def misses_first(*args: Any, **more: Any) -> Array | None:
        searches.append(bench.ticks)
        return None if len(searches) <= misses else connect(*args, **more)

    monkeypatch.setattr(rrt, "connect", misses_first)
    assert bench.run(arm.rest(np.random.default_rng(0))) == [could]
    assert (np.max(np.abs(bench.robot.qpos[arm.joints] - arm.home)) < 0.05) == could
    assert len(searches) < 10


def test_what_is_carried_upright_near_the_arms_home_is_at_rest_and_stays() -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    arm.upright = Upright(arm.tcp[:3, :3].T @ np.array([0.0, 0.0, 1.0]))
    began = bench.ticks
    assert bench.run(arm.rest(np.random.default_rng(0))) == [True]
    assert bench.ticks <= began + 1
    bench.robot.put(bench.robot.qpos + np.where(np.arange(9) == 1, 0.4, 0.0))
    assert bench.run(arm.rest(np.random.default_rng(0))) == [True]
    assert bench.ticks > began + 20
    began = bench.ticks
    assert bench.run(arm.rest(np.random.default_rng(1))) == [True]
    assert bench.ticks <= began + 1


def test_cancelled_in_the_middle_it_is_at_rest_within_a_tenth_of_a_second() -> None:
    bench = Bench("panda")
    doing = lift(bench.motion.arms["arm"], bench.blocks[0], 1)
    while np.max(np.abs(bench.robot.articulation.qvel)) < 0.8:
        next(doing)
        bench.step()
    doing.close()
    for _ in range(6):
        bench.step()
    assert np.max(np.abs(bench.robot.articulation.qvel)) < 0.05
    assert bench.motion.traffic.others("nobody") == []


def test_cancelled_while_it_carries_it_goes_on_holding() -> None:
    bench = Bench("panda")
    arm, block = bench.motion.arms["arm"], bench.blocks[0]
    doing = lift(arm, block, 1)
    while block.pose.p[2] < 0.48:
        next(doing)
        bench.step()
    doing.close()
    bench.run(bench.motion.pause(0.5))
    assert arm.grips(block)


@pytest.mark.parametrize("case", [((1, 3), 1), ((3, 0), 3), ((4, 2), 3), ((2, 0), 1)])
@pytest.mark.few(0, thorough=1)
def test_two_arms_of_one_robot_never_touch(case: tuple[tuple[int, int], int]) -> None:
    ones, seed = case
    bench = Bench("baxter")
    left, right = bench.motion.arms["left"], bench.motion.arms["right"]
    own = {link.entity: link.name for link in bench.robot.articulation.links}
    met: list[str] = []
    together = 0

    def watch() -> None:
        nonlocal together
        together += len(bench.motion.traffic.others("nobody")) == 2
        q = bench.robot.qpos
        hits = bench.motion.space.contacts(q) if bench.ticks % 10 == 0 else []
        for one, two in hits:
            names = [name.split("/")[1] for name in (one, two)]
            if all(name in own.values() for name in names):
                met.append(" and ".join(names))

    doing = {i: lift(arm, bench.blocks[ones[i]], seed + i) for i, arm in enumerate((left, right))}
    held = {}
    while doing:
        for i, one in list(doing.items()):
            try:
                next(one)
            except StopIteration as stop:
                held[i] = stop.value
                del doing[i]
        watch()
        bench.step()
        assert bench.ticks < 3600
    assert held == {0: True, 1: True}
    assert met == []
    assert together > 30 or ones != (1, 3)  # half a second in which both moved


@pytest.mark.thorough
def test_the_base_goes_where_an_arm_can_reach() -> None:
    bench = Bench("baxter")
    far = bench.block("far", (0.02, 0.02, 0.03), (-0.8, 0.3, 0.78))
    assert bench.run(lift(bench.motion.arms["left"], far, 3)) == [True]
    assert np.linalg.norm(bench.robot.qpos[:2]) > 0.1


def test_what_nobody_can_reach_fails_by_its_name() -> None:
    bench = Bench("panda")
    away = bench.block("away", (0.02, 0.02, 0.03), (2.0, 0.0, 0.03))
    with pytest.raises(MotionFailure, match="not reached"):
        bench.run(lift(bench.motion.arms["arm"], away, 1))


def test_a_path_through_something_thin_is_looked_for_again_in_smaller_steps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench("panda")
    arm, space = bench.motion.arms["arm"], bench.motion.space
    bench.block("sheet", (0.3, 0.001, 0.3), (0.5, 0.0, 0.75), fixed=True)
    start, goal = arm.home.copy(), arm.home.copy()
    start[0], goal[0] = -0.7, 0.7
    bench.robot.put(np.concatenate([start, bench.robot.qpos[len(start) :]]))
    space.update()
    asked: list[float] = []
    found = rrt.connect

    def coarse(*args: Any, gap: float) -> Any:
        asked.append(gap)
        return np.stack([start, goal]) if len(asked) == 1 else found(*args, gap=gap)

    monkeypatch.setattr(rrt, "connect", coarse)
    path = arm.path_to([goal], np.random.default_rng(0))
    assert path is not None
    assert asked[1] < asked[0]
    assert space.all_free(arm.whole(bench.robot.qpos, resample(path, 0.004)))


def test_corners_are_rounded_only_where_there_is_room(monkeypatch: pytest.MonkeyPatch) -> None:
    arm = Bench("panda").motion.arms["arm"]
    path = np.stack([arm.home, arm.home + 0.4, arm.home + np.array([0.8, *[0.4] * 6])])
    limits = np.array(arm.about.velocity), np.array(arm.about.acceleration)
    monkeypatch.setattr(arm.motion.space, "all_free", lambda rows, roomy=False: True)
    assert np.array_equal(arm.times(path), time_parametrize(path, *limits))
    monkeypatch.setattr(arm.motion.space, "all_free", lambda rows, roomy=False: False)
    assert np.array_equal(arm.times(path), time_parametrize(path, *limits, exact=True))


def test_what_is_lost_on_the_way_is_noticed_and_lies_still_before_the_arm_says_so() -> None:
    bench = Bench("panda")
    arm, block = bench.motion.arms["arm"], bench.blocks[3]
    assert bench.run(lift(arm, block, 4)) == [True]
    gripper = arm.about.gripper
    bench.robot.drive_to(gripper.joints, gripper.targets(gripper.opening[1]))  # it slips out
    far = arm.robot.qpos[arm.joints] + np.array([1.5, 0, 0, 0, 0, 0, 0])
    path = np.linspace(arm.robot.qpos[arm.joints], far, 5)
    with pytest.raises(MotionFailure, match="dropped: b3 on the way"):
        bench.run(arm.move(path))
    assert np.linalg.norm(bench.motion.speed(block)) < 0.02
    assert abs(arm.robot.qpos[arm.joints][0] - path[-1][0]) > 0.3, "it went all the way"
    assert arm.holding is None
    assert not bench.motion.space.held


@pytest.mark.thorough
def test_what_slips_out_while_it_is_lifted_is_taken_by_another_grasp(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    where = kitchen()
    arm, built = where.arm("R1"), where.bodies["apple"]
    gripper = arm.about.gripper
    tried: list[str] = []
    old = arm.along

    def along(found: Any, part: int, **how: Any) -> Any:
        if part == 1 and not tried:
            tried.append(found.reach.name)
            where.robots["R1"].drive_to(gripper.joints, gripper.targets(gripper.opening[1]))
            for _ in range(30):
                yield
            arm.detach()
            raise MotionFailure("dropped", "apple on the way")
        yield from old(found, part, **how)

    monkeypatch.setattr(arm, "along", along)
    run(where, take(arm, built, np.random.default_rng(0)))
    assert tried
    assert arm.grips(built.entity)


@pytest.mark.thorough
def test_a_hand_that_holds_what_another_has_attached_notices_when_it_is_gone() -> None:
    bench = Bench("baxter")
    left, right = (bench.motion.arms[side] for side in ("left", "right"))
    assert bench.run(lift(left, bench.blocks[1], 1)) == [True]
    right.attach_too(bench.blocks[1])
    bench.run(let_go(left))
    with pytest.raises(MotionFailure, match="dropped: b1 on the way"):
        bench.run(right.move(np.linspace(right.home, right.home + 0.2, 3)))
    assert right.holding is None


def test_what_is_held_is_carried_slowly_where_there_is_little_room() -> None:
    bench = Bench("panda")
    arm, block = bench.motion.arms["arm"], bench.blocks[3]
    assert bench.run(lift(arm, block, 4)) == [True]
    here = arm.robot.qpos[arm.joints]
    there = here + np.array([1.2, 0, 0, 0, 0, 0, 0])
    path = np.stack([here, (here + there) / 2, there])
    freely = len(arm.times(path))
    turned = about(np.array([0.0, 0.0, 1.0]), 0.6)
    spot = turned[:2, :2] @ np.array(block.pose.p[:2])  # halfway along
    bench.block("wall", (0.05, 0.05, 0.01), (*spot, block.pose.p[2] - 0.03 - 0.01 - 0.006))
    bench.motion.space.update()
    assert len(arm.times(path)) > 1.5 * freely
    arm.detach()
    assert len(arm.times(path)) < 1.2 * freely, "an empty hand is as fast as ever"


def test_what_has_turned_between_the_fingers_is_carried_slowly_until_it_is_let_go() -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    assert bench.run(lift(arm, bench.blocks[3], 4)) == [True]
    path = np.linspace(here := arm.robot.qpos[arm.joints], here + 0.3, 5)
    freely = len(arm.times(path))
    arm.careful = True
    assert len(arm.times(path)) > 1.5 * freely
    arm.detach()
    assert not arm.careful


def _on_the_way(bench: Bench, half: float, *, aside: float = 0.0, below: float) -> Array:
    """Put a cube, the post, where the tool passes when the first joint turns by 0.8 rad.

    So far (m) to the side on which a finger opens, and below the tool point. Return the two ends.
    """
    arm, q = bench.motion.arms["arm"], bench.robot.qpos
    ends = q[arm.joints] + np.array([[0.0], [0.8]]) * np.eye(7)[0]
    tool = arm.chain.poses(arm.problem(arm._with(q, ends.mean(axis=0))).now[None])[0]
    there = tool[:3, 3] + aside * tool[:3, 1] - np.array([0.0, 0.0, below])
    bench.block("post", (half, half, half), tuple(there), fixed=True)
    bench.motion.space.update()
    return ends


def test_what_is_close_at_an_end_of_a_path_is_no_reason_to_pass_by_something_else_closely() -> None:
    """A grasp low above the table let the whole path graze what stood there: a tin was hit."""
    bench = Bench("panda")
    arm, space = bench.motion.arms["arm"], bench.motion.space
    bench.block("near", (0.06, 0.06, 0.02), tuple(arm.tcp[:3, 3] - np.array([0, 0, 0.037])))
    ends = _on_the_way(bench, 0.02, below=0.037)
    assert space.all_free(arm._with(bench.robot.qpos, resample(ends, 0.02)))
    path = arm.path_to([ends[1]], np.random.default_rng(0))
    assert path is not None
    for row in arm._with(bench.robot.qpos, resample(path, 0.02)):
        assert space.free(row)
        assert not any("post" in other for _, other in space.contacts(row, roomy=True))


def test_a_path_on_which_the_fingers_open_is_clear_with_open_fingers() -> None:
    bench = Bench("panda")
    arm, space = bench.motion.arms["arm"], bench.motion.space
    q = bench.robot.qpos
    q[arm.fingers] = 0.0
    q[arm.joints[6]] += np.pi / 2
    bench.robot.articulation.qpos = q
    ends = _on_the_way(bench, 0.008, aside=0.05, below=0.0)
    straight = resample(ends, 0.02)
    assert space.all_free(arm._with(q, straight))
    path = arm.path_to([ends[1]], np.random.default_rng(0), spread=True)
    assert path is not None
    q[arm.fingers] = arm.widest
    assert not space.all_free(arm._with(q, straight))
    assert space.all_free(arm._with(q, resample(path, 0.02)))
