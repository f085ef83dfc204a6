"""Where a robot on wheels stands before a place, and which place it stands before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.skills.sapien.kitchens import kitchen
from treec.envs.sapien.environment import SapienKitchen
from treec.envs.sapien.motion.stretch_base import StretchBase
from treec.envs.sapien.sense.location import REACH
from treec.envs.sapien.standing import nearest_place, nearest_to, spots_before


@pytest.fixture(scope="module")
def where() -> SapienKitchen:
    return kitchen("R2")


def base(where: SapienKitchen) -> StretchBase:
    found = where.motion("R2").base
    assert isinstance(found, StretchBase)
    return found


@pytest.mark.parametrize("place", ["table", "shelf"])
def test_it_stands_before_a_place_with_its_arm_towards_it(where: SapienKitchen, place: str) -> None:
    spots = spots_before(where, place, base(where))
    assert spots
    for x, y, yaw in spots:
        assert nearest_to(where, np.array([x, y])) == place
        arm = np.array([np.sin(yaw), -np.cos(yaw)])  # out of its right side
        middle = np.array(where.bodies[place].pose().p[:2])
        assert (middle - np.array([x, y])) @ arm > 0.3


def test_it_stands_before_the_open_front_of_a_shelf(where: SapienKitchen) -> None:
    shelf = where.bodies["shelf"].pose()
    for x, y, _ in spots_before(where, "shelf", base(where)):
        _, own, _ = shelf.inverse().apply((float(x), float(y), 0.0))
        assert own < -0.3


def test_far_from_everything_it_is_at_no_place(where: SapienKitchen) -> None:
    assert nearest_place(where, "R2") == "table"
    assert nearest_to(where, np.array([-0.76 - REACH, 0.0])) is None
