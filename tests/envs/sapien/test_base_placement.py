"""Where a robot on wheels stands before a place, and which place it stands before."""

from __future__ import annotations

import numpy as np
import pytest

from tests.skills.sapien.kitchens import kitchen, thing
from treec_sapien.base_placement import nearest_place, nearest_to, spots_before, views_beside
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.frames import translate
from treec_sapien.motion.reach import through
from treec_sapien.motion.stretch_base import StretchBase
from treec_sapien.sense.location import REACH


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


def test_other_views_of_a_thing_are_at_its_place_and_away_from_where_it_was_looked_at() -> None:
    where = kitchen("R2", jar=thing("jar", 1.8, 0.2, 0.9))
    first = spots_before(where, "shelf", base(where))[0]
    views = views_beside(where, "jar", "shelf", base(where), [first])
    assert len(views) >= 2
    ahead = np.array([np.cos(first[2]), np.sin(first[2])])
    for view in views:
        assert 0.14 < np.linalg.norm((view - first)[:2]) < 0.8
        assert np.cos(view[2] - first[2]) > 0.99, "its arm is towards the shelf"
        assert nearest_to(where, view[:2], "shelf") == "shelf"
        assert (np.array([1.8, 0.2]) - view[:2]) @ ahead > -0.11, "the mast is behind the head"
    left = views_beside(where, "jar", "shelf", base(where), [views[0], first])
    assert all(np.linalg.norm((it - views[0])[:2]) > 0.14 for it in left)
    assert len(left) < len(views)


@pytest.mark.parametrize(
    ("height", "why"),
    [(0.7, "the table is in the way"), (3.0, "out of reach wherever the base has room")],
)
def test_what_is_out_of_reach_is_told_from_what_something_is_in_the_way_of(
    where: SapienKitchen, height: float, why: str
) -> None:
    (arm,) = where.motion("R2").arms.values()
    pose = arm.tcp.copy()
    pose[:2, 3], pose[2, 3] = where.bodies["table"].pose().p[:2], height
    reach = through([pose, translate(pose, world=np.array([0.0, 0.0, 0.01]))], [2], pivot=0)
    assert base(where)._why_not(ReachWish(arm, [reach])) == why


def test_far_from_everything_it_is_at_no_place(where: SapienKitchen) -> None:
    assert nearest_place(where, "R2") == "table"
    assert nearest_to(where, np.array([-0.76 - REACH, 0.0])) is None
