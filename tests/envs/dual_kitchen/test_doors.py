"""Doors and drawers: ten pulled through nine tenths of their travel; pushed shut by either arm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.envs.dual_kitchen.room import room, run
from treec_sapien.motion.articulated import slants_and_slips, turn
from treec_sapien.motion.push_shut import pushes, shut

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


FLAP = CASES["dishwasher"][0]
SHUT: dict[str, tuple[dict[str, Any], list[float], str, str]] = {
    "oven": (OVEN, [-0.3, 0.45, 0.75], "door", "right"),
    "oven, other arm": (OVEN, [-0.3, 0.45, 0.75], "door", "left"),
    "cooler": (COOLER, [0.6, 0.4, 0.0], "door", "right"),
    "cooler, other arm": (COOLER, [0.6, 0.4, 0.0], "door", "left"),
    "flap": (FLAP, [-0.3, 0.3, 0.0], "door", "left"),
    "flap, other arm": (FLAP, [-0.3, 0.3, 0.0], "door", "right"),
    "drawer": ({"kind": "chest"}, [0.2, 0.3, 0.0], "drawer", "right"),
}
THOROUGH = [pytest.mark.thorough]
TIERS = {"oven": [], "drawer": THOROUGH}


@pytest.mark.thorough
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=TIERS.get(name, [pytest.mark.slow])) for name in SHUT],
)
def test_it_is_pushed_shut_from_wide_open(name: str) -> None:
    body, pose, joint, side = SHUT[name]
    table = {"table": TABLE} if pose[2] > 0 else {}
    kitchen = room({"it": {"pose": pose, "body": body}, **table})
    built, arm = kitchen.bodies["it"], kitchen.arm(side)
    q = np.array(built.articulation.qpos)
    q[list(built.joints).index(joint)] = built.body.joint(joint).limits[1]
    built.articulation.qpos = q
    handle = next(handle for handle in built.body.handles if handle.joint == joint)
    assert pushes(arm, built, handle, 0.0)
    run(kitchen, shut(arm, built, handle, 0.0, np.random.default_rng(1), enough=0.06))
    assert built.position(joint) <= 0.06


def test_an_open_door_is_not_pushed_open() -> None:
    kitchen = room({"it": {"pose": [-0.3, 0.45, 0.75], "body": OVEN}, "table": TABLE})
    built, arm = kitchen.bodies["it"], kitchen.arm("left")
    handle = next(handle for handle in built.body.handles if handle.joint == "door")
    assert pushes(arm, built, handle, 1.5) == []


def test_a_knob_does_not_turn_in_the_hand_and_a_doors_bar_may() -> None:
    """A hand on a knob's axis that lets it slip by all of the turning turns nothing."""
    oven = {"pose": [-0.3, 0.45, 0.75], "body": OVEN}
    stove = {"pose": [0.3, 0.4, 0.75], "body": {"kind": "stove"}}
    kitchen = room({"it": oven, "stove": stove, "table": TABLE})
    door = next(h for h in kitchen.bodies["it"].body.handles if h.joint == "door")
    assert slants_and_slips(kitchen.bodies["it"], door)[1] == (0.0, 0.5, 1.0)
    built = kitchen.bodies["stove"]
    assert slants_and_slips(built, built.body.handle("knob"))[1] == (0.0,)
