"""Ten doors and drawers, each pulled through nine tenths of its travel. Slow: one a few seconds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from envs.sapien.motion.turning import turn
from tests.envs.dual_kitchen.room import room, run

TABLE = {"pose": [0.0, 0.4, 0.0], "body": {"kind": "table", "size": [1.6, 0.8, 0.75]}}
OVEN: dict[str, Any] = {"kind": "microwave", "hinge": "left"}
COOLER: dict[str, Any] = {"kind": "refrigerator", "hinge": "right"}
CASES: dict[str, tuple[dict[str, Any], list[float], str, str, bool]] = {
    "oven, left": (OVEN, [-0.3, 0.45, 0.75], "door", "left", True),
    "oven, right": ({**OVEN, "hinge": "right"}, [0.3, 0.45, 0.75], "door", "right", True),
    "wide oven": ({**OVEN, "size": [0.56, 0.4, 0.34]}, [0.2, 0.45, 0.75], "door", "left", True),
    "cooler, right": (COOLER, [0.6, 0.4, 0.0], "door", "right", False),
    "cooler, left": ({**COOLER, "hinge": "left"}, [-0.6, 0.4, 0.0], "door", "left", False),
    "cabinet, left": ({"kind": "cabinet"}, [0.0, 0.6, 1.25], "left_door", "left", True),
    "cabinet, right": ({"kind": "cabinet"}, [0.0, 0.6, 1.25], "right_door", "right", True),
    "low cabinet": ({"kind": "cabinet"}, [0.2, 0.6, 1.05], "left_door", "left", True),
    "dishwasher": (
        {"kind": "dishwasher", "rack": 0.3, "glide": 0.26, "opens": 55},
        [-0.3, 0.3, 0.0],
        "door",
        "left",
        False,
    ),
    "drawer": ({"kind": "chest"}, [0.2, 0.3, 0.0], "drawer", "right", False),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(CASES))
def test_it_is_opened_through_nine_tenths_of_its_travel(name: str) -> None:
    body, pose, joint, side, on_table = CASES[name]
    objects = {"it": {"pose": pose, "body": body}, **({"table": TABLE} if on_table else {})}
    kitchen = room(objects)
    built = kitchen.bodies["it"]
    limit = built.body.joint(joint).limits[1]
    handle = next(handle for handle in built.body.handles if handle.joint == joint)
    arm, rng = kitchen.arm(side), np.random.default_rng(1)
    run(kitchen, turn(arm, built, handle, 0.98 * limit, rng, enough=0.9 * limit))
    assert built.position(joint) >= 0.9 * limit
