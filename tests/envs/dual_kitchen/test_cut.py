"""Where a blade comes down: to the food as high as it is there, pitched where it must be."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import room
from treec_sapien.dual_kitchen.cut import reaches, top
from treec_sapien.motion.frames import Array, at
from treec_sapien.worker import PhysicalAct

BLADE = np.array([0.0, 0.05, 0.0])
LOW, HIGH = np.array([-0.03, -0.03, 0.77]), np.array([0.03, 0.03, 0.83])


def edge(tool: Array) -> Array:
    """Where the blade's middle is when the tool, which is the knife here, is there."""
    return tool[:3, :3] @ BLADE + tool[:3, 3]


def test_the_blade_comes_down_to_the_food_and_not_to_the_box_around_it() -> None:
    ways = reaches(np.eye(4), BLADE, LOW, HIGH, np.eye(4), lambda points: 0.815)
    for way in ways:
        for stroke in (1, 3):
            assert edge(way.way[way.marks[stroke]])[2] == pytest.approx(0.811)


def test_no_blade_comes_down_where_there_is_no_food() -> None:
    def half(points: Array) -> float | None:
        return 0.8 if np.all(points[:, 0] > -0.005) else None

    assert reaches(np.eye(4), BLADE, LOW, HIGH, np.eye(4), lambda points: None) == []
    found = reaches(np.eye(4), BLADE, LOW, HIGH, np.eye(4), half)
    assert all(edge(way.way[way.marks[1]])[0] > -0.02 for way in found)


def test_a_level_blade_is_liked_best_and_a_pitched_one_will_do() -> None:
    ways = reaches(np.eye(4), BLADE, LOW, HIGH, np.eye(4), lambda points: 0.8)
    pitched = {round(float(np.arcsin(way.way[way.marks[1]][2, 1])), 2): way.cost for way in ways}
    assert min(pitched, key=lambda pitch: pitched[pitch]) == 0.0
    assert max(pitched) == pytest.approx(0.3)
    assert min(pitched) == pytest.approx(-0.3)


def test_how_high_the_food_is_is_looked_up_below_the_blade() -> None:
    objects = {
        "table": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
        "apple": {"pose": [0.0, 0.3, 0.75], "body": {"kind": "round_food", "diameter": 0.048}},
    }
    kitchen = room(objects)
    act = PhysicalAct.__new__(PhysicalAct)
    act.kitchen = kitchen
    apple = kitchen.bodies["apple"]
    over = at(0.0, 0.3, 0.85)[:3, 3]
    assert top(act, apple, over[None]) == pytest.approx(0.797, abs=0.006)
    aside = top(act, apple, over[None] + np.array([0.015, 0.0, 0.0]))
    assert aside is not None
    assert aside < 0.793
    assert top(act, apple, over[None] + np.array([0.1, 0.0, 0.0])) is None
