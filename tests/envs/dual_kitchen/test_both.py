"""Two hands on one thing: who takes which handle, wherever the robot happens to stand."""

from __future__ import annotations

import numpy as np

from tests.envs.dual_kitchen.room import room
from treec.envs.dual_kitchen.physical.both import _aside

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
