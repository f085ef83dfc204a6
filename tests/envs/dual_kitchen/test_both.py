"""Two hands on one thing: who takes which handle, wherever the robot happens to stand."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import room
from treec import WorkOrder
from treec_sapien.dual_kitchen import both
from treec_sapien.dual_kitchen.both import PutBoth, _aside
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.worker import PhysicalAct

OBJECTS = {
    "table": {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}},
    "pot": {"pose": [0.0, 0.2, 0.75], "body": {"kind": "pot"}},
}


def test_left_and_right_are_seen_from_before_the_thing() -> None:
    pot = room(OBJECTS).bodies["pot"]
    left, right = ({h.name: h for h in pot.body.handles}[name] for name in ("left", "right"))
    front = np.array([0.0, -1.0, 0.0])
    gap = _aside(pot, left.grasps[0], front) - _aside(pot, right.grasps[0], front)
    assert gap > 0.2
    assert _aside(pot, left.grasps[0], -front) < _aside(pot, right.grasps[0], -front)


def test_what_cannot_be_brought_as_it_is_held_is_set_down_and_grasped_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    kitchen = room({**OBJECTS, "stove": {"pose": [0.5, 0.5, 0.75], "body": {"kind": "stove"}}})
    calls: list[tuple[str, bool]] = []

    def put(arms: Any, item: Any, places: Any, rng: Any) -> Generator[None, None, None]:
        calls.append(("put", abs(places[0][0] - 0.5) < 0.1 and abs(places[0][1] - 0.5) < 0.1))
        if len(calls) == 1:
            raise MotionFailure("not reached", "pot with both hands")
        yield

    def take(*args: Any, **more: Any) -> Generator[None, None, None]:
        calls.append(("take", False))
        yield

    monkeypatch.setattr(both, "put_pair", put)
    monkeypatch.setattr(both, "take_pair", take)
    args = {"agent": "left", "other": "right", "item": "pot", "target": "stove"}
    act = PhysicalAct(WorkOrder("s1", "put_onto_both", "left", args, 1.0), kitchen)
    for _ in PutBoth().do(act):
        pass
    assert calls == [("put", True), ("put", False), ("take", False), ("put", True)]
