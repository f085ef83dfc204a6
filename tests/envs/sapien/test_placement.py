"""Free spots: where on a place a thing can be put down, and from where a hand comes there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.envs.sapien.scenes import AGENTS, kitchen
from treec_sapien import placement as spots_module
from treec_sapien.bodies.pose import Pose
from treec_sapien.build import to_sapien
from treec_sapien.environment import SapienKitchen
from treec_sapien.feasibility import out_of_reach
from treec_sapien.placement import (
    CLEAR,
    HOVER,
    beyond,
    footprint,
    free_spots,
    handy_spot,
    has_walls,
    height,
    out_of,
    raise_spots,
)
from treec_sapien.sense.location import base, box
from treec_sapien.shared_reach import takable

THINGS: dict[str, dict[str, Any]] = {
    "table": {"type": "Place", "body": {"kind": "table", "size": [1.6, 0.9, 0.75]}},
    "shelf": {
        "type": "Place",
        "pose": [0.4, 0.25, 0.75],
        "body": {"kind": "shelf", "size": [0.5, 0.26, 0.42], "names": ["lower", "upper"]},
    },
    "cabinet": {"type": "Place", "pose": [0.4, 0.25, 1.3], "body": {"kind": "cabinet"}},
    "lower": {"type": "Place", "body": {"of": "shelf", "part": "lower"}},
    "upper": {"type": "Place", "body": {"of": "shelf", "part": "upper"}},
    "cup": {"type": "Item", "pose": [-0.2, -0.1, 0.75], "body": {"kind": "cup"}},
    "tin": {"type": "Item", "pose": [0.4, 0.2, 0.84], "body": {"kind": "tin"}},
}


@pytest.fixture(scope="module")
def where() -> SapienKitchen:
    return kitchen(THINGS, AGENTS)


@pytest.mark.thorough
def test_spots_are_free_on_the_surface_and_one_turn_of_each_comes_first(
    where: SapienKitchen,
) -> None:
    spots = free_spots(where, "cup", "table", "R1")
    first = [tuple(spot.pose[:3, 3].round(3)) for spot in spots[:8]]
    assert len(set(first)) == 8
    low, high = box(where, "tin")
    radius = footprint(where.bodies["cup"].body)
    for spot in spots:
        assert spot.pose[2, 3] == pytest.approx(0.75 + HOVER)
        beyond = np.maximum(np.maximum(low - spot.pose[:3, 3], spot.pose[:3, 3] - high), 0)[:2]
        assert np.hypot(*beyond) > radius + CLEAR - 1e-6 or low[2] > spot.pose[2, 3] + 0.25


@pytest.mark.thorough
def test_the_best_spots_on_a_table_are_before_the_arm_that_stands_on_it(
    where: SapienKitchen,
) -> None:
    foot = np.array([-0.65, 0.0])
    for spot in free_spots(where, "tin", "table", "R1")[:8]:
        assert 0.3 < np.linalg.norm(spot.pose[:2, 3] - foot) < 0.7


def test_what_is_brought_for_a_mounted_arm_comes_first_before_it_and_then_to_its_sides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So that whoever brings it from outside never has to reach over what was put down before."""
    table = {"type": "Place", "body": {"kind": "table", "size": [1.7, 1.1, 0.75]}}
    salt = {"type": "Item", "pose": [2.0, 0.0, 0.0], "body": {"kind": "jar", "diameter": 0.05}}
    agents = {
        "R1": {"agent": "R1", "body": {"robot": "panda", "pose": [-0.62, 0.0, 0.75]}},
        "R2": {"agent": "R2", "body": {"robot": "stretch", "pose": [0.0, -1.2, 0.0]}},
    }
    there = kitchen({"table": table, "salt": salt}, agents)
    first = handy_spot(there, "salt", "table", "R2")
    assert first is not None
    assert abs(first[1]) < 0.05
    bowl = {"type": "Item", "pose": [-0.15, 0.0, 0.75], "body": {"kind": "bowl"}}
    there = kitchen({"table": table, "salt": salt, "bowl": bowl}, agents)
    second = handy_spot(there, "salt", "table", "R2")
    assert second is not None
    assert 0.1 < abs(second[1]) < 0.35
    assert handy_spot(there, "salt", "table", "R1") is None
    there.stood["bowl"] = "R1", Pose((float(second[0]), float(second[1]), 0.75))
    monkeypatch.setattr(spots_module, "holders", lambda where, item: ["R1"])
    third = handy_spot(there, "salt", "table", "R2")
    assert third is not None
    assert np.linalg.norm((third - second)[:2]) > 0.1  # the bowl will be put back there


def crowded() -> SapienKitchen:
    """A table that is full but for gaps in which a plate has room if it is turned well."""
    table = {"type": "Place", "body": {"kind": "table", "size": [1.7, 0.9, 0.75]}}
    plate = {"type": "Item", "pose": [2.0, 0.0, 0.0], "body": {"kind": "plate", "lug": True}}
    tin = {"type": "Item", "body": {"kind": "tin", "diameter": 0.05}}
    gaps = [(x, y) for x in (-0.45, -0.17, 0.11, 0.39, 0.67) for y in (-0.4, -0.12, 0.16, 0.4)]
    crowd = {f"tin {x} {y}": {**tin, "pose": [x, y, 0.75]} for x, y in gaps}
    agents = {
        "R1": {"agent": "R1", "body": {"robot": "panda", "pose": [-0.62, 0.0, 0.75]}},
        "R2": {"agent": "R2", "body": {"robot": "stretch", "pose": [0.0, -1.2, 0.0]}},
    }
    return kitchen({"table": table, "plate": plate, **crowd}, agents)


def test_where_a_thing_has_room_only_if_it_is_turned_well_is_better_than_out_of_reach() -> None:
    """A plate with a lug was put where the arm on the table never reached it."""
    spot = handy_spot(crowded(), "plate", "table", "R2")
    assert spot is not None
    assert np.hypot(spot[0] + 0.62, spot[1]) < 0.8


def test_on_boards_things_come_in_from_the_front(where: SapienKitchen) -> None:
    assert has_walls(where, "lower")
    assert not has_walls(where, "table")
    spots = free_spots(where, "cup", "lower", "R1")
    assert all(np.allclose(spot.front, [0, -1, 0]) for spot in spots)


@pytest.mark.parametrize(
    ("place", "front"), [("lower", [0, -1, 0]), ("upper", [0, -1, 0]), ("table", None)]
)
def test_the_way_out_is_the_front_of_what_is_above(
    where: SapienKitchen, place: str, front: list[float] | None
) -> None:
    """A tin stands in the middle of the lower board, and what can be carried is no roof."""
    ((region, pose),) = where.regions_of(place)
    found = out_of(where, region, pose)
    assert found is None if front is None else np.allclose(found, front)


@pytest.mark.thorough
def test_raised_spots_are_so_much_higher_and_worse(where: SapienKitchen) -> None:
    (spot, *_) = free_spots(where, "cup", "table", "R1")
    (higher,) = raise_spots([spot], 0.02)
    assert higher.pose[2, 3] == pytest.approx(spot.pose[2, 3] + 0.02)
    assert (higher.drop, higher.cost) == (0.02, spot.cost + 0.02)


def test_how_large_a_body_is(where: SapienKitchen) -> None:
    tin = where.bodies["tin"].body
    assert height(tin) == pytest.approx(0.1)
    assert footprint(tin) == pytest.approx(0.025)


@pytest.mark.thorough
def test_a_mounted_arm_takes_a_thing_from_where_it_reaches_and_has_room(
    where: SapienKitchen,
) -> None:
    name = where.hands["R1"].robot.name
    foot = np.array(base(where.robots[name]))
    rated = [
        (0.0, np.array([*spot, 0.75 + HOVER]), None)
        for spot in ((0.0, 0.1), np.add(foot, (0.5, -0.2)), np.add(foot, (1.1, 0.0)), (0.4, 0.25))
    ]
    found = list(takable(where, "cup", [name], rated))
    assert [one is found[0] for one in rated[:2]].count(True) == 1
    assert not any(one is rated[2] for one in found)  # too far
    assert not any(one is rated[3] for one in found)  # under the shelf


def test_a_spot_a_little_too_far_from_an_arm_is_better_than_one_at_its_foot() -> None:
    foot = np.zeros(3)
    near, well, far = (beyond(foot, np.array([x, 0.0, 0.75])) for x in (0.2, 0.5, 0.75))
    assert well == 0.0
    assert far < near / 2


@pytest.mark.slow
def test_what_is_put_down_for_a_mounted_arm_lies_where_its_pick_is_not_refused() -> None:
    """Also on a table where things stand close together in the arm's ring, and none beyond it."""
    crowd = {
        f"tin {i} {j}": {
            "type": "Item",
            "pose": [0.12 * i + 0.02, 0.12 * j + 0.02, 0.75],
            "body": {"kind": "tin"},
        }
        for i in range(-7, 3)
        for j in range(-3, 4)
        if abs(i + 5) > 1 or abs(j) > 1  # where the arm stands
    }
    table = {"type": "Place", "body": {"kind": "table", "size": [1.7, 0.9, 0.75]}}
    salt = {"type": "Item", "pose": [2.0, 0.0, 0.0], "body": {"kind": "jar", "diameter": 0.05}}
    agents = {
        "R1": {"agent": "R1", "body": {"robot": "panda", "pose": [-0.62, 0.0, 0.75]}},
        "R2": {"agent": "R2", "body": {"robot": "stretch", "pose": [1.2, 0.0, 0.0]}},
    }
    where = kitchen({"table": table, "salt": salt, **crowd}, agents)
    spots = free_spots(where, "salt", "table", "R2")
    assert spots
    for spot in spots:
        x, y, z = map(float, spot.pose[:3, 3])
        where.bodies["salt"].links["body"].entity.pose = to_sapien(Pose((x, y, z)))
        assert out_of_reach(where, "R1", "salt") == "", (x, y)


def test_an_arm_puts_things_where_it_reaches_itself() -> None:
    """However much more room there is out of its reach."""
    there = crowded()
    spots = free_spots(there, "plate", "table", "R1")
    assert spots
    assert all(np.hypot(spot.pose[0, 3] + 0.62, spot.pose[1, 3]) < 0.85 for spot in spots)


@pytest.mark.thorough
def test_an_arm_puts_things_where_it_can_take_them_again() -> None:
    """To be within reach is not enough; what it holds meanwhile is not in its way."""
    shelf = {"kind": "shelf", "size": [0.5, 0.26, 0.42], "names": ["lower", "upper"]}
    there = kitchen(
        {
            "table": {"type": "Place", "body": {"kind": "table", "size": [1.6, 0.9, 0.75]}},
            "shelf": {"type": "Place", "pose": [-0.15, 0.0, 0.83], "body": shelf},
            "salt": {"type": "Item", "pose": [2.0, 0.0, 0.0], "body": {"kind": "jar"}},
        },
        {"R1": {"agent": "R1", "body": {"robot": "panda", "pose": [-0.62, 0.0, 0.75]}}},
    )
    arm, salt, name = there.arm("R1"), there.bodies["salt"], there.hands["R1"].robot.name
    x, y, z = map(float, arm.tcp[:3, 3])
    salt.links["body"].entity.pose = to_sapien(Pose((x, y, z)))
    arm.motion.space.update()
    arm.attach(salt.entity)
    spots = [spot.pose[:3, 3] for spot in free_spots(there, "salt", "table", "R1")[:8]]
    assert arm.motion.space.held  # as before
    arm.detach()
    salt.links["body"].entity.pose = to_sapien(Pose((2.0, 0.0, 0.0)))
    assert len(spots) == 8
    for spot in spots:
        assert list(takable(there, "salt", [name], [(0.0, spot, None)])), spot
