"""How two hands take a pot: as steeply as they will need it, as high as it is carried, square."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import room
from treec_sapien.motion import bimanual
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.reach import ReachSolution, through

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
    for way in bimanual._ways(pot, grasps, UP * 0.16):
        costs[round(-float(way.way[way.marks[1]][2, 2]), 2)] = way.cost
    best = min(costs, key=lambda slope: costs[slope])
    assert 0.65 < best < 0.85
    assert costs[0.48] > costs[best] + 0.3
    assert costs[1.0] > costs[best] + 0.3


def test_a_hand_that_comes_along_the_bar_is_not_rotated() -> None:
    pot = room(OBJECTS).bodies["pot"]
    for handle in pot.body.handles:
        for way in bimanual._ways(pot, handle.grasps, UP * 0.16):
            closing = way.way[way.marks[1]][:3, 1]
            assert abs(closing[0]) < 0.1, way.name  # the bar is along x


def test_out_of_a_cabinet_the_base_moves_back_and_only_from_where_it_can() -> None:
    wall = {"pose": [0.0, -1.6, 0.0], "body": {"kind": "table", "size": [3.0, 0.2, 1.2]}}
    for objects, free in ((OBJECTS, True), ({**OBJECTS, "wall": wall}, False)):
        kitchen = room(objects)
        arms = [kitchen.arm(side) for side in ARMS]
        pot, motion = kitchen.bodies["pot"], arms[0].motion
        here = motion.robot.qpos
        stay = [
            [ReachSolution(through([arm.tcp, arm.tcp], [1]), arm.problem(here).now[None], None, 1)]
            for arm in arms
        ]
        assert bimanual._can_shift_base(arms, pot, stay, np.array([0.0, -0.9, 0.0])) is free
    rows = bimanual._base_row(motion, np.array([0.0, -0.3, 0.0]), 4)
    assert rows[-1] - rows[0] == pytest.approx([-0.3, 0.0, 0.0])  # its x is the scene's y


def test_it_is_lifted_as_high_as_it_is_carried_or_else_a_little(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kitchen = room(OBJECTS)
    arms = [kitchen.arm(side) for side in ARMS]
    pot = kitchen.bodies["pot"]
    rises: list[float] = []

    slopes: list[float] = []

    def ask(
        seek: Any, rng: np.random.Generator, *wishes: Any, avoid: Any
    ) -> Generator[None, None, Any]:
        way = wishes[0].reaches[0]
        rises.append(float(way.way[-1][2, 3] - way.way[way.marks[1]][2, 3]))
        slopes.append(max(-float(one.way[one.marks[1]][2, 2]) for one in wishes[0].reaches))
        raise MotionFailure("not reached", "by both arms from anywhere")
        yield

    monkeypatch.setattr(arms[0].motion.base, "ask_with", ask)
    grasps = [handle.grasps for handle in pot.body.handles]
    taking = bimanual.take_pair(
        arms, pot, grasps, np.random.default_rng(0), front=np.array([0.0, -1.0, 0.0])
    )
    with pytest.raises(MotionFailure, match="not reached"):
        next(taking)
    assert rises == pytest.approx([0.25, 0.16, 0.25, 0.16], abs=0.002)
    assert max(slopes[:2]) < 0.86  # the slopes that are liked first, whatever the lift
    assert min(slopes[2:]) > 0.99


def test_a_hand_without_a_way_is_tried_from_another_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kitchen = room(OBJECTS)
    arms = [kitchen.arm(side) for side in ARMS]
    pot = kitchen.bodies["pot"]
    avoided: list[int] = []

    def ask(
        seek: Any, rng: np.random.Generator, *wishes: Any, avoid: Any
    ) -> Generator[None, None, Any]:
        avoided.append(len(avoid))
        return []
        yield

    def approach(*args: Any) -> Generator[None, None, Any]:
        raise MotionFailure("blocked", "no way for the right arm")
        yield

    monkeypatch.setattr(arms[0].motion.base, "ask_with", ask)
    monkeypatch.setattr(bimanual, "_approach", approach)
    grasps = [handle.grasps for handle in pot.body.handles]
    taking = bimanual.take_pair(
        arms, pot, grasps, np.random.default_rng(0), front=np.array([0.0, -1.0, 0.0])
    )
    with pytest.raises(MotionFailure, match="blocked"):
        next(taking)
    assert avoided == [0, 1, 2]
