"""The kinematic pantry: its geometry, its rules, and gymnasium's."""

from __future__ import annotations

import math
import warnings

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from treec_learning.gymnasium_vector import TogetherEnv
from treec_learning.names import STARTS
from treec_learning.pantry.cases import (
    Case,
    CaseBatch,
    Purpose,
    draw_case,
    generator,
    shipped_starts,
)
from treec_learning.pantry.environment import StretchPantry
from treec_learning.pantry.kinematics import HALF_WIDTH, HIGH, LOW, configuration_at, tip
from treec_learning.pantry.planner import plan
from treec_learning.pantry.simulator import ACTIONS, MOST, NEAR, PantrySimulator
from treec_learning.pantry.state import PantryState
from treec_learning.reward import Reward
from treec_learning.shipped import reward_file


def drawn(start: str, number: int = 0) -> Case:
    return draw_case(np.random.default_rng(number), {start: 1.0})


@pytest.mark.parametrize(
    ("q", "expected"),
    [
        ((0.0, 0.0, 0.0, 0.0, 0.0), (0.0, 0.40001, 0.10975)),
        ((0.0, 0.5, 0.1, 0.0, 0.0), (0.0, 0.50001, 0.60975)),
        ((0.2, 0.0, 0.0, 1.0, 0.0), (0.2 - 0.21467, 0.28268, 0.10975)),
        ((0.0, 0.0, 0.0, 1.0, -0.5), (-0.17872, 0.25959, -0.00959)),
    ],
)
def test_the_tip_is_where_the_robot_s_model_has_it(
    q: tuple[float, ...], expected: tuple[float, ...]
) -> None:
    """Read off hello-robot-stretch-urdf's Stretch 3; x is measured from the wrist's yaw axis."""
    found = tip(np.array([q]), np.zeros(1))[0]
    assert found == pytest.approx(expected, abs=3e-4)


def test_the_tip_is_brought_where_it_is_wanted() -> None:
    goal = np.array([[0.1, 0.2, 0.8]])
    q = configuration_at(goal, np.array([-0.5]), np.array([0.3]), np.array([-0.4]))
    assert tip(q, np.array([-0.5])) == pytest.approx(goal)


@pytest.mark.parametrize("start", STARTS)
def test_cases_begin_free_and_within_limits(start: str) -> None:
    for number in range(20):
        case = drawn(start, number)
        assert case.start == start
        assert np.all((case.first >= LOW) & (case.first <= HIGH))
        assert CaseBatch.of([case]).touched(case.first[None]).tolist() == [-1]
    assert set(shipped_starts().starts) == set(STARTS)


def test_the_same_seed_draws_the_same_case() -> None:
    one, two = drawn("obstacle", 7), drawn("obstacle", 7)
    assert np.array_equal(one.first, two.first)
    assert np.array_equal(one.boxes, two.boxes)
    assert not np.array_equal(one.first, drawn("obstacle", 8).first)


def test_what_touches_is_not_executed_and_is_named() -> None:
    """A hand between two neighbours is driven aside until a finger would meet one."""
    case = drawn("easy", 3)
    case.boxes[0, 0, 1] = 0.0  # the neighbour stands at the pantry's edge
    inside = configuration_at(
        case.goal[None] - np.array([[0.0, case.radius + 0.06, 0.0]]),
        np.array([case.stand]),
        np.zeros(1),
        np.zeros(1),
    )[0]
    simulator = PantrySimulator([case])
    simulator.q[0] = inside
    room = -case.boxes[0, 1, 0] - HALF_WIDTH
    action = ACTIONS.index("drive -")
    for _ in range(12):
        before = simulator.q.copy()
        found = simulator.step(np.array([action]))
        if found.touched[0]:
            break
    assert int(found.refused[0]) == 0  # the left neighbour
    assert np.array_equal(simulator.q, before)
    assert inside[0] - simulator.q[0, 0] == pytest.approx(room, abs=0.022)


def test_limits_are_no_touch() -> None:
    case = drawn("realistic", 1)
    simulator = PantrySimulator([case])
    simulator.q[0, 2] = 0.0
    found = simulator.step(np.array([ACTIONS.index("extension -")]))
    assert (found.refused >= 0).all()
    assert not found.touched.any()


@pytest.mark.parametrize("start", STARTS)
def test_the_planner_s_way_reaches_the_thing_without_a_touch(start: str) -> None:
    case = drawn(start, 5)
    actions = plan(case)
    assert actions
    simulator = PantrySimulator([case])
    for action in actions:
        assert not simulator.step(np.array([action])).touched.any()
    assert simulator.distance[0] < NEAR


def test_a_goal_that_is_walled_up_has_no_plan() -> None:
    case = drawn("realistic", 2)
    case.boxes[5] = (-2.0, -0.01, 0.0), (2.0, 0.0, 2.0)
    assert plan(case, 50) is None


def test_gymnasium_finds_it_and_has_no_complaint() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        name = "treec_learning.environments:treec/StretchPantry-v0"
        env = gymnasium.make(name, observation="joints", render_mode=None).unwrapped
        assert isinstance(env, StretchPantry)
        check_env(env, skip_render_check=True)


def test_a_picture_of_it_is_refused() -> None:
    with pytest.raises(ValueError, match="no pictures here: render_mode is None, not 'human'"):
        StretchPantry(render_mode="human")


@pytest.mark.parametrize(
    ("name", "reward", "wrong"), [("StretchPantry", "reach", 10), ("HandAtTarget", "open", np.nan)]
)
def test_gymnasium_steps_many_in_one_batch(name: str, reward: str, wrong: float) -> None:
    envs = gymnasium.make_vec(f"treec_learning.environments:treec/{name}-v0", 3, reward=reward)
    env = envs.unwrapped
    assert isinstance(env, TogetherEnv)
    seen, _ = envs.reset(seed=5)
    assert np.array_equal(seen, envs.reset(seed=5)[0])
    assert not np.array_equal(seen, envs.reset(seed=6)[0])
    assert seen.shape == envs.observation_space.shape
    still = np.zeros(envs.action_space.shape, envs.action_space.dtype)
    for _ in range(151):  # to the end of an episode, which begins the next one
        seen, _, ended, cut, infos = envs.step(still)
        if cut.any():
            break
    assert cut.all()
    assert not ended.any()
    assert infos["_final_obs"].all()
    assert not infos["final_info"]["is_success"].any()
    assert not np.array_equal(infos["final_obs"][0], seen[0])
    for actions in (np.full_like(still, wrong), still[:2]):
        with pytest.raises(ValueError, match=r"^actions are 3 of .*, not \["):
            envs.step(actions)


def test_an_episode_does_not_depend_on_those_before_it() -> None:
    one, two = StretchPantry(), StretchPantry()
    two.reset(seed=1)
    for action in range(5):
        two.step(np.int64(action))
    first, second = one.reset(seed=9)[0], two.reset(seed=9)[0]
    assert np.array_equal(first, second)
    for action in (4, 2, 5, 0):
        left, right = one.step(np.int64(action)), two.step(np.int64(action))
        assert np.array_equal(left[0], right[0])
        assert left[1:] == right[1:]


def test_the_reward_is_equation_1() -> None:
    env = StretchPantry("reach", {"easy": 1.0}, "difference")
    env.reset(seed=0)
    for action in (5, 4, 2, 3):
        _, reward, ended, _, info = env.step(np.int64(action))
        if ended:
            break
        expected = math.exp(-info["distance"]) - 1
        if info["touched"]:
            expected -= info["distance"]
        assert reward == pytest.approx(expected)


def test_a_touch_ends_an_episode_where_that_is_wanted() -> None:
    for ends in (False, True):
        env = StretchPantry("reach_without_touch", {"easy": 1.0}, ends_on_touch=ends)
        env.reset(seed=0)
        for _ in range(40):
            _, reward, ended, _, info = env.step(np.int64(ACTIONS.index("drive -")))
            if info["touched"] not in (None, "limit"):
                break
        assert info["touched"] not in (None, "limit")
        assert ended is ends
        assert reward < -5


def test_episodes_are_cut_off() -> None:
    env = StretchPantry("reach", {"realistic": 1.0})
    env.reset(seed=0)
    ways = [np.int64(ACTIONS.index(f"drive {way}")) for way in "+-"]
    results = [env.step(ways[step % 2]) for step in range(MOST)]
    assert [result[3] for result in results] == [False] * (MOST - 1) + [True]


def test_a_reward_that_the_pantry_cannot_tell_is_refused() -> None:
    env = StretchPantry(reward_file("open"))
    env.reset(seed=0)
    with pytest.raises(ValueError, match="nothing in the pantry has a joint"):
        env.step(np.int64(0))
    state = PantryState(PantrySimulator([drawn("easy")]))
    with pytest.raises(ValueError, match="the pantry knows no distance between 'hand' and 'hand'"):
        state.distance("hand", "hand")
    for ask in (state.inside, state.on, state.above, state.tilt):
        with pytest.raises(ValueError, match="speak of the hand, the thing and touches"):
            ask("thing", "shelf")


def test_unknown_observations_and_starts_are_told() -> None:
    with pytest.raises(ValueError, match="unknown start 'hard'"):
        StretchPantry(starts={"hard": 1.0}).reset(seed=0)
    known = "unknown observation 'picture': difference, joints$"
    with pytest.raises(ValueError, match=known):
        StretchPantry(observation="picture")


def test_many_episodes_are_rewarded_as_one_is() -> None:
    pytest.importorskip("stable_baselines3")
    from treec_learning.pantry.vectorized import ManyPantries

    file = reward_file("reach_without_touch")
    many = ManyPantries(4, file, {"realistic": 1.0}, "joints", seed=3)
    alone = PantrySimulator([draw_case(generator(Purpose.TRAINING, 3, 2, 0), {"realistic": 1.0})])
    reward = Reward(file, {"thing": "thing"})
    reward.begin({"right": PantryState(alone)})
    for action in (3, 5, 4, 2, 7):
        seen, rewards, _, _ = many.step(np.full(4, action))
        result = alone.step(np.array([action]))
        expected = reward({"right": PantryState(alone, result)}, alone.steps).value
        assert rewards[2] == pytest.approx(float(expected[0]))
        assert np.array_equal(seen[2], alone.seen("joints")[0])


def test_an_episode_that_ends_is_followed_by_the_next_one() -> None:
    pytest.importorskip("stable_baselines3")
    from treec_learning.pantry.vectorized import ManyPantries

    file = reward_file("reach_without_touch")
    many = ManyPantries(2, file, {"easy": 1.0}, "joints", ends_on_touch=True, seed=3)
    first = many.reset()
    second = draw_case(generator(Purpose.TRAINING, 3, 0, 2), {"easy": 1.0})
    action = ACTIONS.index("drive -")
    for _ in range(40):
        seen, rewards, done, infos = many.step(np.array([action, 0]))
        if done[0]:
            break
    assert done.tolist()[0]
    assert rewards[0] < -5
    assert infos[0]["TimeLimit.truncated"] is False
    assert not np.array_equal(infos[0]["terminal_observation"], seen[0])
    assert np.array_equal(seen[0], PantrySimulator([second]).seen("joints")[0])
    assert many.finished[0] == ("easy", False, True)
    assert not np.array_equal(first[0], seen[0])


def test_a_guarded_policy_takes_the_likeliest_action_that_touches_nothing() -> None:
    """Whose likeliest action is to drive aside, and whose second one is to drive back."""
    from treec_learning.policy import Policy
    from treec_learning.trials import follow_guarded, follow_policy, run_trial, scores_of

    bias = np.zeros(len(ACTIONS), dtype=np.float32)
    bias[ACTIONS.index("drive -")], bias[ACTIONS.index("drive +")] = 2.0, 1.0
    weight = np.zeros((3, len(ACTIONS)), dtype=np.float32)
    policy = Policy([(weight, bias)], {"learning": {"observation": "difference"}})
    cases = [drawn("easy", number) for number in range(4)]
    for case in cases:
        case.boxes[0, 0, 1] = case.boxes[1, 0, 1] = 0.0
    free = run_trial(cases, follow_policy(policy), 30)
    guarded = run_trial(cases, follow_guarded(scores_of(policy)), 30)
    assert all(free.touched)
    assert guarded.touched == [None] * 4
    assert guarded.steps.tolist() == [30] * 4
