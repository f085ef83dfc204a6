"""Things moved a little by a seed: never into one another, never off what bears them."""

from __future__ import annotations

import math

import pytest

from tests.envs.bodies.places import EVERY_SCENE, agents, objects
from treec_sapien.bodies import problems
from treec_sapien.bodies.jitter import CLEAR, jitter_layout
from treec_sapien.bodies.scene import SceneLayout, read


def moved(
    layout: SceneLayout, seed: int = 0, metres: float = 0.03, degrees: float = 20.0
) -> SceneLayout:
    return jitter_layout(layout, seed, metres, degrees)


def far(one: SceneLayout, other: SceneLayout, name: str) -> float:
    return math.dist(one.bodies[name].pose.p, other.bodies[name].pose.p)


@pytest.mark.parametrize("name", EVERY_SCENE)
def test_the_same_seed_moves_things_alike_and_another_one_otherwise(name: str) -> None:
    layout = read(objects(name))
    third, fourth = moved(layout, 3), moved(layout, 4)
    assert moved(layout, 3) == third
    free = [thing for thing, placed in layout.bodies.items() if not placed.body.fixed]
    apart = [far(third, fourth, thing) for thing in free]
    assert sum(distance > 0.002 for distance in apart) > 0.7 * len(free)


@pytest.mark.few(7, thorough=1000)
@pytest.mark.parametrize("name", EVERY_SCENE)
@pytest.mark.parametrize("seed", range(5))
def test_nothing_comes_into_anything_or_off_what_it_stands_on(name: str, seed: int) -> None:
    """The same judge as `treec check` finds nothing wrong with things where they are now."""
    there = objects(name)
    changed = {}
    for thing, placed in moved(read(there), seed).bodies.items():
        changed[thing] = {**there[thing], "pose": [*placed.pose.p, *placed.pose.q], "yaw": 0.0}
    found = problems({**there, **changed}, "treec_sapien.bodies", agents(name))
    assert [it for it in found if it.rule in ("overlap", "standing")] == []


@pytest.mark.needs_system("dag_plan")
def test_only_what_can_be_moved_is_and_not_farther_than_asked() -> None:
    layout = read(objects("kitchen_1"))
    for seed in range(20):
        new = moved(layout, seed, 0.02, 10.0)
        assert new.bodies["toaster"] == layout.bodies["toaster"]
        assert far(layout, new, "apple") <= 0.02
        turn = new.bodies["apple"].pose.q
        assert 2 * math.degrees(math.acos(min(1.0, turn[0]))) <= 10.0 + 1e-6


def test_what_stands_in_or_on_a_thing_stays_with_it() -> None:
    there = {
        "table": {"pose": [0, 0, 0], "body": {"kind": "table"}},
        "bowl": {"pose": [0, 0, 0.75], "body": {"kind": "bowl", "diameter": 0.2}},
        "egg": {"pose": [0, 0, 0.756], "body": {"kind": "round_food", "diameter": 0.05}},
        "tin": {"pose": [0.3, 0, 0.75], "body": {"kind": "tin"}},
    }
    layout = read(there)
    new = moved(layout)
    assert new.bodies["bowl"] == layout.bodies["bowl"]
    assert new.bodies["egg"] == layout.bodies["egg"]
    assert new.bodies["tin"] != layout.bodies["tin"]


def test_room_for_fingers_is_kept_and_what_is_nearer_already_comes_no_nearer() -> None:
    def pair(apart: float) -> SceneLayout:
        tin = {"kind": "tin", "diameter": 0.06}
        return read(
            {
                "table": {"pose": [0, 0, 0], "body": {"kind": "table"}},
                "one": {"pose": [0, 0, 0.75], "body": tin},
                "two": {"pose": [0.06 + apart, 0, 0.75], "body": tin},
            }
        )

    def least(apart: float) -> float:
        gaps = []
        for seed in range(30):
            new = moved(pair(apart), seed)
            gaps.append(far(new, SceneLayout({"one": new.bodies["two"]}), "one") - 0.06)
        return min(gaps)

    assert least(0.05) >= CLEAR - 1e-9
    assert least(0.01) >= 0.01 - 1e-9
