from __future__ import annotations

import numpy as np
import pytest
import sapien

from treec_sapien.motion.frames import matrix
from treec_sapien.motion.stretch_ik import REACH, StretchIk
from treec_sapien.robots.describe import load

SCENE = sapien.Scene([sapien.physx.PhysxCpuSystem()])  # a robot lives as long as its scene
ROBOT = load(SCENE, "stretch", "R2", (1.0, -0.5, 0.0), 40)
IK = StretchIk(ROBOT)


def random_configurations(count: int, *, down: bool) -> np.ndarray:
    rng = np.random.default_rng(11)
    low, high = IK.low.copy(), IK.high.copy()
    low[IK.base], high[IK.base] = -3.0, 3.0
    low[ROBOT.indices(ROBOT.arms["arm"].gripper.joints)] = 0.0
    high[ROBOT.indices(ROBOT.arms["arm"].gripper.joints)] = 0.05
    out = []
    for q in rng.uniform(low, high, (count, len(low))):
        q = IK.extend(q, rng.uniform(0, REACH))
        if down:
            q[IK.wrist[1]] = IK.low[IK.wrist[1]]
        out.append(q)
    return np.array(out)


def test_its_tool_point_is_where_the_physics_has_it() -> None:
    q = random_configurations(1, down=False)[0]
    ROBOT.put(q)
    there = matrix(ROBOT.link(ROBOT.arms["arm"].tcp).entity_pose)
    ROBOT.put(ROBOT.home)
    assert np.allclose(IK.pose(q), there, atol=1e-4)


@pytest.mark.parametrize("down", [False, True])
@pytest.mark.few(1)
def test_every_reachable_pose_has_solutions_within_all_limits(down: bool) -> None:
    for q in random_configurations(60, down=down):
        goal = IK.pose(q)
        found = IK.solve(goal, ROBOT.home)
        assert len(found)
        assert np.all(found >= IK.low - 1e-9)
        assert np.all(found <= IK.high + 1e-9)
        poses = IK.pose(found)
        assert np.allclose(poses[:, :3, 3], goal[:3, 3], atol=2e-5)  # SAPIEN's poses are floats
        # the pitch's limit is -1.57 and not a quarter turn: that much may be missing
        assert np.allclose(poses[:, :3, :3], goal[:3, :3], atol=4e-3)


def test_the_arms_segments_share_the_extension() -> None:
    goal = IK.pose(random_configurations(1, down=False)[0])
    for q in IK.solve(goal, ROBOT.home):
        assert np.ptp(q[IK.segments]) < 1e-12


def test_nothing_beyond_the_lift_or_the_pitch_is_said_to_be_reachable() -> None:
    q = random_configurations(1, down=False)[0]
    above = IK.pose(q)
    above[2, 3] = 2.2
    assert len(IK.solve(above, ROBOT.home)) == 0
    up = IK.pose(q)
    up[:3, :3] = np.eye(3)  # the tool points straight up
    assert len(IK.solve(up, ROBOT.home)) == 0


def test_a_straight_shift_turns_neither_hand_nor_base_and_does_not_slide() -> None:
    q = ROBOT.home
    q = IK.extend(q, 0.2)
    shift = np.array([0.05, 0.12, 0.1])
    to = IK.straight(q, shift)
    assert to is not None
    before, after = IK.pose(q), IK.pose(to)
    assert np.allclose(after[:3, 3] - before[:3, 3], shift, atol=1e-9)
    assert np.allclose(after[:3, :3], before[:3, :3])
    step, yaw = (to - q)[IK.base], q[IK.base[2]]
    assert step[2] == 0.0
    assert step[0] * -np.sin(yaw) + step[1] * np.cos(yaw) == pytest.approx(0.0, abs=1e-12)


def test_upwards_the_hand_goes_as_high_as_the_lift_lets_it() -> None:
    to = IK.straight(ROBOT.home, np.array([0.0, 0.0, 1.0]))
    assert to is not None
    assert to[IK.lift] == IK.high[IK.lift]


@pytest.mark.parametrize("shift", [(0.0, 0.0, -1.0), (2.0, 2.0, 0.0)])
def test_a_shift_beyond_the_lift_or_the_extension_is_none(shift: tuple[float, ...]) -> None:
    assert IK.straight(ROBOT.home, np.array(shift)) is None
