from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.envs.sapien.person.people import person
from tests.skills.sapien.kitchens import AGENTS, PLACES, Doing, kitchen, thing
from treec import EnvironmentSetup, Sensor, WorkOrder
from treec_sapien.bodies.pose import Pose
from treec_sapien.build import to_sapien
from treec_sapien.environment import SapienKitchen
from treec_sapien.motion.base import ReachWish
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.floor import Floor
from treec_sapien.motion.stretch import StretchMover
from treec_sapien.motion.stretch_base import StretchBase
from treec_sapien.motion.stretch_solutions import BODY, scene_spot
from treec_sapien.motion.timing import resample
from treec_sapien.sense.location import at, base, fallen, near
from treec_sapien.sense.posture import lean
from treec_sapien.skills.change_view.sapien import ChangeView
from treec_sapien.skills.go_to.sapien import GoTo
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.skills.place.sapien import Place
from treec_sapien.worker import PhysicalAct

AT = Sensor("at", "", (), ("table", "shelf", "R2"))
FALLEN = Sensor("fallen", "", ())
NEAR_PLACES = Sensor("near", "", (), ("table", "shelf"))


@pytest.mark.thorough
def test_a_thing_is_fetched_from_a_shelf_and_put_on_the_table() -> None:
    doing = Doing(kitchen("R2", jar=thing("jar", 1.8, 0.2, 0.9)), "R2")
    doing(GoTo, place="shelf")
    assert near(doing.kitchen, NEAR_PLACES, "R2") == "shelf"
    doing(Pick, item="jar")
    assert at(doing.kitchen, AT, "jar") == "R2"
    doing(GoTo, place="table")
    assert near(doing.kitchen, NEAR_PLACES, "R2") == "table"
    assert at(doing.kitchen, AT, "jar") == "R2"
    doing(Place, item="jar", place="table")
    assert at(doing.kitchen, AT, "jar") == "table"
    assert lean(doing.kitchen, "jar") < 5


@pytest.mark.thorough
def test_what_lies_on_the_floor_is_picked_up_and_put_on_the_table() -> None:
    where = kitchen("R2", jar=thing("jar", 1.2, -0.6, 0.0))
    assert fallen(where, FALLEN, "jar") is True
    doing = Doing(where, "R2")
    doing(Pick, item="jar")
    assert at(where, AT, "jar") == "R2"
    doing(Place, item="jar", place="table")
    assert at(where, AT, "jar") == "table"
    assert fallen(where, FALLEN, "jar") is False


@pytest.mark.thorough
def test_it_looks_at_a_shelf_from_several_places_and_stays_there() -> None:
    doing = Doing(kitchen("R2", jar=thing("jar", 1.8, 0.2, 0.9)), "R2")
    doing(GoTo, place="shelf")
    doing.kitchen.bound["R2"] = "shelf"  # as the orders of a run do
    robot = doing.kitchen.hands["R2"].robot
    spots = [base(robot)]
    for _ in range(2):
        doing(ChangeView, item="jar", place="shelf")
        assert near(doing.kitchen, NEAR_PLACES, "R2") == "shelf"
        assert min(np.linalg.norm(np.subtract(base(robot), it)) for it in spots) > 0.12
        spots.append(base(robot))


def test_only_spots_from_which_the_same_item_was_looked_for_are_avoided(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    avoided: list[int] = []

    def none_left(*args: Any) -> list[Any]:
        avoided.append(len(args[-1]))
        return []

    monkeypatch.setattr("treec_sapien.skills.change_view.sapien.views_beside", none_left)
    doing = Doing(
        kitchen("R2", jar=thing("jar", 1.8, 0.2, 0.9), tin=thing("tin", 1.8, 0, 0.9)), "R2"
    )
    for item in ("jar", "jar", "tin"):
        with pytest.raises(MotionFailure, match="no other place"):
            doing(ChangeView, item=item, place="shelf")
    assert avoided == [1, 2, 1]


def wall(x: float, y: float, length: float) -> dict[str, Any]:
    """Something long between the table and the shelf."""
    size = [length, 0.3, 0.75]
    return {"type": "Thing", "pose": [x, y, 0.0], "body": {"kind": "table", "size": size}}


BEHIND = {"one": wall(1.2, 0.75, 2.0)}


def with_somebody(
    folder: Path, stands: tuple[float, float], walls: dict[str, Any]
) -> SapienKitchen:
    """R2 in the kitchen with somebody who stands there and faces the shelf."""
    reach = [stands[0] + 0.67, stands[1], 1.1]
    people = {"user": person(folder, reach=reach, yaw=0, frames=(60, 62))}
    agents = {name: AGENTS[name] for name in ("R2", "user")}
    things = {**PLACES, **walls}
    return SapienKitchen(EnvironmentSetup("sapien", "test", things, agents, people=people, seed=1))


@pytest.mark.parametrize(
    ("walls", "stands", "why"),
    [
        pytest.param({}, (1.2, 0.0), "user stands in the way to the shelf", id="at the shelf"),
        pytest.param(BEHIND, (1.2, -0.55), "user stands in the way to the shelf", id="before it"),
        pytest.param(BEHIND, (-0.4, 1.6), "", id="elsewhere"),
        pytest.param(
            {**BEHIND, "other": wall(1.2, -0.6, 1.4)},
            (1.2, 0.0),
            "no room in front of the shelf",
            id="walls",
        ),
    ],
)
def test_who_stands_in_the_way_of_the_base_is_named_so_that_they_are_asked_aside(
    tmp_path: Path, walls: dict[str, Any], stands: tuple[float, float], why: str
) -> None:
    """It had found no path to the fridge, five times, and had given up without a word."""
    where = with_somebody(tmp_path, stands, walls)
    order = WorkOrder("s1", "go_to", "R2", {"agent": "R2", "place": "shelf"}, 1.0)
    steps = GoTo().do(PhysicalAct(order, where))
    if not why:
        next(steps)  # it sets out
        return
    with pytest.raises(MotionFailure, match=why) as raised:
        next(steps)
    assert raised.value.person == ("user" if "user" in why else "")


@pytest.mark.parametrize("who", ["user", ""])
def test_who_stands_where_the_arm_would_reach_a_thing_from_is_named_too(
    tmp_path: Path, who: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It gave the salt up without a word: only a drive to a place had asked them to step aside."""
    where = with_somebody(tmp_path, (1.2, 0.0), {})
    stretch = where.motion("R2").base
    assert isinstance(stretch, StretchBase)

    def plan(*args: Any) -> Any:
        if who and stretch._unminded:
            return None
        raise MotionFailure("blocked", "no path to where the arm would reach it")

    monkeypatch.setattr(stretch, "_plan", plan)
    wish = ReachWish(stretch.mover, [])
    why = "user stands where the arm would reach it from" if who else "no path"
    with pytest.raises(MotionFailure, match=why) as raised:
        list(stretch.ask(np.random.default_rng(1), wish))
    assert (raised.value.name, raised.value.person) == ("blocked", who)


def test_it_drives_past_people_where_they_do_not_stop_it_if_there_is_a_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It had planned a way 5 cm beside somebody, whose place cameras tell to 20 cm, and stopped."""
    where = with_somebody(tmp_path, (-0.6, -1.75), {})
    stretch = where.motion("R2").base
    assert isinstance(stretch, StretchBase)
    body = Floor(part.entity for part in where.people["user"].links.values())
    q = where.robots["R2"].qpos
    nearest = []
    for margin in (0.0, 0.3, 1.0):  # there is no way that keeps a metre
        monkeypatch.setattr(where.guards["R2"], "margins", lambda by=margin: {"user": by})
        legs = stretch._legs_to_one([np.array([-1.5, -1.0, np.pi])], q)
        assert legs
        ways = np.concatenate([np.linspace(*leg, 20) for leg in legs])
        spots = [scene_spot(stretch.ik, it)[:2] for it in ways]
        nearest.append(min(body.space_at(it) for it in spots) - BODY)
    assert nearest == pytest.approx([0.0, 0.3, 0.0], abs=0.06)


@pytest.mark.parametrize("place", ["floor", "nowhere"])
def test_a_place_without_a_body_is_a_failure_with_its_name(place: str) -> None:
    doing = Doing(kitchen("R2"), "R2")
    with pytest.raises(MotionFailure, match=f"not reached: {place} has no body"):
        doing(GoTo, place=place)


@pytest.mark.thorough
def test_it_drives_around_the_table_and_touches_nothing() -> None:
    where = kitchen("R2", cup=thing("cup", -0.1, 0.32))
    doing = Doing(where, "R2")
    touched: set[str] = set()
    physics = where.physics

    def watched() -> None:
        physics()
        touched.update(piece[0] for piece in where.contacts.of("R2"))

    where.physics = watched  # type: ignore[method-assign]
    doing(Pick, item="cup")
    assert base(where.robots["R2"])[1] > 0.2  # it set out at -1
    assert touched <= {"cup"}


def test_who_stands_on_no_wheels_goes_nowhere() -> None:
    doing = Doing(kitchen("R1"), "R1")
    with pytest.raises(MotionFailure, match="its base is fixed"):
        doing(GoTo, place="shelf")


@pytest.mark.thorough
def test_what_cannot_be_folded_where_it_stands_is_folded_while_the_base_moves() -> None:
    """A carton under the hand, bottles before the robot: the arm could not be retracted."""
    where = kitchen(
        "R2",
        carton=thing("packet", -0.52, -0.18, size=[0.07, 0.09, 0.09]),
        bottle=thing("bottle", -0.52, -0.38),
        other=thing("bottle", -0.36, -0.38),
        another=thing("bottle", -0.68, -0.34),
    )
    arm, robot = where.arm("R2"), where.robots["R2"]
    assert isinstance(arm, StretchMover)
    hand = np.array([[0.0, 1, 0, -0.52], [1, 0, 0, -0.18], [0, 0, -1, 0.94], [0, 0, 0, 1]])
    start = next(
        q
        for q in arm.ik.solve(hand, robot.qpos, extensions=[0.5], wrists=[3.0])
        if abs(arm.ik.bend(q)[4] + 0.15) < 0.1
    )
    robot.articulation.qpos = start
    carton = where.bodies["carton"].links["body"].entity
    carton.pose = to_sapien(Pose((-0.52, -0.18, 0.87)))
    arm.motion.space.update()
    arm.attach(carton)
    path = arm.fold_path(start, np.random.default_rng(1))
    assert path is not None
    moved = np.abs(path[-1] - start)[arm.ik.base]
    assert 0.05 < np.max(moved) < 0.6
    assert arm.ik.extension(path[-1]) == 0.0
    assert arm.motion.space.all_free(resample(path, 0.03))


def test_a_cancelled_skill_brings_base_and_arm_to_rest_within_a_tenth_of_a_second() -> None:
    where = kitchen("R2", jar=thing("jar", 1.8, 0.2, 0.9))
    steps = GoTo().do(PhysicalAct(WorkOrder("s1", "do", "R2", {"place": "shelf"}, 1.0), where))
    for _ in range(240):
        next(steps)
        where.physics()
    robot = where.robots["R2"]
    assert np.max(np.abs(robot.articulation.qvel)) > 0.1
    steps.close()
    for _ in range(6):
        where.physics()
    assert np.max(np.abs(robot.articulation.qvel)) < 0.02


@pytest.mark.thorough
def test_where_wide_fingers_find_no_way_they_open_only_as_far_as_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neighbours that stand close are in the way of wide fingers, wherever they come from."""
    clear = StretchBase._clear
    monkeypatch.setattr(
        StretchBase, "_clear", lambda self, *it: clear(self, *it) if self.mover.opens_to else ()
    )
    doing = Doing(kitchen("R2", jar=thing("jar", 1.8, 0.2, 0.9)), "R2")
    doing(GoTo, place="shelf")
    doing(Pick, item="jar")
    assert at(doing.kitchen, AT, "jar") == "R2"
    assert doing.kitchen.arm("R2").opens_to is None
