"""Where the base goes for what the arms want, and where it does not stay."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import room
from tests.envs.sapien.motion.bench import Bench, from_above
from treec_sapien.motion.articulated import show_end
from treec_sapien.motion.base import BaseRequest, ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, matrix, translate

FLAP = {"kind": "dishwasher", "rack": 0.3, "glide": 0.26, "opens": 55}


@pytest.mark.thorough
def test_a_place_that_turned_out_not_to_do_is_not_taken_again() -> None:
    bench = Bench("baxter")
    arm, base = bench.motion.arms["left"], bench.motion.base
    block = bench.block("far", (0.02, 0.02, 0.03), (0.8, 0.3, 0.78))
    bench.run(bench.motion.pause(0.2))

    def stands(avoid: tuple[Array, ...]) -> Array:
        wish = ReachWish(arm, from_above(block), block)
        bench.run(base.ask(np.random.default_rng(1), wish, avoid=avoid))
        base.release(arm)
        return base.place

    first = stands(())
    assert np.allclose(stands(()), first, atol=0.02)  # it can be done from here
    gap = np.abs(stands((first,)) - first)
    assert np.hypot(*gap[:2]) > 0.14 or gap[2] > 0.19


def test_who_cannot_reach_is_named() -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    away = [translate(matrix(bench.blocks[0].pose), world=np.array([5.0, 0.0, 0.0]))]
    reach = from_above(bench.blocks[0])[0]
    far = type(reach)(np.stack(away * len(reach.way)), reach.marks, reach.pivot)
    with pytest.raises(MotionFailure, match="by the arm from anywhere: out of reach of the arm"):
        bench.run(bench.motion.base.ask(np.random.default_rng(0), ReachWish(arm, [far])))


def test_what_is_in_the_way_is_named() -> None:
    bench = Bench("panda")
    block = bench.blocks[0]
    x, y, _ = block.pose.p
    bench.block("shelf_board", (0.1, 0.1, 0.01), (x, y, 0.5), fixed=True)
    wish = ReachWish(bench.motion.arms["arm"], from_above(block), block)
    with pytest.raises(MotionFailure, match="from anywhere: the shelf_board is in the way"):
        bench.run(bench.motion.base.ask(np.random.default_rng(0), wish))


def test_a_base_that_sways_is_where_it_was() -> None:
    request = BaseRequest((), np.random.default_rng(0))
    here, nobody = np.zeros(3), frozenset[str]()
    assert not request.knows(nobody, here)
    request.tried = (nobody, here)
    assert request.knows(nobody, here + 0.005)
    assert not request.knows(nobody, here + 0.05)
    assert not request.knows(frozenset({"left"}), here)


def test_the_base_does_not_stand_where_a_door_will_fall_open() -> None:
    kitchen = room({"it": {"pose": [0.0, 0.3, 0.0], "body": FLAP}})
    motion, built = kitchen.arm("left").motion, kitchen.bodies["it"]
    wish = ReachWish(kitchen.arm("left"), [], leaves=show_end(built, "door", 0.3))
    base = motion.robot.indices(motion.robot.base_joints)
    back, near = motion.robot.qpos, motion.robot.qpos
    near[base[0]], back[base[0]] = 0.3, -0.3
    assert motion.space.free(near)
    assert not motion.base._stays_clear([wish], near)
    assert motion.base._stays_clear([wish], back)
    assert motion.space.free(near)  # it was only shown


def test_an_arm_is_not_thought_drawn_in_where_another_one_is() -> None:
    bench = Bench("baxter")
    motion = bench.motion
    left, right = motion.arms["left"], motion.arms["right"]
    q = bench.robot.qpos
    q[left.joints] += np.array([0.3, 0, 0, 0, 0, 0, 0])
    q[right.joints[0]] = 1.2  # across the body, where the left arm would rest
    bench.robot.put(q)
    right.holding = bench.blocks[0]
    assert not motion.space.is_self_collision_free(motion.retract(q))
    assert np.allclose(motion.rest_configuration(), q, atol=1e-6)
    right.holding = None
    assert np.allclose(motion.rest_configuration()[right.joints], right.home)


def test_an_arm_under_way_is_thought_where_it_will_come_to_rest() -> None:
    bench = Bench("baxter")
    motion, left = bench.motion, bench.motion.arms["left"]
    left.holding = bench.blocks[0]  # it is not retracted
    ends = left.home + 0.2
    motion.traffic.set_out("left", left.joints, np.linspace(left.home, ends, 60))
    assert np.allclose(motion.rest_configuration()[left.joints], ends)
    motion.traffic.stop("left")
    assert np.allclose(motion.rest_configuration(), bench.robot.qpos, atol=1e-6)


@pytest.mark.thorough
def test_who_is_about_to_ask_is_waited_for_and_keeps_its_turn() -> None:
    bench = Bench("baxter")
    base = bench.motion.base
    arms, rng = bench.motion.arms, np.random.default_rng(0)
    left, right = (
        base.ask(rng, ReachWish(arms[side], from_above(block), block))
        for side, block in (("left", bench.blocks[1]), ("right", bench.blocks[4]))
    )
    with base.expecting(arms["left"]):
        for _ in range(4):
            next(right)
        assert base._queue[0].answer is None  # it could begin at once
        next(left)
        assert [request.sides for request in base._queue] == [("left",), ("right",)]
        bench.run(left, right, limit=5.0)
    assert base._rooted == {"left", "right"}
    base.release(*arms.values())
    with base.expecting(arms["left"]):
        pass  # it has thought better of it
    again = base.ask(rng, ReachWish(arms["right"], from_above(bench.blocks[4]), bench.blocks[4]))
    bench.run(again, limit=1.0)
