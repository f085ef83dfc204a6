"""How two hands take a pot: as steeply as they will need it, as high as it is carried, square."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from envs.sapien.motion import pair
from envs.sapien.motion.failed import Failed
from envs.sapien.motion.frames import about
from tests.envs.dual_kitchen.room import room

OBJECTS = {
    "table": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
    "pot": {"pose": [0.0, 0.2, 0.75], "body": {"kind": "pot"}},
}
ARMS = ("left", "right")
UP = np.array([0.0, 0.0, 1.0])


def test_hands_that_come_in_flat_or_straight_down_are_liked_less() -> None:
    pot = room(OBJECTS).bodies["pot"]
    grasps = pot.body.handles[0].grasps
    costs = {}
    for way in pair._ways(pot, grasps, UP * 0.16, True):
        costs[round(-float(way.way[way.marks[1]][2, 2]), 2)] = way.cost
    best = min(costs, key=lambda slope: costs[slope])
    assert 0.65 < best < 0.85
    assert costs[0.48] > costs[best] + 0.3
    assert costs[1.0] > costs[best] + 0.3


def test_it_is_lifted_as_high_as_it_is_carried_or_else_a_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kitchen = room(OBJECTS)
    arms = [kitchen.arm(side) for side in ARMS]
    pot = kitchen.bodies["pot"]
    rises: list[float] = []

    def ask(rng: np.random.Generator, *wishes: Any) -> Generator[None, None, Any]:
        way = wishes[0].reaches[0]
        rises.append(float(way.way[-1][2, 3] - way.way[way.marks[1]][2, 3]))
        raise Failed("not reached", "by both arms from anywhere")
        yield

    monkeypatch.setattr(arms[0].motion.base, "ask", ask)
    grasps = [handle.grasps for handle in pot.body.handles]
    taking = pair.take_pair(
        arms, pot, grasps, np.random.default_rng(0), front=np.array([0.0, -1.0, 0.0])
    )
    with pytest.raises(Failed, match="not reached"):
        next(taking)
    assert rises == pytest.approx([0.25, 0.16], abs=0.002)


def test_it_is_put_square_to_the_room_unless_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kitchen = room(OBJECTS)
    arms = [kitchen.arm(side) for side in ARMS]
    held = [np.linalg.inv(arm.tcp) for arm in arms]  # as though the pot were where it is square
    monkeypatch.setattr(
        pair, "_followed", lambda arms, held, q, plans: [replace(p, margin=0.1) for p in plans]
    )
    monkeypatch.setattr(pair, "places_for", lambda *args: np.zeros((0, 3)))
    asked = np.random.default_rng(0)
    place = [np.array([0.0, 0.3, 0.8])]
    few = pair._plans(arms, held, place, asked, here_too=True, askew=0.6)
    every = pair._plans(arms, held, place, asked, here_too=True, askew=np.pi)
    assert {plan.yaw for plan in few} == {0.0, 0.35, -0.35}
    assert {plan.yaw for plan in every} == {0.0, 0.35, -0.35, 0.7, -0.7}
    assert few[0].yaw == 0.0


def test_a_carried_thing_goes_hardly_higher_than_where_it_is_to_be() -> None:
    start = np.eye(4)
    start[:3, 3] = [0.0, 0.3, 0.77]
    plan = pair._Plan(np.zeros(3), np.array([0.0, 0.2, 0.9]), 0.35, False, rise=pair._OVER)
    row = pair._row(start, plan)
    assert np.max(row[:, 2, 3]) == pytest.approx(0.91)
    assert np.allclose(row[-1][:3, :3], about(UP, 0.35))
