"""Hands at their targets without physics: the simulator's rules, and the straight way."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from treec_learning.hand.cases import HandCase, draw_case, shipped_targets
from treec_learning.hand.rotations import rotation_vectors, rotations
from treec_learning.hand.simulator import ACTIONS, SEEN, STEP, HandSimulator
from treec_learning.hand.state import HandState
from treec_learning.hand.straight_line import straight_actions
from treec_learning.hand.training_task import draw_cases, try_hands
from treec_learning.names import HAND_STARTS
from treec_learning.pantry.cases import Purpose
from treec_learning.shipped import reward_file

AT = dict.fromkeys(("begins", "slip"), 0.0)
REWARDS = {
    "handle": "open",
    "flap": "open",
    "drawer": "close",
    "lever": "close",
    "knob": "switch_on",
    "button": "switch_on",
    "thing": "grasp",
    "place": "put_into",
}


def case(start: str, seed: int = 1, **changes: object) -> HandCase:
    """A case whose hand is exactly before its target, and whose motions are made in full."""
    found = draw_case(np.random.default_rng(seed), {start: 1.0}, 1.0)
    exact = {"place": np.array([0.0, 0.0, -0.06]), "turn": np.zeros(3), "gain": 1.0, **AT}
    return replace(found, **{**exact, **changes})  # type: ignore[arg-type]


def act(simulator: HandSimulator, *, times: int = 1, close: bool = False, **way: float) -> None:
    """Move along x, y, z (cm a step) with the fingers open or closed."""
    action = np.zeros((1, ACTIONS), dtype=np.float32)
    for name, centimetres in way.items():
        action[0, "xyz".index(name)] = centimetres / 100 / STEP
    action[0, 6] = 1.0 if close else -1.0
    for _ in range(times):
        simulator.step(action)


def test_rotations_and_their_vectors_are_inverse() -> None:
    vectors = np.random.default_rng(0).uniform(-1.5, 1.5, (20, 3))
    assert rotation_vectors(rotations(vectors)) == pytest.approx(vectors)
    quarter = rotations(np.array([[0.0, 0.0, np.pi / 2]]))[0]
    assert quarter @ np.array([1.0, 0.0, 0.0]) == pytest.approx([0.0, 1.0, 0.0])


def test_a_drawer_follows_the_hand_that_holds_it() -> None:
    simulator = HandSimulator([case("drawer", axis=np.array([0.0, 0.0, -1.0]), travel=0.2)])
    act(simulator, z=2, times=3)
    assert simulator.distance[0] < 0.01
    assert not simulator.held[0]
    act(simulator, close=True, times=3)
    assert simulator.held[0]
    act(simulator, close=True, z=-2, times=5)
    assert 0.05 < simulator.position[0] <= 0.1
    act(simulator, z=-2)
    assert not simulator.held[0]
    stays = simulator.position[0]
    act(simulator, z=-2, times=2)
    assert simulator.position[0] == stays


def test_a_hand_that_pulls_across_the_way_loses_the_handle() -> None:
    simulator = HandSimulator([case("drawer", axis=np.array([0.0, 0.0, -1.0]))])
    act(simulator, z=2, times=3)
    act(simulator, close=True, times=3)
    act(simulator, close=True, y=2, times=3)
    assert not simulator.held[0]
    assert simulator.position[0] < 0.01


def test_fingers_that_come_down_on_a_bar_do_not_get_further() -> None:
    beside = np.array([0.0, 0.03, -0.06])
    simulator = HandSimulator([case("handle", width=0.02, place=beside)])
    act(simulator, z=2, times=4)
    assert simulator.last.touched[0]
    assert not simulator.last.spoilt[0]
    assert simulator.place[0, 2] < -0.02


def test_a_thing_that_is_pushed_away_ends_the_episode() -> None:
    simulator = HandSimulator([case("thing", width=0.04, place=np.array([0.0, 0.03, -0.06]))])
    act(simulator, z=2, times=4)
    assert simulator.last.spoilt[0]


@pytest.mark.parametrize(("deep", "switches"), [(2, False), (3, True)])
def test_a_button_switches_when_it_is_pushed_in(deep: int, switches: bool) -> None:
    start = np.array([0.0, 0.0, -0.055])
    simulator = HandSimulator([case("button", place=start, travel=0.008)])
    act(simulator, close=True, z=2, times=deep)
    assert simulator.switched[0] == switches
    assert not simulator.held[0]


@pytest.mark.parametrize(("above", "placed"), [(0.01, True), (0.06, False)])
def test_what_is_let_go_too_high_is_dropped(above: float, placed: bool) -> None:
    down = np.array([0.0, 0.0, 1.0])
    simulator = HandSimulator([case("place", place=np.array([0.0, 0.0, -above]), down=down)])
    assert simulator.held[0]
    act(simulator)
    assert simulator.placed[0] == placed
    assert simulator.last.spoilt[0] != placed


@pytest.mark.few(2)
@pytest.mark.parametrize("start", HAND_STARTS)
def test_the_straight_way_gets_there_and_the_same_cases_are_drawn(start: str) -> None:
    reward = reward_file(REWARDS[start])
    cases = draw_cases(Purpose.TRIAL, 3, 12, {start: 1.0}, reward)
    again = draw_cases(Purpose.TRIAL, 3, 12, {start: 1.0}, reward)
    assert all(np.array_equal(a.place, b.place) for a, b in zip(cases, again, strict=True))
    other = draw_cases(Purpose.EVALUATION, 3, 1, {start: 1.0}, reward)
    assert not np.array_equal(cases[0].place, other[0].place)
    assert try_hands(cases, straight_actions, reward).mean() >= 0.9
    still = np.zeros((12, ACTIONS), dtype=np.float32)
    assert not try_hands(cases[:12], lambda seen: still, reward).any()


def test_every_kind_of_target_has_a_start() -> None:
    assert set(shipped_targets()) == set(HAND_STARTS)


@pytest.mark.thorough
def test_a_hand_tells_no_heights_nor_tilts() -> None:
    state = HandState(HandSimulator([case("thing")]))
    for ask in (state.above, state.tilt, state.height):
        with pytest.raises(
            ValueError, match="a hand at its target knows neither heights nor tilts"
        ):
            ask("thing")


def test_gymnasium_has_no_complaint() -> None:
    name = "treec_learning.environments:treec/HandAtTarget-v0"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make(name, reward="grasp", starts={"thing": 1.0}).unwrapped
        check_env(env, skip_render_check=True)
    seen, _ = env.reset(seed=2)
    assert seen.shape == (SEEN,)
    assert np.array_equal(seen, env.reset(seed=2)[0])
