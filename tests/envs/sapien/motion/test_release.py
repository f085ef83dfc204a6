"""Letting go beside a hand. A gripper holds a block; a ball beside a finger is the hand."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sapien

from tests.envs.sapien.motion.bench import Bench
from treec_sapien.motion.arm import Arm
from treec_sapien.motion.frames import matrix
from treec_sapien.motion.release import HELD_UP, PATIENCE, SPEED, GentleRelease
from treec_sapien.skills.hand_over import reactive


def holding(ball_beside: int | None = None) -> tuple[Bench, Arm, Any]:
    """A Panda that holds a block, which somebody has; perhaps a ball at the outside of a finger."""
    bench = Bench("panda")
    arm = bench.motion.arms["arm"]
    block = bench.blocks[0]
    block.find_component_by_type(sapien.physx.PhysxRigidDynamicComponent).kinematic = True
    block.set_pose(sapien.Pose(arm.tcp[:3, 3]))
    bench.run(arm.close_gripper())
    assert arm.grips(block)
    if ball_beside is not None:
        links = [bench.robot.link(it[0]) for it in arm.about.gripper.links]
        at = [np.array(it.compute_global_aabb_tight()).mean(axis=0) for it in links]
        side = (at[ball_beside] - at[1 - ball_beside]) / np.linalg.norm(at[0] - at[1])
        builder = bench.scene.create_actor_builder()
        builder.add_sphere_collision(radius=0.03)
        builder.initial_pose = sapien.Pose(at[ball_beside] + 0.045 * side)
        builder.build_kinematic("ball")
        bench.step()
    return bench, arm, block


def opened(bench: Bench, release: GentleRelease, arm: Arm, seconds: float = 1.0) -> Any:
    """How far (m) each finger is opened, and the fastest speed (m/s) of its target."""
    begun = bench.robot.qpos[arm.fingers]
    before, fastest = begun, 0.0
    for _ in range(round(60 * seconds)):
        release.step()
        target = bench.robot.targets()[arm.fingers]
        fastest = max(fastest, float((target - before).max()) * 60)
        before = target
        bench.step()
    return bench.robot.qpos[arm.fingers] - begun, fastest


def test_fingers_open_slowly_and_only_until_the_thing_is_free() -> None:
    bench, arm, block = holding()
    release = GentleRelease(arm, block, lambda finger: True)
    far, fastest = opened(bench, release, arm)
    assert release.is_done
    assert fastest == pytest.approx(SPEED, rel=0.1)
    assert not bench.motion.touches(arm.finger_links, block)
    assert far == pytest.approx((0.0035, 0.0035), abs=0.0015)
    release.open_on()
    opened(bench, release, arm, 0.2)
    release.stop()
    speeds = [bench.robot.joint(it).drive_velocity_target for it in arm.about.gripper.joints]
    assert not np.any(speeds)
    opened(bench, release, arm, 2.0)
    assert arm.is_open


@pytest.mark.thorough
def test_a_finger_that_somebody_holds_up_stays_there() -> None:
    bench, arm, block = holding(ball_beside=0)
    release = GentleRelease(arm, block, lambda finger: True)
    release.open_on()
    far, _ = opened(bench, release, arm, 2.0)
    assert release.is_done
    assert far[1] > 0.015 > 0.008 > far[0]
    left = bench.robot.targets()[arm.fingers] - bench.robot.qpos[arm.fingers]
    assert np.abs(left).max() < 2 * HELD_UP


@pytest.mark.thorough
def test_a_finger_does_not_open_to_where_a_hand_is_known_to_be() -> None:
    bench, arm, block = holding()
    release = GentleRelease(arm, block, lambda finger: finger == 1)
    far, _ = opened(bench, release, arm)
    assert release.is_done
    assert far[0] == pytest.approx(0.0, abs=0.001)
    assert far[1] > 0.002
    assert matrix(block.pose)[:3, 3] == pytest.approx(arm.tcp[:3, 3], abs=0.005)


def test_while_neither_finger_may_open_it_waits_and_then_opens_all_the_same() -> None:
    bench, arm, block = holding()
    release = GentleRelease(arm, block, lambda finger: False)
    far, _ = opened(bench, release, arm, PATIENCE - 0.1)
    assert not release.is_done
    assert far == pytest.approx((0.0, 0.0), abs=0.001)
    opened(bench, release, arm, 0.5)
    assert release.is_done
    assert not bench.motion.touches(arm.finger_links, block)


def withdrawn(
    bench: Bench, arm: Arm, thing: Any, may_open: Callable[[Arm, int], bool]
) -> tuple[float, dict[str, Any]]:
    """How far (m) the tool has drawn back from a thing that was taken, and what was noted."""
    notes: list[dict[str, Any]] = []
    act: Any = SimpleNamespace(
        robot=bench.robot,
        kitchen=SimpleNamespace(
            guards={bench.robot.name: SimpleNamespace(may_open=may_open)}, ticks=0
        ),
        note=lambda text, **record: notes.append(record),
    )
    before = arm.tcp
    bench.run(reactive.withdraw(act, arm, thing))
    return float((before[:3, 3] - arm.tcp[:3, 3]) @ before[:3, 2]), notes[-1]


@pytest.mark.thorough
@pytest.mark.parametrize("seconds", [0.0, 0.5, 99.0])
def test_the_gripper_draws_back_when_the_thing_is_free(seconds: float) -> None:
    """No finger may open for some seconds: it waits, and never takes the thing along."""
    bench, arm, block = holding()
    since = bench.ticks
    far, noted = withdrawn(
        bench, arm, block, lambda arm, finger: bench.ticks - since >= 60 * seconds
    )
    assert far == pytest.approx(reactive.BACK, abs=0.01)
    assert noted == {"withdrawn": True}
    assert bench.ticks - since > 60 * min(seconds, PATIENCE)
    assert arm.is_open == (seconds < 9.0)
    assert not bench.motion.touches(arm.finger_links, block)


def test_where_the_gripper_cannot_draw_back_the_fingers_do_not_open_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reactive, "BACK", 3.0)  # farther than the arm reaches
    bench, arm, block = holding()
    far, noted = withdrawn(bench, arm, block, lambda arm, finger: True)
    assert far == pytest.approx(0.0, abs=0.005)
    assert noted == {"withdrawn": False}
    assert not bench.motion.touches(arm.finger_links, block)
    assert not arm.is_open
