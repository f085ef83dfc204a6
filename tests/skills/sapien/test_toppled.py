"""What has fallen over: taken as it lies, and stood up where that can be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.skills.sapien.kitchens import Doing, kitchen, thing
from treec_sapien.bodies.pose import Pose, multiply, turn, yaw
from treec_sapien.build import to_sapien
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.place import Spot
from treec_sapien.sense.location import box
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.skills.place.sapien import Place
from treec_sapien.toppled import as_held_spots, lean_degrees, lying_grasps, lying_spots

LIES = multiply(yaw(25.0), turn((1.0, 0.0, 0.0), 90.0))


def with_a_fallen(agent: str, kind: str, x: float = -0.1, **body: Any) -> SapienKitchen:
    """The kitchen with one thing that lies on the table."""
    where = kitchen(agent, it=thing(kind, x, -0.1, **body))
    link = where.bodies["it"].links["body"]
    link.entity.pose = to_sapien(Pose((x, -0.1, 0.79), LIES))
    link.wake_up()
    for _ in range(60):
        where.physics()
    where.forget_contacts()
    return where


@pytest.mark.thorough
@pytest.mark.parametrize(("agent", "kind"), [("R1", "packet"), ("R2", "packet"), ("R1", "bottle")])
def test_what_lies_is_picked_up_and_put_on_the_table(agent: str, kind: str) -> None:
    where = with_a_fallen(agent, kind)
    assert lean_degrees(where.bodies["it"]) > 80
    doing = Doing(where, agent)
    doing(Pick, item="it")
    doing(Place, item="it", place="table")
    low, high = box(where, "it")
    assert 0.74 < low[2] < 0.76
    assert high[2] < 0.96


@pytest.mark.thorough
def test_a_fallen_carton_is_stood_up_again() -> None:
    doing = Doing(with_a_fallen("R1", "packet"), "R1")
    doing(Pick, item="it")
    doing(Place, item="it", place="table")
    assert lean_degrees(doing.kitchen.bodies["it"]) < 5


def test_what_turned_upside_down_between_the_fingers_is_put_down_by_a_hand_from_above() -> None:
    built = kitchen("R1", it=thing("round_food", 0.0, 0.0)).bodies["it"]
    held = np.diag([1.0, -1.0, -1.0, 1.0]) @ np.diag([-1.0, -1.0, 1.0, 1.0])
    upside_down = np.diag([1.0, -1.0, -1.0, 1.0]) @ held
    upright = np.eye(4)
    upright[:3, 3] = [0.1, 0.2, 0.75]
    assert (upright @ np.linalg.inv(upside_down))[2, 2] > 0.9  # the right way up: from below
    spots = as_held_spots(built, upside_down, [Spot(upright)])
    for spot in spots:
        hand = spot.pose @ np.linalg.inv(upside_down)
        assert hand[2, 2] < -0.8
        assert np.allclose(spot.pose[:3, 3] + spot.foot, [0.1, 0.2, 0.75])
    assert len(spots) == 3


def test_grasps_of_what_lies_close_level_across_it_where_it_is_thin_enough() -> None:
    where = with_a_fallen("R1", "packet", size=[0.07, 0.05, 0.2])
    built = where.bodies["it"]
    grasps = lying_grasps(built.body, built.pose())
    assert len(grasps) >= 15
    for grasp in grasps:
        tool = built.pose() @ grasp.pose
        assert abs(tool.axis(1)[2]) < 1e-6  # the fingers close level
        assert tool.axis(2)[2] < -0.4  # the hand comes down
        assert tool.p[2] > 0.75 + 0.019
        assert round(grasp.width, 3) == 0.07  # across: along it, 20 cm is too wide for any hand


def test_spots_to_lie_at_have_the_thing_rest_on_its_side_above_the_same_place() -> None:
    where = with_a_fallen("R1", "packet", size=[0.06, 0.05, 0.16])
    pose = np.eye(4)
    pose[:3, 3] = [0.1, 0.2, 0.756]
    spots = lying_spots(where.bodies["it"], [Spot(pose)])
    assert len(spots) == 4
    for spot in spots:
        assert np.allclose(spot.pose[:3, 3] + spot.foot, pose[:3, 3])
        where.bodies["it"].links["body"].entity.pose = to_sapien(_pose(spot.pose))
        low, high = box(where, "it")
        assert np.allclose([low[2], *((low + high) / 2)[:2]], [0.756, 0.1, 0.2], atol=2e-3)
        assert high[2] - low[2] < 0.062


def _pose(frame: Any) -> Pose:
    from treec_sapien.motion.frames import quaternion

    return Pose(tuple(map(float, frame[:3, 3])), tuple(map(float, quaternion(frame[:3, :3]))))  # type: ignore[arg-type]
