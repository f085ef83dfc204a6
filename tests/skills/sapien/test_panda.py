from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.skills.sapien.kitchens import Doing, kitchen, thing
from treec import Sensor, WorkOrder
from treec_sapien.bodies.pose import Pose, turn
from treec_sapien.build import to_sapien
from treec_sapien.manipulation import in_tool
from treec_sapien.motion import grasp
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import about, inverse, matrix, translate
from treec_sapien.motion.reach import (
    ReachRow,
    ReachSolution,
    candidates,
    collision_free_reaches,
)
from treec_sapien.sense.hands import in_hand
from treec_sapien.sense.location import at, box, stacked
from treec_sapien.sense.posture import lean
from treec_sapien.skills.get_obj_from_user.sapien import GetObjFromUser
from treec_sapien.skills.hand_over.sapien import HandOver
from treec_sapien.skills.move_gripper_to.sapien import MoveGripperTo
from treec_sapien.skills.pick.sapien import Pick
from treec_sapien.skills.place.sapien import Place
from treec_sapien.skills.pour import sapien as pour
from treec_sapien.skills.pour.sapien import Pour, level_axes
from treec_sapien.skills.put_down.sapien import PutDown
from treec_sapien.skills.spread.sapien import Spread
from treec_sapien.skills.stack.sapien import Stack
from treec_sapien.skills.stir.sapien import Stir
from treec_sapien.worker import PhysicalAct

AT = Sensor("at", "", (), ("table", "shelf", "R1", "user", "bowl"))


@pytest.mark.thorough
def test_a_thing_is_picked_up_by_friction_and_placed_upright_on_the_place() -> None:
    doing = Doing(kitchen("R1", bottle=thing("bottle", -0.05, -0.1)), "R1")
    doing(Pick, item="bottle")
    assert in_hand(doing.kitchen, doing.kitchen.hands["R1"]) == "bottle"
    assert at(doing.kitchen, AT, "bottle") == "R1"
    doing(Place, item="bottle", place="table")
    assert at(doing.kitchen, AT, "bottle") == "table"
    assert lean(doing.kitchen, "bottle") < 5


@pytest.mark.thorough
def test_what_it_took_from_the_table_goes_back_to_where_that_stood_if_that_is_free() -> None:
    where = kitchen("R1", bottle=thing("bottle", -0.02, -0.21), jar=thing("jar", 1.8, 0.2, 0.9))
    doing = Doing(where, "R1")
    for taken in (False, True):
        doing(Pick, item="bottle")
        if taken:
            jar = where.bodies["jar"].links["body"]
            jar.entity.pose = to_sapien(Pose((-0.02, -0.2, 0.75)))
        doing(Place, item="bottle", place="table")
        off = np.hypot(*(np.array(where.bodies["bottle"].pose().p)[:2] - (-0.02, -0.21)))
        assert off > 0.07 if taken else off < 0.01
        assert lean(where, "bottle") < 5


@pytest.mark.thorough
def test_what_is_held_is_put_down_on_the_nearest_place() -> None:
    doing = Doing(kitchen("R1", apple=thing("round_food", 0.0, 0.1)), "R1")
    doing(PutDown)  # an empty gripper is free already
    doing(Pick, item="apple")
    doing(PutDown)
    assert at(doing.kitchen, AT, "apple") == "table"


def test_what_is_not_held_is_not_placed() -> None:
    doing = Doing(kitchen("R1", apple=thing("round_food", 0.0, 0.1)), "R1")
    with pytest.raises(MotionFailure, match="dropped"):
        doing(Place, item="apple", place="table")


def test_what_is_out_of_reach_is_not_picked() -> None:
    doing = Doing(kitchen("R1", apple=thing("round_food", 0.65, 0.3)), "R1")
    with pytest.raises(MotionFailure, match="not reached"):
        doing(Pick, item="apple")


@pytest.mark.thorough
def test_pouring_tilts_the_thing_with_its_mouth_above_the_container_and_rights_it() -> None:
    where = kitchen("R1", bottle=thing("bottle", -0.1, -0.2), bowl=thing("bowl", -0.05, 0.15))
    doing = Doing(where, "R1")
    doing(Pick, item="bottle")
    low, high = box(where, "bowl")
    most = 0.0
    physics = where.physics

    def watched() -> None:
        nonlocal most
        physics()
        mouth = np.array(where.bodies["bottle"].pose().apply((0.0, 0.0, 0.18)))
        above = np.all(mouth[:2] > low[:2]) and np.all(mouth[:2] < high[:2])
        if above and mouth[2] > high[2] and where.pouring == {"bottle"}:
            most = max(most, lean(where, "bottle"))

    where.physics = watched  # type: ignore[method-assign]
    doing(Pour, item="bottle", container="bowl")
    assert most > 80
    assert at(where, AT, "bottle") == "R1"
    assert not where.pouring


@pytest.mark.thorough
@pytest.mark.parametrize("container", ["pot", "pan", "bowl"])
def test_what_is_taller_than_the_container_is_poured_from(container: str) -> None:
    tall = thing("bottle", -0.1, -0.2, height=0.24)
    where = kitchen("R1", bottle=tall, it=thing(container, -0.2, 0.22))
    doing = Doing(where, "R1")
    doing(Pick, item="bottle")
    doing(Pour, item="bottle", container="it")
    assert at(where, AT, "bottle") == "R1"
    assert lean(where, "it") < 5


def test_what_is_held_slanted_is_tilted_about_the_axis_that_is_nearest_to_level() -> None:
    """Spring onions that had slipped in the fingers ended in "need at least one array to stack"."""
    slanted = about(np.array([1.0, 0.0, 0.0]), 0.8) @ about(np.array([0.0, 1.0, 0.0]), 0.6)
    assert np.min(np.abs(slanted[2])) > 0.3
    (axis,) = level_axes(slanted)
    assert axis[2] == 0
    assert np.linalg.norm(axis) == pytest.approx(1)
    assert len(level_axes(np.eye(3))) == 2


@pytest.mark.parametrize("seconds", [0.3, 0.7])
@pytest.mark.thorough
def test_a_thing_that_is_moved_by_5_cm_meanwhile_is_picked_up(seconds: float) -> None:
    where = kitchen("R1", bottle=thing("bottle", -0.05, -0.1))
    physics, moved = where.physics, []

    def moves() -> None:
        physics()
        if where.now > seconds and not moved:
            move = where.bodies["bottle"].links["body"].entity
            move.pose = type(move.pose)(p=[move.pose.p[0] + 0.05, *move.pose.p[1:]], q=move.pose.q)
            moved.append(where.now)

    where.physics = moves  # type: ignore[method-assign]
    Doing(where, "R1")(Pick, item="bottle")
    assert moved
    assert at(where, AT, "bottle") == "R1"


@pytest.mark.thorough
def test_a_thing_that_was_pushed_up_is_taken_only_once_it_stands_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A tin that had been hit was to be grasped in the air: "not reached"."""
    where, heights = kitchen("R1", bottle=thing("bottle", -0.05, -0.1)), list[float]()
    reaches, reach_one, body = grasp.reaches, grasp.reach_one, where.bodies["bottle"]

    def planned(*given: Any, **more: Any) -> list[ReachRow]:
        heights.append(body.pose().p[2])
        return reaches(*given, **more)

    def pushed(*given: Any, **more: Any) -> Generator[None, None, ReachSolution]:
        found = yield from reach_one(*given, **more)
        if len(heights) == 1:
            body.links["body"].entity.pose = to_sapien(Pose((-0.05, -0.1, 0.81)))
        return found

    monkeypatch.setattr(grasp, "reaches", planned)
    monkeypatch.setattr(grasp, "reach_one", pushed)
    Doing(where, "R1")(Pick, item="bottle")
    assert len(heights) == 2
    assert max(heights) < 0.755
    assert at(where, AT, "bottle") == "R1"


@pytest.mark.thorough
def test_stirring_leads_the_tools_end_round_inside_the_container() -> None:
    where = kitchen("R1", ladle=thing("ladle", -0.25, -0.22), bowl=thing("bowl", -0.1, 0.1))
    doing = Doing(where, "R1")
    doing(Pick, item="ladle")
    inside: list[np.ndarray] = []
    physics = where.physics

    def watched() -> None:
        physics()
        end = np.array(where.bodies["ladle"].pose().apply((0.0, 0.14, 0.015)))
        low, high = box(where, "bowl")
        if np.all(end > low) and np.all(end[:2] < high[:2]) and end[2] < high[2] - 0.02:
            inside.append(end)

    where.physics = watched  # type: ignore[method-assign]
    doing(Stir, container="bowl", tool="ladle")
    ring = np.array(inside) - np.mean(inside, axis=0)
    angles = np.unwrap(np.arctan2(ring[:, 1], ring[:, 0]))
    assert np.ptp(angles) > 0.9 * 2 * np.pi  # round, and to and fro three times
    assert np.sum(np.abs(np.diff(angles))) > 2.5 * np.ptp(angles)
    assert at(where, AT, "bowl") == "table"
    assert at(where, AT, "ladle") == "R1"


@pytest.mark.thorough
def test_a_packet_is_stacked_on_another() -> None:
    wide = {"size": [0.07, 0.07, 0.06]}
    where = kitchen(
        "R1", one=thing("packet", -0.1, 0.12, **wide), two=thing("packet", 0, -0.1, **wide)
    )
    doing = Doing(where, "R1")
    doing(Pick, item="one")
    doing(Stack, item="one", base="two")
    assert stacked(where, Sensor("stacked", "", (), ("one", "two")), "one") == "two"


@pytest.mark.thorough
def test_what_is_stacked_on_a_thing_that_carries_something_lies_on_top_of_that() -> None:
    """Lettuce was to go between the bread and the ham on it: "blocked: no room"."""
    wide = {"size": [0.07, 0.1, 0.05]}
    where = kitchen(
        "R1",
        bread=thing("packet", 0, -0.1, size=[0.07, 0.1, 0.12]),
        ham=thing("packet", 0, -0.1, 0.87, **wide),
        lettuce=thing("round_food", -0.1, 0.12),
    )
    doing = Doing(where, "R1")
    doing(Pick, item="lettuce")
    doing(Stack, item="lettuce", base="bread")
    assert stacked(where, Sensor("stacked", "", (), ("ham", "bread")), "lettuce") == "ham"
    assert lean(where, "ham") < 5


@pytest.mark.parametrize("kind", ["packet", "bowl"])
def test_what_lies_on_or_in_a_thing_comes_along_when_that_is_taken(kind: str) -> None:
    """Of tortillas with cheese on them no grasp was possible: the cheese was in their way up."""
    high = {"packet": 0.14, "bowl": 0.02}[kind]
    where = kitchen(
        "R1",
        it=thing(kind, -0.1, 0.1),
        plum=thing("round_food", -0.1, 0.1, 0.752 + high, diameter=0.04),
        other=thing("jar", -0.1, -0.15),
    )
    arm, built = where.arm("R1"), where.bodies["it"]
    space = arm.motion.space
    assert space.load(built.entity) == [where.bodies["plum"].entity]
    assert grasp.reaches(arm, built, built.body.grasps)
    assert space.load(where.bodies["plum"].entity) == []
    lifted = translate(matrix(built.pose()), world=np.array([0.0, 0.0, 0.03]))
    assert not space.fits(built.entity, lifted)  # the plum is in the way of everything else


def test_a_belief_that_is_off_by_millimetres_leaves_a_thing_its_room() -> None:
    """Believed 3 mm into its neighbour no grasp of it was possible."""
    size = [0.05, 0.05, 0.12]
    where = kitchen(
        "R1",
        it=thing("packet", -0.1, 0.1, size=size),
        other=thing("packet", -0.1, 0.152, size=size),
    )
    arm, built, off = where.arm("R1"), where.bodies["it"], np.array([0.0, 0.003, 0.0])
    sure = grasp.reaches(arm, built, built.body.grasps)
    believed = grasp.reaches(arm, built, built.body.grasps, offset=off)
    there = translate(matrix(built.pose()), world=off)
    assert grasp.reaches(arm, built, built.body.grasps, there) == []
    assert [it.name for it in believed] == [it.name for it in sure]
    for one, other in zip(sure, believed, strict=True):
        assert np.allclose(other.way[0][:3, 3] - one.way[0][:3, 3], off)
    # believed in its neighbour it has none there, whatever room it has where it is
    assert grasp.reaches(arm, built, built.body.grasps, offset=10 * off) == []


def test_what_lies_on_a_thing_is_lifted_out_of_the_hands_way() -> None:
    """It was thought to stay in the air, where the hand goes when it lifts the thing."""
    where = kitchen(
        "R1",
        it={**thing("packet", -0.28, 0.0, size=[0.07, 0.05, 0.16]), "yaw": 86},
        load={**thing("packet", -0.28, 0.0, 0.911, size=[0.07, 0.09, 0.06]), "yaw": 86},
    )
    arm, built = where.arm("R1"), where.bodies["it"]
    ways = grasp.reaches(arm, built, built.body.grasps)
    q = arm.robot.qpos
    found = candidates(arm.problem(q), ways, np.random.default_rng(1))
    stays = [replace(one, reach=replace(one.reach, show=None)) for one in found]
    space, whole = arm.motion.space, partial(arm.whole, q)
    with arm.may_touch(built.entity):
        free = [len(list(collision_free_reaches(space, some, whole))) for some in (found, stays)]
    assert free[0] > 1.5 * free[1]


@pytest.mark.thorough
def test_spreading_moves_what_is_held_to_and_fro_closely_over_the_base() -> None:
    where = kitchen(
        "R1",
        jar=thing("jar", -0.1, -0.2),
        bread=thing("packet", -0.1, 0.12, size=[0.12, 0.1, 0.03]),
    )
    doing = Doing(where, "R1")
    doing(Pick, item="jar")
    doing(MoveGripperTo, item="bread")
    low, high = box(where, "bread")
    middle = (low + high) / 2
    assert np.hypot(*(np.array(where.bodies["jar"].pose().p) - middle)[:2]) < 0.03
    moved: list[float] = []
    physics = where.physics

    def watched() -> None:
        physics()
        p = np.array(where.bodies["jar"].pose().p)
        if p[2] < high[2] + 0.05:
            moved.append(p[0] - middle[0])

    where.physics = watched  # type: ignore[method-assign]
    doing(Spread, item="jar", base="bread")
    assert min(moved) < -0.02
    assert max(moved) > 0.02
    assert at(where, AT, "jar") == "R1"


@pytest.mark.thorough
def test_a_thing_is_handed_over_onto_the_persons_palm_and_taken_from_it() -> None:
    doing = Doing(kitchen("R1", jar=thing("jar", -0.1, 0.1)), "R1")
    doing(Pick, item="jar")
    doing(HandOver, item="jar", person="user")
    assert at(doing.kitchen, AT, "jar") == "user"
    doing(GetObjFromUser, item="jar", person="user")
    assert at(doing.kitchen, AT, "jar") == "R1"


@pytest.mark.slow
def test_what_cannot_be_tilted_as_it_is_held_is_taken_from_another_side(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    where = kitchen("R1", bottle=thing("bottle", -0.1, -0.2), bowl=thing("bowl", -0.05, 0.15))
    doing, held, tilts = Doing(where, "R1"), [], pour.tilts
    high = np.zeros((4, 4))
    high[2, 3] = 5.0

    def first_from_nowhere(act: PhysicalAct, item: str, *rest: Any) -> list[ReachRow]:
        held.append(inverse(in_tool(act, where.bodies[item]))[:3, 2])
        ways = tilts(act, item, *rest)
        if float(held[-1] @ held[0]) < 0.8:
            return ways
        return [replace(one, way=one.way + high) for one in ways]

    monkeypatch.setattr(pour, "tilts", first_from_nowhere)
    doing(Pick, item="bottle")
    doing(Pour, item="bottle", container="bowl")
    assert float(held[-1] @ held[0]) < 0.8
    assert at(where, AT, "bottle") == "R1"
    assert not where.pouring


@pytest.mark.thorough
def test_what_can_be_taken_from_no_other_side_is_taken_again_as_it_was(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It was told as dropped: the skill ended with an empty hand."""
    where = kitchen("R1", bottle=thing("bottle", -0.1, -0.2), bowl=thing("bowl", -0.05, 0.15))
    doing, take, asked = Doing(where, "R1"), pour.take, []

    def only_as_it_was(*given: Any, **wanted: Any) -> Any:
        asked.append("grasps" in wanted)
        if "grasps" in wanted:
            raise MotionFailure("not reached", "no grasp of bottle is possible")
        return take(*given, **wanted)

    monkeypatch.setattr(pour, "WAYS", ())
    monkeypatch.setattr(pour, "take", only_as_it_was)
    doing(Pick, item="bottle")
    with pytest.raises(MotionFailure, match="not reached: bottle cannot be tilted over the bowl"):
        doing(Pour, item="bottle", container="bowl")
    assert asked == [True, False]
    assert at(where, AT, "bottle") == "R1"
    assert where.arm("R1").upright is not None
    assert not where.pouring


@pytest.mark.thorough
def test_what_is_held_from_above_is_tilted_over_what_the_hand_cannot_be_upright_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Beef was to be upright over the pan, or beyond it, before it was tilted: too far."""
    where = kitchen(
        "R1", beef=thing("packet", 0.0, -0.3, size=[0.07, 0.12, 0.05]), pan=thing("pan", 0.16, 0.31)
    )
    held = np.diag([1.0, -1.0, -1.0, 1.0])
    held[2, 3] = 0.03
    monkeypatch.setattr(pour, "in_tool", lambda act, built: held)
    act = PhysicalAct(WorkOrder("s1", "do", "R1", {}, 1.0), where)
    ways = pour.tilts(act, "beef", "pan", *pour.WAYS[2])
    q = where.arm("R1").robot.qpos
    found = candidates(where.arm("R1").problem(q), ways, np.random.default_rng(1))
    whole = partial(where.arm("R1").whole, q)
    assert next(collision_free_reaches(where.arm("R1").motion.space, found, whole), None)


@pytest.mark.thorough
def test_what_falls_over_as_it_is_released_is_stood_up_again() -> None:
    where = kitchen("R1", carton=thing("packet", -0.05, -0.1))
    doing, physics, fell = Doing(where, "R1"), where.physics, []
    doing(Pick, item="carton")

    def tips() -> None:
        physics()
        body = where.bodies["carton"].links["body"]
        released = in_hand(where, where.hands["R1"]) is None and body.entity.pose.p[2] < 0.76
        if released and not fell and where.arm("R1").tcp[2, 3] > 0.9:
            x, y, _ = body.entity.pose.p
            body.entity.pose = to_sapien(Pose((x, y, 0.79), turn((1.0, 0.0, 0.0), 90.0)))
            fell.append(where.now)

    where.physics = tips  # type: ignore[method-assign]
    doing(Place, item="carton", place="table")
    assert fell
    assert at(where, AT, "carton") == "table"
    assert lean(where, "carton") < 5


@pytest.mark.thorough
def test_what_is_held_stays_in_the_middle_between_the_fingers() -> None:
    """Pushed to a side it came to where one finger cannot open any more, and was dragged along."""
    where = kitchen("R1", bottle=thing("bottle", -0.05, -0.1))
    Doing(where, "R1")(Pick, item="bottle")
    arm, built = where.arm("R1"), where.bodies["bottle"]
    body = built.links["body"]
    for _ in range(60):
        push = 3.0 * arm.tcp[:3, 1]
        body.add_force_at_point(push, (body.entity.pose * body.cmass_local_pose).p)
        where.physics()
    aside = inverse(arm.tcp) @ np.array([*built.pose().p, 1.0])
    assert abs(aside[1]) < 0.003
    assert arm.grips(built.entity)
