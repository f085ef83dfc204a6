"""Where a robot on wheels stands before a place, and which place it stands before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.skills.sapien.kitchens import kitchen
from treec.envs.sapien.environment import SapienKitchen
from treec.envs.sapien.motion.stretch_base import StretchBase
from treec.envs.sapien.sense.location import REACH
from treec.envs.sapien.standing import nearest_place, nearest_to, spots_before, views_beside


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


def test_other_views_of_a_place_are_near_it_and_away_from_where_it_has_looked(
    where: SapienKitchen,
) -> None:
    first = spots_before(where, "shelf", base(where))[0]
    views = views_beside(where, "shelf", base(where), [first])
    assert len(views) >= 3
    for view in views:
        assert 0.14 < np.linalg.norm((view - first)[:2]) < 0.5
        assert np.cos(view[2] - first[2]) > 0.99, "its arm is towards the shelf"
    back = np.array([-np.sin(first[2]), np.cos(first[2])])
    assert (views[0] - first)[:2] @ back > 0.05
    left = views_beside(where, "shelf", base(where), [first, *views[:2]])
    assert all(np.linalg.norm((it - views[0])[:2]) > 0.14 for it in left)
    assert len(left) < len(views)


def test_far_from_everything_it_is_at_no_place(where: SapienKitchen) -> None:
    assert nearest_place(where, "R2") == "table"
    assert nearest_to(where, np.array([-0.76 - REACH, 0.0])) is None
