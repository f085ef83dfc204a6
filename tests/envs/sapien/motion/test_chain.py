"""Forward and inverse kinematics of whole batches."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.sapien.motion.bench import Bench
from treec_sapien.motion import ik
from treec_sapien.motion.frames import matrix, twist


@pytest.mark.parametrize("kind", ["panda", "baxter"])
def test_the_tool_is_where_physics_has_it(kind: str) -> None:
    bench = Bench(kind)
    rng = np.random.default_rng(3)
    for arm in bench.motion.arms.values():
        chain = arm.chain
        q = bench.robot.home
        inside = bench.robot.indices(chain.names)
        q[inside] = rng.uniform(np.maximum(chain.low, -1), np.minimum(chain.high, 1))
        bench.robot.put(q)
        told = matrix(bench.robot.link(arm.about.tcp).entity_pose)
        assert chain.poses(q[inside]) == pytest.approx(told, abs=1e-5)


def test_jacobians_are_slopes() -> None:
    arm = Bench("baxter").motion.arms["left"]
    q = np.clip(np.linspace(-0.3, 0.4, len(arm.chain)), arm.chain.low, arm.chain.high)
    poses, jacobians = arm.chain.poses_and_jacobians(q[None])
    for joint in range(len(q)):
        step = np.zeros_like(q)
        step[joint] = 1e-5
        slope = twist(poses[0], arm.chain.poses(q + step)) / 1e-5
        assert jacobians[0, :, joint] == pytest.approx(slope, abs=1e-4)


def test_solutions_reach_their_goals_within_the_limits_and_are_the_same_again() -> None:
    bench = Bench("baxter")
    arm = bench.motion.arms["left"]
    chain, own = arm.chain, arm.problem(bench.robot.qpos).arm
    rng = np.random.default_rng(1)
    seeds = np.repeat(arm.problem(bench.robot.qpos).now[None], 40, axis=0)
    goals = seeds.copy()
    goals[:, own] = rng.uniform(chain.low[own] * 0.7, chain.high[own] * 0.7, (40, len(own)))
    wanted = chain.poses(goals)
    seeds[:, own] = goals[:, own] + rng.normal(0, 0.3, (40, len(own)))
    q, arrived = ik.solve(chain, wanted, seeds, free=own)
    assert np.mean(arrived) > 0.9
    assert np.max(np.linalg.norm(twist(chain.poses(q[arrived]), wanted[arrived]), axis=1)) < 1e-3
    assert np.all(q >= chain.low)
    assert np.all(q <= chain.high)
    again, _ = ik.solve(chain, wanted, seeds, free=own)
    assert np.array_equal(q, again)


@pytest.mark.parametrize("count", [0, 1, 50])
def test_definite_systems_are_solved_as_lapack_solves_them_and_stay_as_they_are(count: int) -> None:
    rng = np.random.default_rng(4)
    jacobians = rng.normal(size=(count, 6, 7))
    square = jacobians @ jacobians.transpose(0, 2, 1) + 1e-6 * np.eye(6)
    right = rng.normal(size=(count, 6))
    kept = square.copy(), right.copy()
    solved = ik.solve_definite(square, right)
    assert solved == pytest.approx(np.linalg.solve(square, right[..., None])[..., 0], rel=1e-6)
    assert np.array_equal(square, kept[0])
    assert np.array_equal(right, kept[1])
