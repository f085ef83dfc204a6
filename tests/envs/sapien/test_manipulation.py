"""What skills with hands share: what is held, what is not, and the chance of an order."""

from __future__ import annotations

import numpy as np
import pytest

from tests.envs.sapien.scenes import order
from tests.skills.sapien.kitchens import Doing, kitchen, thing
from treec_sapien.environment import SapienKitchen
from treec_sapien.manipulation import body, chance, empty, held_body, in_tool
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.worker import PhysicalAct


@pytest.fixture(scope="module")
def where() -> SapienKitchen:
    """The tin is in the hand."""
    doing = Doing(kitchen("R1", tin=thing("tin", -0.1, 0.1), cup=thing("cup", 0.0, -0.2)), "R1")
    doing(Pick, item="tin")
    return doing.kitchen


def act(where: SapienKitchen, id: str = "s1", **args: str) -> PhysicalAct:
    return PhysicalAct(order(id, **args), where)


@pytest.mark.thorough
def test_what_is_held_already_stood_where_it_was_taken_from() -> None:
    doing = Doing(kitchen("R1", tin=thing("tin", -0.1, 0.1)), "R1")
    doing(Pick, item="tin")
    stood = dict(doing.kitchen.stood)
    assert stood["tin"][0] == "R1"
    doing(Pick, item="tin")
    assert doing.kitchen.stood == stood


@pytest.mark.thorough
def test_chance_is_the_orders_and_the_attempts_own(where: SapienKitchen) -> None:
    def drawn(id: str, attempt: int) -> float:
        return float(chance(act(where, id), attempt).random())

    assert drawn("s1", 0) == drawn("s1", 0)
    assert len({drawn("s1", 0), drawn("s1", 1), drawn("s2", 0)}) == 3


@pytest.mark.thorough
def test_what_has_no_body_is_not_reached(where: SapienKitchen) -> None:
    assert body(act(where), "cup").name == "cup"
    with pytest.raises(MotionFailure, match="not reached: ghost has no body"):
        body(act(where), "ghost")


def test_only_what_is_in_the_hand_is_held_and_the_planner_knows(where: SapienKitchen) -> None:
    doing = act(where, item="tin")
    built = held_body(doing, "tin")
    assert doing.arm.holding is built.entity
    low = np.linalg.norm(in_tool(doing, built)[:3, 3])
    assert low < 0.12  # its base is that near to the tool point
    empty(doing)
    assert doing.arm.holding is built.entity  # it is not, so nothing is forgotten


def test_what_is_not_in_the_hand_is_dropped_and_the_planner_hears_of_it(
    where: SapienKitchen,
) -> None:
    doing = act(where)
    with pytest.raises(MotionFailure, match="dropped: cup is not in the gripper"):
        held_body(doing, "cup")
    assert doing.arm.holding is None
    held_body(doing, "tin")
    assert doing.arm.holding is where.bodies["tin"].entity
