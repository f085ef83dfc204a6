"""What has fallen over: taken as it lies, and stood up where that can be."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import sapien

from tests.skills.sapien.kitchens import Doing, kitchen, thing
from treec import Effect
from treec_sapien.bodies.pose import Pose, multiply, turn, yaw
from treec_sapien.build import to_sapien
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.place import Spot
from treec_sapien.sense.location import box
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.skills.place import sapien as place
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


def test_what_somebody_takes_out_of_a_hand_and_puts_elsewhere_is_held_no_more() -> None:
    """The planner had kept it in the hand: beside the table no way led anywhere any more."""
    scene = kitchen("R1", jar=thing("jar", 0.1, 0.1))
    arm, built = scene.arm("R1"), scene.bodies["jar"]
    built.entity.pose = sapien.Pose(arm.tcp[:3, 3])
    arm.attach(built.entity)
    assert scene.held_things().keys() == {"jar"}
    scene.notify((Effect("at", ("jar",), "table", "reported"),))
    assert arm.holding is None
    assert scene.held_things() == {}


@pytest.mark.parametrize(("lean", "upright"), [(105.0, False), (16.0, True)])
def test_what_has_turned_over_in_the_hand_is_laid_down(
    lean: float, upright: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Carried upright it had no spot: for none would the hand have come from above."""
    arm = SimpleNamespace(upright="as it was taken")
    act: Any = SimpleNamespace(arm=arm, kitchen=SimpleNamespace(owner=str))
    jar = SimpleNamespace(name="jar", pose=Pose)
    carried: list[bool] = []

    def put_on(*args: object) -> Iterator[None]:
        carried.append(arm.upright is not None)
        return np.eye(4)
        yield

    monkeypatch.setattr(place, "held_body", lambda act, item: jar)
    monkeypatch.setattr(place, "body", lambda act, name: None)
    monkeypatch.setattr(place, "lean_degrees", lambda built: lean)
    monkeypatch.setattr(place, "_put_on", put_on)
    assert [*place.set_down(act, "jar", "table")] == []
    assert carried == [upright]
