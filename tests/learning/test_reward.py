"""Reward files at work, on states worked out by hand."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest

from treec_learning.files import RewardFile
from treec_learning.primitives import Number
from treec_learning.reward import Reward
from treec_learning.shipped import reward_file, reward_files

TABLE_6 = (
    "grasp pour cut put_into put_pot_into_sink put_onto put_pot_onto_stove "
    "open close switch_on switch_off"
)


@dataclass
class Scene:
    """Two episodes side by side, with what is set."""

    distances: dict[frozenset[str], list[float]] = field(default_factory=dict)
    holds: list[float] = field(default_factory=lambda: [0.0, 0.0])
    put: list[float] = field(default_factory=lambda: [0.0, 0.0])
    share: list[float] = field(default_factory=lambda: [0.0, 0.0])
    heights: dict[str, float] = field(default_factory=dict)

    def distance(self, one: str, other: str) -> Number:
        return np.array(self.distances[frozenset((one, other))])

    def grasped(self, thing: str) -> Number:
        return np.array(self.holds)

    def inside(self, thing: str, other: str) -> Number:
        return np.array(self.put)

    on = above = inside

    def tilt(self, thing: str) -> Number:
        return np.zeros(2)

    def joint(self, thing: str) -> tuple[Number, Number, Number]:
        return np.array(self.share), np.zeros(2), np.ones(2)

    def height(self, one: str) -> Number:
        return np.full(2, self.heights.get(one, 1.0))

    def refused(self) -> Number:
        return np.zeros(2)

    touched = refused


def test_every_row_of_table_6_is_a_file() -> None:
    assert set(TABLE_6.split()) <= set(reward_files())


def test_grasp_is_normalised_and_pays_when_it_is_reached() -> None:
    """DAG-Plan, A.3: terms of a hand to 1, 30 for its first success, 150 minus the steps."""
    scene = Scene({frozenset(("hand", "apple")): [0.4, 0.4]})
    reward = Reward(reward_file("grasp"), {"target": "apple"})
    reward.begin({"right": scene})
    scene.distances[frozenset(("hand", "apple"))] = [0.2, 0.0]
    scene.holds = [0.0, 1.0]
    found = reward({"right": scene}, 12)
    halfway = 0.5 * (0.5 + 1 - np.tanh(0.2))
    assert found.value == pytest.approx([halfway / 2, 1.0 + 30.0 + 150.0 - 12.0])
    assert found.success.tolist() == [0.0, 1.0]
    again = reward({"right": scene}, 13)
    assert again.value[1] == pytest.approx(1.0 + 150.0 - 13.0)  # no second 30
    reward.begin({"right": scene}, np.array([1]))
    assert reward({"right": scene}, 0).value[1] == pytest.approx(0.75 + 30.0 + 150.0, abs=0.3)


def test_beginning_one_episode_leaves_the_other_as_it_is() -> None:
    scene = Scene({frozenset(("hand", "apple")): [0.4, 0.4]})
    reward = Reward(reward_file("grasp"), {"target": "apple"})
    reward.begin({"right": scene})
    scene.distances[frozenset(("hand", "apple"))] = [0.2, 0.2]
    reward.begin({"right": scene}, np.array([0]))
    first, second = reward({"right": scene}, 1).value
    assert first == pytest.approx(0.5 * 0.5 * (1 - np.tanh(0.2)))
    assert second > first


def test_both_hands_are_needed() -> None:
    pairs = {frozenset((hand, "sink")): [0.5, 0.5] for hand in ("hand", "other_hand")}
    left, right = Scene(dict(pairs)), Scene(dict(pairs))
    reward = Reward(reward_file("put_pot_into_sink"), {"pot": "pot", "sink": "sink"})
    states = {"right": right, "left": left}
    reward.begin(states)
    right.holds, right.put, left.put = [1.0, 1.0], [1.0, 1.0], [1.0, 1.0]
    left.holds = [0.0, 1.0]
    assert reward(states, 0).success.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(("name", "share", "done"), [("open", 1.0, 1), ("close", 1.0, 0)])
def test_a_joint_goes_the_way_that_is_meant(name: str, share: float, done: int) -> None:
    scene = Scene({frozenset(("hand", "door")): [0.1, 0.1]}, share=[share, share])
    reward = Reward(reward_file(name), {"target": "door"})
    reward.begin({"right": scene})
    assert reward({"right": scene}, 0).success.tolist() == [done, done]


def test_an_argument_without_a_thing_is_told() -> None:
    with pytest.raises(ValueError, match="reward grasp: 'target' is not bound"):
        Reward(reward_file("grasp"), {})


def test_an_unknown_reward_is_told() -> None:
    with pytest.raises(ValueError, match="unknown reward 'grip'"):
        reward_file("grip")


def test_a_reward_has_terms() -> None:
    with pytest.raises(ValueError, match="a reward has terms"):
        RewardFile.model_validate({"reward": "nothing", "about": "Nothing."})


@dataclass
class Poured(Scene):
    """Knows one vessel and one target, and nothing the other way round."""

    angle: float = 0.0

    def tilt(self, thing: str) -> Number:
        assert thing == "bottle"
        return np.full(2, self.angle)

    def grasped(self, thing: str) -> Number:
        assert thing == "bottle"
        return np.array(self.holds)

    def above(self, thing: str, other: str) -> Number:
        assert (thing, other) == ("bottle", "cup")
        return np.array(self.put)


@pytest.mark.parametrize(("angle", "reached"), [(np.pi / 2, [0.0, 1.0]), (0.0, [0.0, 0.0])])
def test_pouring_is_of_a_vessel_that_is_tipped(angle: float, reached: list[float]) -> None:
    scene = Poured(holds=[0.0, 1.0], put=[1.0, 1.0], angle=angle)
    reward = Reward(reward_file("pour"), {"object": "bottle", "target": "cup"})
    reward.begin({"right": scene})
    assert reward({"right": scene}, 0).success.tolist() == reached


@pytest.mark.parametrize("name", TABLE_6.split())
def test_every_reward_of_table_6_can_be_computed(name: str) -> None:
    file = reward_file(name)
    names = {one: one for one in file.args}
    things = [*names, "hand", "other_hand"]
    scene = Scene({frozenset((a, b)): [0.5, 0.1] for a in things for b in things if a != b})
    reward = Reward(file, names)
    states = {"right": scene, "left": scene}
    reward.begin(states)
    found = reward(states, 3)
    assert found.value.shape == (2,)
    assert np.all((found.value >= 0) & (found.value <= 182))
