"""The pantry with physics: its scenes, gymnasium's rules, contacts, and the table."""

from __future__ import annotations

import json
import warnings

import numpy as np
import pytest

pytest.importorskip("sapien")
pytest.importorskip("gymnasium")

import gymnasium
from gymnasium.utils.env_checker import check_env

from tests.cli.conftest import ROOT, Treec, treec
from treec_learning.names import STARTS
from treec_learning.pantry.cases import Purpose, generator
from treec_learning.pantry.simulator import ACTIONS
from treec_learning.sapien.environment import StretchPantryPhysics
from treec_learning.sapien.episode import PhysicalEpisode
from treec_learning.sapien.reach import StretchReach
from treec_learning.sapien.scene import ROBOT, THING, PantryScene, draw_scene

__all__ = ["treec"]

AHEAD, BACK = ACTIONS.index("extension +"), ACTIONS.index("extension -")


def drawn(start: str, number: int = 0) -> PantryScene:
    return draw_scene(generator(Purpose.TRIAL, 3, STARTS.index(start), number), {start: 1.0})


@pytest.mark.parametrize("start", STARTS)
def test_an_episode_begins_as_its_start_says_and_touches_nothing(start: str) -> None:
    scene = drawn(start)
    assert scene.start == scene.goal.case.start == start
    assert ("obstacle" in scene.kitchen.bodies) == (start == "obstacle")
    reach = StretchReach(scene.arm, scene.goal)
    q, stand = reach.configuration(scene.kitchen.robots[ROBOT].qpos)
    assert q == pytest.approx(scene.goal.case.first, abs=2e-3)
    assert stand == pytest.approx(scene.goal.case.stand, abs=2e-3)
    scene.kitchen.physics()
    assert not {it for it, _ in scene.kitchen.contacts.of(ROBOT)} - {"ground"}


def test_the_same_generator_draws_the_same_scene() -> None:
    one, two, other = drawn("recovery"), drawn("recovery"), drawn("recovery", 1)
    assert one.kitchen.bodies.keys() == two.kitchen.bodies.keys()
    assert np.array_equal(one.goal.case.first, two.goal.case.first)
    assert np.array_equal(one.goal.case.boxes, two.goal.case.boxes)
    assert not np.array_equal(one.goal.case.first, other.goal.case.first)


def test_contacts_are_counted_as_they_begin() -> None:
    """Driven ahead without a guard, the hand runs into something or pushes the thing."""
    scene = drawn("easy")
    episode = PhysicalEpisode(scene)
    while not episode.touched:
        assert episode.steps < 20
        assert episode.step(AHEAD, guarded=False) is None
    before = episode.touched.total()
    episode.step(BACK, guarded=False)
    assert episode.touched.total() <= before + 1
    assert scene.kitchen.bodies.keys() >= episode.touched.keys()


def test_guarded_nothing_is_touched_and_the_refusal_is_told() -> None:
    episode = PhysicalEpisode(drawn("realistic"))
    refused = [episode.step(AHEAD, guarded=True) for _ in range(14)]
    assert any(it in episode.kitchen.bodies for it in refused)
    assert not episode.touched


def test_the_thing_pushed_away_is_a_touch() -> None:
    scene = drawn("easy")
    episode = PhysicalEpisode(scene)
    entity = scene.kitchen.bodies[THING].entity
    pose = entity.pose
    pose.p = pose.p + np.array([0.012, 0.0, 0.0])
    entity.pose = pose
    episode.run(iter((None,)))  # type: ignore[arg-type]
    assert episode.touched[THING] == 1


@pytest.mark.thorough
def test_gymnasium_finds_it_and_the_same_seed_gives_the_same_episode() -> None:
    name = "treec_learning.environments:treec/StretchPantryPhysics-v0"
    one, two = (gymnasium.make(name).unwrapped for _ in range(2))
    assert isinstance(one, StretchPantryPhysics)
    two.reset(seed=1)
    two.step(np.int64(3))
    first, second = one.reset(seed=9)[0], two.reset(seed=9)[0]
    assert np.array_equal(first, second)
    for action in (4, 2, 5):
        left, right = one.step(np.int64(action)), two.step(np.int64(action))
        assert np.array_equal(left[0], right[0])
        assert left[1:] == right[1:]


@pytest.mark.thorough
def test_a_refused_action_costs_and_is_told() -> None:
    env = StretchPantryPhysics("reach", {"realistic": 1.0}, "difference", guarded=True)
    env.reset(seed=2)
    with pytest.raises(ValueError, match="an action is a whole number from 0 to 9, not -1"):
        env.step(np.int64(-1))  # it had been the last one
    told = [env.step(np.int64(AHEAD)) for _ in range(20)]
    touched = [info["touched"] for *_, info in told]
    assert any(touched)
    assert not told[-1][2]
    first = next(n for n, it in enumerate(touched) if it)
    assert told[first][1] < told[first - 1][1]
    assert told[-1][4]["contacts"] == {}


@pytest.mark.thorough
def test_gymnasium_has_no_complaint() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(StretchPantryPhysics(), skip_render_check=True)


@pytest.mark.slow
def test_the_table_has_every_controller(treec: Treec) -> None:
    words = ("learn", "evaluate", "--env", "sapien", "--n", "1", "--output-format", "json")
    result = treec(*words, "-L", ROOT)
    assert result.status == 0, result.err
    table = json.loads(result.out)
    names = [row["controller"] for row in table["rows"]]
    assert names[0] == "reach_among_things"
    again = "straight, guarded, no repeats"
    assert names[-4:] == ["straight", again, "straight, steps ahead", "planner"]
    found = {row["controller"]: row["starts"] for row in table["rows"]}
    assert found["reach_among_things, guarded, no repeats"]["easy"]["success"] == 1
    assert all(set(starts) == set(STARTS) for starts in found.values())


def test_what_is_of_the_kinematic_pantry_is_refused(treec: Treec) -> None:
    result = treec("learn", "evaluate", "--env", "sapien", "--all", "-L", ROOT)
    assert result.status == 2
    assert "--pictures and --all are of the kinematic pantry" in result.err
