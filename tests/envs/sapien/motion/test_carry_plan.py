"""How what two hands hold is put: square, level, and hardly higher than it must be on its way."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import room
from treec_sapien.motion import carry_plan
from treec_sapien.motion.carry_plan import CarryPlan, end, row, ways
from treec_sapien.motion.frames import about, compose

OBJECTS = {
    "table": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
    "pot": {"pose": [0.0, 0.2, 0.75], "body": {"kind": "pot"}},
}
ARMS = ("left", "right")
UP = np.array([0.0, 0.0, 1.0])


def test_it_is_put_square_to_the_room_unless_that_cannot_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kitchen = room(OBJECTS)
    arms = [kitchen.arm(side) for side in ARMS]
    held = [np.linalg.inv(arm.tcp) for arm in arms]  # as though the pot were where it is square
    for name in ("reachable_ends", "followable"):
        monkeypatch.setattr(
            carry_plan, name, lambda arms, held, q, plans, *_: [replace(p, margin=1) for p in plans]
        )
    monkeypatch.setattr(carry_plan, "clear", lambda *args: True)
    monkeypatch.setattr(carry_plan, "base_poses", lambda *args: [])
    q = arms[0].motion.robot.qpos
    place = [np.array([0.0, 0.3, 0.8])]

    def yaws(askew: float) -> list[float]:
        asked = np.random.default_rng(0)
        found = ways(arms, held, place, q, asked, here_too=True, askew=askew)
        return [plan.yaw for plan in found]

    assert set(yaws(0.6)) == {0.0, 0.35, -0.35}
    assert set(yaws(np.pi)) == {0.0, 0.35, -0.35, 0.7, -0.7}
    assert yaws(0.6)[0] == 0.0


def test_a_carried_thing_goes_hardly_higher_than_where_it_is_to_be() -> None:
    start = np.eye(4)
    start[:3, 3] = [0.0, 0.3, 0.77]
    plan = CarryPlan(np.zeros(3), np.array([0.0, 0.2, 0.9]), 0.35, False, rise=0.01)
    way = row(start, plan)
    assert np.max(way[:, 2, 3]) == pytest.approx(0.91)
    assert np.allclose(way[-1][:3, :3], about(UP, 0.35))


def test_what_hangs_askew_between_the_hands_is_put_level() -> None:
    tilted = about(np.array([0.6, 0.8, 0.0]), 0.26) @ about(UP, 0.3)
    start = compose(tilted, np.array([0.0, 0.3, 1.0]))
    plan = CarryPlan(np.zeros(3), np.array([0.1, 0.4, 0.81]), 0.0, False)
    there = end(start, plan)
    assert np.allclose(there[:3, 2], UP)
    assert np.allclose(there[:3, 3], plan.place)
    assert np.arctan2(there[1, 0], there[0, 0]) == pytest.approx(0.3, abs=0.03)
    assert np.allclose(row(start, plan)[-1], there)


def test_what_cannot_be_where_it_ends_is_never_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    kitchen = room(OBJECTS)
    arms = [kitchen.arm(side) for side in ARMS]
    q = arms[0].motion.robot.qpos
    held = [np.linalg.inv(arm.tcp) @ compose(np.eye(3), arms[0].tcp[:3, 3]) for arm in arms]
    far = [CarryPlan(np.zeros(3), np.array([x, 5.0, 0.8]), 0.0, False) for x in (0.0, 0.2)]
    monkeypatch.setattr(carry_plan, "followable", lambda *args: pytest.fail("it was followed"))
    assert list(carry_plan.collision_free_plans(arms, held, q, far)) == []
