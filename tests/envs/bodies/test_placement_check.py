from __future__ import annotations

import copy
from dataclasses import replace
from typing import Any

import pytest

from tests.envs.bodies.places import EVERY_SCENE, agents, in_scene, objects
from treec_sapien.bodies import problems
from treec_sapien.bodies.kinds import find, kinds, parameters
from treec_sapien.bodies.reach import obstruction
from treec_sapien.bodies.scene import pose_of, read
from treec_sapien.check.robots import shipped
from treec_sapien.robots.reach import reach_of


def found(name: str, there: dict[str, dict[str, Any]]) -> list[tuple[str, str]]:
    return [(it.rule, it.name) for it in problems(there, "treec_sapien.bodies", agents(name))]


def changed(name: str, thing: str, **keys: object) -> list[tuple[str, str]]:
    there = copy.deepcopy(objects(name))
    there[thing].update(keys)
    return found(name, there)


@pytest.mark.parametrize("name", EVERY_SCENE)
def test_the_kitchens_have_no_problem(name: str) -> None:
    assert found(name, objects(name)) == []


@pytest.mark.parametrize(
    ("name", "thing", "pose", "wrong"),
    [
        in_scene("kitchen_1", "apple", [-0.25, 0.3, 0.77], "standing"),
        in_scene("kitchen_1", "apple", [-0.25, 0.3, 0.745], "standing"),
        in_scene("kitchen_1", "apple", [-0.85, 0.3, 0.75], "standing"),  # beside the table
        in_scene("kitchen_1", "apple", [0.1, 0.25, 0.755], "overlap"),  # in the plate's rim
        in_scene("kitchen_1", "toaster", [0.45, 0.5, 0.9], "standing"),
        in_scene("kitchen_2", "bowl", [1.02, 0.39, 0.8], "overlap"),  # in the tin beside it
        in_scene("kitchen_2", "tin", [1.0, 0.45, 0.3], "overlap"),  # in the freezer, which is solid
        in_scene("kitchen_3", "knife_rack", [0.005, 0.605, 1.268], "overlap"),  # in a wall
        in_scene("kitchen", "salt", [2.34, 0.15, 1.5], "reach"),  # on the pantry, above all hands
    ],
)
def test_what_cannot_be_is_found(name: str, thing: str, pose: list[float], wrong: str) -> None:
    assert (wrong, thing) in changed(name, thing, pose=pose)


@pytest.mark.needs_system("dag_plan")
def test_what_stands_in_a_vessel_is_not_in_its_wall() -> None:
    assert changed("kitchen_1", "apple", pose=[0.0, 0.25, 0.756]) == []


@pytest.mark.needs_system("mosaic")
def test_a_mobile_robot_reaches_no_farther_than_its_base_can_stand() -> None:
    """Two metres of things around it: nowhere to stand."""
    there = copy.deepcopy(objects("kitchen"))
    walls = {
        f"wall {n}": {
            "pose": [-1.8 + x, 1.1 + y, 0.0],
            "body": {"kind": "table", "legs": False, "top": 1.2, "size": [w, d, 1.2]},
        }
        for n, (x, y, w, d) in enumerate(
            [(0, -1.0, 1.8, 1.2), (0, 1.0, 1.8, 1.2), (-1.2, 0, 1.0, 0.7), (1.2, 0, 1.0, 0.7)]
        )
    }
    there["salt"]["pose"] = [-1.8, 1.1, 0.72]
    assert found("kitchen", there) == []
    assert ("reach", "salt") in found("kitchen", {**there, **walls})


@pytest.mark.needs_system("mosaic")
def test_the_arm_on_the_main_table_reaches_all_that_stands_there_wherever_jitter_moves_it() -> None:
    there = objects("kitchen")
    layout, foot = read(there), pose_of(agents("kitchen")["R1"])
    table = [name for name, thing in there.items() if thing.get("at") == "table"]
    panda = reach_of(shipped("panda"))
    assert panda is not None
    assert {"potatoes", "vegetables", "water", "ladle"} <= set(table)
    for name in table:
        placed = layout.bodies[name]
        points = [placed.pose.apply(grasp.p) for grasp in placed.body.grasps]
        reasons = [obstruction(replace(panda, far=panda.far - 0.02), foot, it, ()) for it in points]
        assert None in reasons, (name, reasons)


def test_nobody_is_out_of_reach_of_a_robot_that_nothing_is_known_of() -> None:
    there = {"cup": {"pose": [9.0, 0.0, 0.0], "body": {"kind": "cup"}}}
    stranger = {"R9": {"robot": "someone_elses", "pose": [0.0, 0.0, 0.0]}}
    arm = {"R1": {"robot": "panda", "pose": [0.0, 0.0, 0.0]}}
    assert list(problems(there, "treec_sapien.bodies", stranger)) == []
    assert [it.rule for it in problems(there, "treec_sapien.bodies", arm)] == ["reach"]


@pytest.mark.needs_system("dag_plan")
def test_a_part_is_where_its_room_or_its_handle_is() -> None:
    layout = read(objects("kitchen_3"))
    x, y, z = layout.where("cabinet_left_part")
    assert (x, y) == (pytest.approx(-0.3, abs=0.02), pytest.approx(0.6, abs=0.02))
    assert 1.25 < z < 1.67
    assert layout.where("cabinet_left_door")[1] < 0.44
    assert layout.where("pot") == (0.3, 0.6, 1.268)


NONSENSE: list[Any] = [None, [], "x", -1, 0, 1e9, float("nan"), {}, [1, 2, 3], ["a"], True, [[1]]]


@pytest.mark.few(10, thorough=1000)
@pytest.mark.parametrize("kind", kinds(("treec_sapien.bodies",)))
def test_nonsense_is_a_problem_or_a_body_and_never_an_error(kind: str) -> None:
    """Each parameter of each kind, with values of every wrong sort."""
    told = 0
    for key in (*parameters(find(kind, ("treec_sapien.bodies",))), "colour", "kind", "of", "part"):
        for value in NONSENSE:
            body = {"kind": kind, key: value}
            there = {"it": {"pose": [0.0, 0.0, 0.0], "body": body}}
            arm = {"R1": {"robot": "panda", "pose": [0.4, 0.0, 0.0]}}
            told += len(list(problems(there, "treec_sapien.bodies", arm)))
    assert told > len(NONSENSE)
