"""What a robot touches, what it may touch, and what moves with it."""

from __future__ import annotations

import numpy as np
import pytest
from mplib.sapien_utils import SapienPlanningWorld

from tests.envs.sapien.motion.bench import Bench, from_above, lift
from treec_sapien.motion.frames import matrix, translate
from treec_sapien.robots.robot import enable_self_collision


def test_at_rest_nothing_is_touched_not_even_itself() -> None:
    for kind in ("panda", "baxter"):
        bench = Bench(kind)
        assert bench.motion.space.contacts(bench.robot.qpos, roomy=True) == []


def test_the_planner_minds_the_robots_own_links() -> None:
    bench = Bench("baxter")
    arms = bench.motion.arms
    q = bench.robot.qpos
    q[arms["left"].joints[0]], q[arms["right"].joints[0]] = -1.5, 1.5  # both across the body
    hits = bench.motion.space.contacts(q)
    assert any("left" in one + two and "right" in one + two for one, two in hits)


def test_a_hand_may_touch_what_it_is_about_to_take_and_nothing_else() -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    from treec_sapien.motion.reach import candidates

    block = bench.blocks[2]
    found = candidates(arm.problem(bench.robot.qpos), from_above(block), np.random.default_rng(0))
    q = arm.whole(bench.robot.qpos, found[0].q[8])
    q[arm.fingers] = 0.015  # the pads press on the block
    space = bench.motion.space
    assert not space.free(q)
    with arm.may_touch(block):
        assert space.free(q)
    with arm.may_touch(bench.blocks[0]):
        assert not space.free(q)


def test_padding_keeps_free_motions_away() -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    bench.block("near", (0.06, 0.06, 0.02), tuple(arm.tcp[:3, 3] - np.array([0, 0, 0.037])))
    space = bench.motion.space
    assert space.free(bench.robot.qpos)
    assert not space.free(bench.robot.qpos, roomy=True)


def test_what_is_held_moves_with_the_hand_and_is_left_when_let_go() -> None:
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    assert bench.run(lift(arm, bench.blocks[0], 1)) == [True]
    space = bench.motion.space
    over = translate(matrix(bench.blocks[0].pose), world=np.array([0.0, 0.0, -0.05]))
    bench.block("below", (0.02, 0.02, 0.02), tuple(over[:3, 3]), fixed=True)
    space.update()
    hits = space.contacts(bench.robot.qpos)
    assert any("b0" in one + two and "below" in one + two for one, two in hits)
    arm.detach()
    assert not any("below" in one + two for one, two in space.contacts(bench.robot.qpos))


def test_whether_a_thing_fits() -> None:
    bench = Bench("panda")
    space, block = bench.motion.space, bench.blocks[0]
    here = matrix(block.pose)
    assert space.fits(block, translate(here, world=np.array([0.0, 0.0, 0.2])))
    assert not space.fits(block, matrix(bench.blocks[1].pose))


@pytest.mark.parametrize("kind", ["panda", "baxter"])
def test_it_finds_what_mplibs_own_world_finds(kind: str) -> None:
    bench = Bench(kind)
    robot, space = bench.robot, bench.motion.space
    with enable_self_collision([robot]):
        world = SapienPlanningWorld(bench.scene, [robot.articulation])
    robot.allow_overlaps(world.get_allowed_collision_matrix())
    model = world.get_planned_articulations()[0]
    limits = np.array([joint.limits[0] for joint in robot.articulation.active_joints])
    low, high = np.clip(limits, -2.5, 2.5).T
    rng = np.random.default_rng(0)
    rows = rng.uniform(low, high, (200, len(low)))
    rows[:, robot.indices(robot.base_joints)] *= 0.2
    hits = 0
    for row in rows:
        model.set_qpos(row, True)
        theirs = {
            frozenset((f"{a.object_name1}/{a.link_name1}", f"{a.object_name2}/{a.link_name2}"))
            for a in world.check_collision()
        }
        assert set(map(frozenset, space.contacts(row))) == theirs
        assert space.free(row) == (not theirs)
        hits += bool(theirs)
    assert 4 < hits < 200


def test_many_rows_are_free_when_each_is() -> None:
    bench = Bench("baxter")
    arm, space = bench.motion.arms["left"], bench.motion.space
    rows = np.repeat(bench.robot.qpos[None], 40, axis=0)
    rows[:, arm.joints[1]] = np.linspace(arm.home[1], 1.0, 40)  # down into the table
    free = [space.free(row) for row in rows]
    first = free.index(False)
    assert space.all_free(rows[:first])
    assert not space.all_free(rows)
    assert not space.all_free(rows[first : first + 1])


def test_some_pieces_of_a_link_may_be_touched_and_the_others_not() -> None:
    bench = Bench("panda")
    arm, block = bench.motion.arms["arm"], bench.blocks[2]
    from treec_sapien.motion.reach import candidates

    found = candidates(arm.problem(bench.robot.qpos), from_above(block), np.random.default_rng(0))
    q = arm.whole(bench.robot.qpos, found[0].q[8])
    q[arm.fingers] = 0.015
    space = bench.motion.space
    with space.allow_contact(arm.hand_links, block, pieces=frozenset({0})):
        assert space.free(q)
    with space.allow_contact(arm.hand_links, block, pieces=frozenset({1})):
        assert not space.free(q)


def test_what_stays_near_something_does_not_narrow_the_way_of_another_arm() -> None:
    bench = Bench("baxter")
    left, right = (bench.motion.arms[side] for side in ("left", "right"))
    bench.block("near", (0.06, 0.06, 0.02), tuple(left.tcp[:3, 3] - np.array([0, 0, 0.037])))
    space, q = bench.motion.space, bench.robot.qpos
    assert not space.free(q, roomy=True)
    with space.ignore_contacts(q, left.joints):
        assert not space.free(q, roomy=True), "the left arm's own nearness stays"
    with space.ignore_contacts(q, right.joints):
        assert space.free(q, roomy=True)
    assert not space.free(q, roomy=True)


def test_what_lies_against_the_foot_of_an_arm_refuses_no_motion() -> None:
    """A bottle that somebody had pushed there left every skill without a way, to the end."""
    bench = Bench("panda")
    space, q = bench.motion.space, bench.robot.qpos
    x, y, z = bench.robot.link("panda_link0").entity_pose.p
    bench.block("bottle", (0.03, 0.03, 0.03), (x, y, z + 0.03))
    space.update()
    assert space.free(q)
    assert space.free(q, roomy=True)
    elbow = bench.robot.link("panda_link4").entity_pose.p
    bench.block("before the elbow", (0.03, 0.03, 0.03), tuple(elbow), fixed=True)
    space.update()
    assert not space.free(q)
