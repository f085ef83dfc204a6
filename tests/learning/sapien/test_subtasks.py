"""The last part of DAG-Plan's sub-tasks by a policy, in SAPIEN."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("sapien")
pytest.importorskip("gymnasium")

from tests.envs.sapien.motion.bench import FreeRate
from tests.learning.sapien.scenes import Noting
from treec import WorkOrder
from treec_learning.hand.simulator import ACTIONS, SEEN, STEP, TURN
from treec_learning.hand.straight_line import straight_actions
from treec_learning.policies import learned_skills
from treec_learning.sapien.learned_hand import Actions, LearnedHand, Numbers
from treec_learning.sapien.subtask import SubtaskEnvironment
from treec_learning.sapien.subtasks import SKILLS, LearnedSubtask, SubtaskPart, reason_to_plan
from treec_learning.sapien.targets import HandTarget
from treec_sapien.motion import ik
from treec_sapien.motion.arm import Steps
from treec_sapien.motion.articulated import HandleHold, at_position
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import about, matrix
from treec_sapien.motion.reach import ReachRow, ReachSolution
from treec_sapien.worker import PhysicalAct

pytestmark = pytest.mark.needs_system("dag_plan")  # its kitchen

DOOR = {"door": "microwave_door"}


@pytest.fixture(scope="module")
def kitchen() -> SubtaskEnvironment:
    return SubtaskEnvironment("kitchen_2", "open", {"target": "microwave_door"}, jitter=False)


@pytest.fixture
def shut(kitchen: SubtaskEnvironment) -> SubtaskEnvironment:
    kitchen.reset(seed=0)
    return kitchen


def handle(env: SubtaskEnvironment, slip: float = 0.0) -> HandTarget:
    """The hold of the microwave's handle."""
    where = env.kitchen.joint_of("microwave_door")
    assert where is not None
    built, joint = where
    of = built.body.handles[0]
    local = matrix(of.grasps[0].pose)
    return HandTarget(local, 0.02, None, built, of.link, joint, 1.9, slip)


def test_a_target_s_way_is_how_its_frame_moves(shut: SubtaskEnvironment) -> None:
    target = handle(shut)
    assert target.built is not None
    tangent, spin, left = target.way
    assert left == pytest.approx(1.9)
    after = at_position(target.built, target.joint, 1e-4, target.link) @ target.local
    assert (after - target.frame)[:3, 3] / 1e-4 == pytest.approx(tangent, abs=1e-3)
    turned = after[:3, :3] @ target.frame[:3, :3].T
    assert turned == pytest.approx(about(spin, 1e-4), abs=1e-6)
    assert handle(shut, slip=1.0).way[1] == pytest.approx(np.zeros(3))


def test_a_hand_sees_where_it_is_in_its_target_s_frame(shut: SubtaskEnvironment) -> None:
    arm = shut.kitchen.arm("right")
    target = HandTarget(arm.tcp, 0.02)
    target.local[:3, 3] += target.local[:3, 2] * 0.05
    seen = LearnedHand(arm, target).seen()
    assert seen.shape == (1, SEEN)
    assert seen[0, :3] == pytest.approx([0.0, 0.0, -1.0], abs=1e-3)
    assert seen[0, 3:6] == pytest.approx(np.zeros(3), abs=1e-3)


@pytest.mark.thorough
def test_a_motion_that_would_touch_is_not_made_and_what_is_told(shut: SubtaskEnvironment) -> None:
    """Down into the table, again and again."""
    arm = shut.kitchen.arm("right")
    hand = LearnedHand(arm, HandTarget(arm.tcp, 0.02))
    action = np.zeros(ACTIONS, dtype=np.float32)
    action[:3] = -arm.tcp[2, :3]
    action[6] = -1.0

    def go_on() -> None:
        for _ in range(80):
            for _ in hand.execute(action):
                shut.kitchen.physics()
                shut.kitchen.ticks += 1

    with pytest.raises(MotionFailure) as failure:
        go_on()
    assert failure.value.name in ("blocked", "not reached")
    arm.motion.space.update()
    assert arm.motion.space.free(arm.robot.qpos)


def stay(grip: float) -> Actions:
    """A policy that keeps the hand where it is, with a number for the fingers."""
    back = np.array([-0.05 / STEP] * 3 + [-0.3 / TURN] * 3)

    def act(seen: Numbers) -> Numbers:
        fingers = np.full((len(seen), 1), grip)
        return np.concatenate([back * seen[:, :6], fingers], axis=1).astype(np.float32)

    return act


def run_steps(env: SubtaskEnvironment, steps: Steps[int]) -> None:
    for _ in steps:
        env.kitchen.physics()
        env.kitchen.ticks += 1


@pytest.mark.thorough
def test_a_hand_that_stands_still_gives_up_soon(shut: SubtaskEnvironment) -> None:
    """It would do the same in every step: there is no use in going on to the last one."""
    arm = shut.kitchen.arm("right")
    hand = LearnedHand(arm, HandTarget(arm.tcp, 0.02))
    with pytest.raises(MotionFailure, match="20 steps of noise did not help") as failure:
        run_steps(shut, hand.follow(stay(-1.0), lambda: False))
    assert failure.value.name == "does not get nearer"
    assert hand.steps < 40


def test_noise_gets_a_hand_on_that_nearly_lets_go(shut: SubtaskEnvironment) -> None:
    arm = shut.kitchen.arm("right")
    hand = LearnedHand(arm, HandTarget(arm.tcp, 0.02, puts=True))
    hand.closing = True
    run_steps(shut, hand.follow(stay(0.1), lambda: False))
    assert 3 < hand.steps < 20


def test_an_arm_stays_near_the_joints_that_were_planned(shut: SubtaskEnvironment) -> None:
    """Its hand's pose leaves it a freedom, in which it would wander off its way."""
    arm = shut.kitchen.arm("right")
    problem = arm.problem(arm.robot.targets())
    here = arm.chain.poses(problem.now)
    others = np.repeat(problem.now[None], 40, axis=0)
    others[:, problem.arm] += np.random.default_rng(0).normal(0.0, 0.3, (40, len(problem.arm)))
    others, fine = ik.solve(arm.chain, here[None].repeat(40, 0), others, free=problem.arm)
    far = np.abs(others - problem.now).max(axis=1)
    space, q = arm.motion.space, arm.robot.qpos
    near = others[fine & (far > 0.2) & (far < 0.5)]
    planned = next(one for one in near if space.free(arm.whole(q, one)))
    row = ReachRow(np.stack([here] * 3), (0, 1, 2))
    found = ReachSolution(row, np.stack([planned] * 3), None, 0.1)
    hand = LearnedHand(arm, HandTarget(here, 0.02), found)
    stays = np.zeros(ACTIONS, dtype=np.float32)
    stays[6] = -1.0
    for _ in range(10):
        for _ in hand.execute(stays):
            shut.kitchen.physics()
            shut.kitchen.ticks += 1
    now = arm.problem(arm.robot.targets()).now
    assert np.abs(now - planned).max() < 0.25 * np.abs(problem.now - planned).max()
    assert arm.tcp[:3, 3] == pytest.approx(here[:3, 3], abs=0.005)


@pytest.mark.parametrize("share", [0.0, 0.2])
def test_a_hand_stops_and_slows_down_as_the_guard_of_people_says(
    shut: SubtaskEnvironment, share: float
) -> None:
    """Backwards; how long it takes without anybody, and beside somebody who is near."""
    arm = shut.kitchen.arm("right")
    action = np.zeros(ACTIONS, dtype=np.float32)
    action[2], action[6] = -0.5, -1.0

    def ticks(share: float, most: int) -> int:
        arm.motion.guard = FreeRate(lambda *rest: share)
        began = arm.tcp[:3, 3].copy()
        steps = LearnedHand(arm, HandTarget(arm.tcp, 0.02)).execute(action)
        for tick in range(most):
            if next(steps, steps) is steps:
                return tick
            shut.kitchen.physics()
            shut.kitchen.ticks += 1
            if not share:
                assert np.linalg.norm(arm.tcp[:3, 3] - began) < 2e-3
        steps.close()
        return most

    try:
        slow = ticks(share, 90)
        assert slow == 90 if share == 0.0 else slow > 1.5 * ticks(1.0, 90)
    finally:
        arm.motion.guard = None


def test_a_skill_without_a_policy_fails_by_name(shut: SubtaskEnvironment) -> None:
    assert "pour" not in learned_skills()
    host = Noting(shut.kitchen)
    order = WorkOrder("s1", "open", "right", {"agent": "right", **DOOR}, 1.0)
    worker = LearnedSubtask()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("treec_learning.policies.learned_skills", dict)
        worker.start(order, host)
        shut.kitchen.step(shut.kitchen.now + 0.1)
    assert host.outcome is not None
    assert "not learned: there is no policy for open" in str(host.outcome.failure)


@pytest.mark.parametrize(
    ("door", "why"),
    [
        ("dishwasher_door", "dishwasher_door is a flap, and a finger has no room behind its bar"),
        ("microwave_door", ""),
    ],
)
def test_flaps_are_left_to_planning(shut: SubtaskEnvironment, door: str, why: str) -> None:
    order = WorkOrder("s1", "open", "right", {"agent": "right", "door": door}, 1.0)
    assert reason_to_plan(PhysicalAct(order, shut.kitchen)) == why


def test_a_hand_that_gets_no_further_has_moved_the_handle_a_part(
    shut: SubtaskEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Then it grasps anew; where nothing has moved, that is a failure."""
    order = WorkOrder("s1", "open", "right", {"agent": "right", **DOOR}, 1.0)
    part = SubtaskPart(PhysicalAct(order, shut.kitchen), straight_actions)
    target = handle(shut)
    built = target.built
    assert built is not None
    hold = HandleHold(target.local, 0.0, 0.02, ReachRow(np.eye(4)[None], (0,)))
    stuck = MotionFailure("blocked", "would touch: it")

    def follow(moved: float) -> None:
        def fail(*args: object) -> Iterator[None]:
            built.articulation.set_qpos([moved if j == target.joint else 0.0 for j in built.joints])
            yield
            raise stuck

        monkeypatch.setattr(part, "_follow", fail)
        built.articulation.set_qpos([0.0] * len(built.joints))
        list(part.travel(hold, cast(Any, None)))

    follow(0.5)
    with pytest.raises(MotionFailure, match="would touch"):
        follow(0.01)


@pytest.mark.parametrize(
    ("skill", "begins", "to", "enough", "not_yet", "done"),
    [("close", 1.7, 0.0, 0.06, 0.1, 0.025), ("open", 0.0, 1.9, 1.4, 1.5, 1.8)],
)
def test_a_handle_is_let_go_where_that_suffices(
    shut: SubtaskEnvironment,
    monkeypatch: pytest.MonkeyPatch,
    skill: str,
    begins: float,
    to: float,
    enough: float,
    not_yet: float,
    done: float,
) -> None:
    """A door that was let go before it counts as shut had to be grasped a second time."""
    order = WorkOrder("s1", skill, "right", {"agent": "right", **DOOR}, 1.0)
    part = SubtaskPart(PhysicalAct(order, shut.kitchen), straight_actions)
    where = handle(shut)
    built = where.built
    assert built is not None

    def put(at: float) -> None:
        built.articulation.set_qpos([at if j == where.joint else 0.0 for j in built.joints])

    def follow(target: HandTarget, found: ReachSolution, is_done: Callable[[], bool]) -> Any:
        assert (target.to - to) * (to - begins) >= 0.0
        for at, expected in ((begins, False), (not_yet, False), (done, True)):
            put(at)
            assert is_done() == expected
        assert target.way[2] > 0.0
        yield

    put(begins)
    monkeypatch.setattr(part, "_follow", follow)
    row = ReachRow(np.eye(4)[None], (0,))
    list(part.travel(HandleHold(where.local, 0.0, 0.02, row, enough), cast(Any, None)))
    put(0.0)


def test_policies_are_for_skills_that_the_worker_knows() -> None:
    assert set(learned_skills()) <= set(SKILLS)
    assert {"open", "grasp", "put_into", "switch_on"} <= set(learned_skills())


def run(env: SubtaskEnvironment, skill: str, args: Mapping[str, str]) -> Noting:
    host = Noting(env.kitchen)
    order = WorkOrder("s1", skill, "right", {"agent": "right", **args}, 1.0)
    LearnedSubtask().start(order, host)
    while host.outcome is None:
        env.kitchen.step(env.kitchen.now + 0.5)
        assert env.kitchen.now < 90.0
    return host


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "reward", "things", "skill", "args"),
    [
        ("kitchen_2", "open", {"target": "microwave_door"}, "open", DOOR),
        ("kitchen_1", "switch_on", {"target": "juicer"}, "switch_on", {"appliance": "juicer"}),
        ("kitchen_1", "grasp", {"target": "apple"}, "grasp", {"item": "apple"}),
    ],
)
def test_a_policy_does_the_last_part_of_a_sub_task(
    scene: str, reward: str, things: Mapping[str, str], skill: str, args: Mapping[str, str]
) -> None:
    env = SubtaskEnvironment(scene, reward, things, jitter=False)
    host = run(env, skill, args)
    assert host.outcome is not None
    assert host.outcome.ok, host.outcome
    assert env.judge()
    text, record = next(note for note in host.notes if "policy" in note[1])
    assert text == f"{learned_skills()[skill]} took {record['steps']} steps"
    assert record["steps"] > 2


@pytest.mark.slow
def test_it_comes_to_rest_within_a_tenth_of_a_second() -> None:
    env = SubtaskEnvironment("kitchen_2", "open", {"target": "microwave_door"}, jitter=False)
    host = Noting(env.kitchen)
    worker = LearnedSubtask()
    worker.start(WorkOrder("s1", "open", "right", {"agent": "right", **DOOR}, 1.0), host)
    where = env.kitchen.joint_of("microwave_door")
    assert where is not None
    while where[0].position(where[1]) < 0.3:
        env.kitchen.step(env.kitchen.now + 0.1)
        assert host.outcome is None
    worker.cancel()
    env.kitchen.step(env.kitchen.now + 0.1)
    robot = env.kitchen.hands["right"].robot
    arm = robot.indices(env.kitchen.hands["right"].arm.joints)
    assert np.abs(robot.articulation.qvel[arm]).max() < 0.05
