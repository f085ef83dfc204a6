"""Sub-tasks of DAG-Plan as environments: a scene and a reward file."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pytest

pytest.importorskip("sapien")
pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from tests.learning.sapien.scenes import Noting
from treec import WorkOrder
from treec_learning.names import HAND, OTHER_HAND
from treec_learning.sapien.state import KitchenState
from treec_learning.sapien.subtask import SubtaskEnvironment
from treec_sapien.dual_kitchen.controls import SwitchOn
from treec_sapien.dual_kitchen.doors import Close, Open
from treec_sapien.dual_kitchen.grasp import Grasp
from treec_sapien.dual_kitchen.put import Put
from treec_sapien.worker import Physical

pytestmark = pytest.mark.needs_system("dag_plan")  # its kitchen

ONTO = [(Grasp, {"item": "apple"}), (Put, {"item": "apple", "target": "plate"})]
INTO = [(Grasp, {"item": "apple"}), (Put, {"item": "apple", "target": "juicer"})]
DOOR = {"door": "microwave_door"}


@pytest.fixture(scope="module")
def grasp() -> SubtaskEnvironment:
    return SubtaskEnvironment(jitter=False)


def test_a_step_moves_the_joints_that_the_action_names(grasp: SubtaskEnvironment) -> None:
    grasp.reset(seed=1)
    robot = grasp.kitchen.hands["right"].robot
    joints = robot.indices(grasp.kitchen.hands["right"].arm.joints)
    before = robot.qpos.copy()
    action = np.zeros(8, dtype=np.float32)
    action[0] = 1.0
    for _ in range(3):
        seen, reward, ended, cut, info = grasp.step(action)
    moved = robot.qpos - before
    assert 0.1 < moved[joints[0]] < 3 * 0.06  # the drive lags behind its target
    assert np.abs(moved[joints[1:]]).max() < 0.02
    assert seen.shape == (18,)
    assert 0.0 < reward < 1.0
    assert (ended, cut, info) == (False, False, {"is_success": False, "touched": []})


def test_the_nearer_the_hand_the_higher_the_reward(grasp: SubtaskEnvironment) -> None:
    """Towards the apple and back, by the inverse of the arm's own motion."""
    grasp.reset(seed=1)
    state = KitchenState(grasp.kitchen, "right", "left")
    found = []
    for share in (1.0, 1.0, -1.0, -1.0):
        action = np.full(8, 0.0, dtype=np.float32)
        action[1] = share
        _, reward, *_ = grasp.step(action)
        found.append((float(state.distance(HAND, "apple")[0]), reward))
    distances, rewards = zip(*found, strict=True)
    assert list(np.argsort(distances)) == list(np.argsort(rewards)[::-1])
    assert state.distance(HAND, OTHER_HAND)[0] > 0.2


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_episode() -> None:
    one, two = SubtaskEnvironment(), SubtaskEnvironment()
    assert np.array_equal(one.reset(seed=4)[0], two.reset(seed=4)[0])
    action = np.linspace(-1, 1, 8).astype(np.float32)
    assert np.array_equal(one.step(action)[0], two.step(action)[0])
    assert not np.array_equal(one.reset(seed=5)[0], two.reset(seed=4)[0])


def test_a_door_may_be_open_at_first() -> None:
    shut = SubtaskEnvironment("kitchen_2", "close", {"target": "microwave_door"})
    ajar = SubtaskEnvironment(
        "kitchen_2", "close", {"target": "microwave_door"}, opened={"microwave_door": 0.8}
    )
    assert shut.judge()
    assert not ajar.judge()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"scene": "kitchen_9"}, "unknown scene 'kitchen_9': "),
        ({"hand": "third"}, "no agent 'third' has a body there: left, right"),
        ({"things": {}}, "'target' is not bound"),
        ({"things": {"target": "sky"}}, "the scene has no thing 'sky' with a body"),
        ({"opened": {"apple": 1.0}}, "'apple' is not a door"),
    ],
)
def test_what_the_scene_does_not_have_is_told(arguments: dict[str, object], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        SubtaskEnvironment(**arguments)  # type: ignore[arg-type]


@pytest.mark.thorough
def test_gymnasium_has_no_complaint() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(
            gymnasium.make("treec_learning.environments:treec/Subtask-v0").unwrapped,
            skip_render_check=True,
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("scene", "reward", "things", "acts", "opened"),
    [
        ("kitchen_1", "grasp", {"target": "apple"}, ONTO[:1], {}),
        ("kitchen_1", "put_onto", {"object": "apple", "target": "plate"}, ONTO, {}),
        ("kitchen_1", "put_into", {"object": "apple", "target": "juicer"}, INTO, {}),
        ("kitchen_1", "switch_on", {"target": "juicer"}, [(SwitchOn, {"appliance": "juicer"})], {}),
        ("kitchen_2", "open", {"target": "microwave_door"}, [(Open, DOOR)], {}),
        (
            "kitchen_2",
            "close",
            {"target": "microwave_door"},
            [(Close, DOOR)],
            {"microwave_door": 0.9},
        ),
    ],
)
def test_what_planning_does_is_a_success_by_the_paper_s_reward(
    scene: str,
    reward: str,
    things: Mapping[str, str],
    acts: Sequence[tuple[type[Physical], Mapping[str, str]]],
    opened: Mapping[str, float],
) -> None:
    """A row of Table 6 each: not so at first, and so when the skill's worker has done it."""
    env = SubtaskEnvironment(scene, reward, things, jitter=False, opened=opened)
    assert not env.judge()
    for number, (worker, args) in enumerate(acts):
        host = Noting(env.kitchen)
        order = WorkOrder(f"s{number}", "do", "right", {"agent": "right", **args}, 1.0)
        worker().start(order, host)
        while host.outcome is None:
            env.kitchen.step(env.kitchen.now + 1.0)
            assert env.kitchen.now < 120.0
        assert host.outcome.ok, host.outcome
    assert env.judge()
