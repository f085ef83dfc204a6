"""Where a thing is put in a region, and how it leans when a level hand would come too low."""

from __future__ import annotations

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tests.envs.sapien.scenes import OBJECTS, kitchen
from treec_sapien.bodies.fits import size
from treec_sapien.bodies.spec import Region
from treec_sapien.motion import place
from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, about, at, compose, inverse
from treec_sapien.motion.place import Spot, _from_front, _misplaced, put, spots_in
from treec_sapien.motion.tilted_place import TIPS, tilt_spots
from treec_sapien.sense.location import box

NARROW = Region("slot", "in", (0.0, 0.0, 0.05), (0.05, 0.03, 0.05))
WIDE = Region("part", "in", (0.0, 0.0, 0.2), (0.3, 0.15, 0.2))
TOP = Region("top", "on", (0.0, 0.0, 0.15), (0.3, 0.15, 0.15))
FRONT = np.array([1.0, 0.0, 0.0])


def spots(region: Region, front: Array | None = None) -> list[Spot]:
    near, chance = np.zeros(3), np.random.default_rng(0)
    return spots_in(region, np.eye(4), chance, radius=0.02, near=near, front=front)


def test_things_fall_into_what_is_narrow_and_not_into_what_a_hand_gets_into() -> None:
    assert max(spot.drop for spot in spots(NARROW)) > 0.1
    assert max(spot.drop for spot in spots(WIDE)) <= 0.02
    assert max(spot.drop for spot in spots(TOP)) == 0.0


def test_a_way_in_from_the_front_is_given_below_a_roof_and_into_things() -> None:
    assert all(spot.front is None for spot in spots(TOP))
    assert all(spot.front is FRONT for spot in spots(TOP, FRONT))
    assert all(np.allclose(spot.front, [0, -1, 0]) for spot in spots(WIDE))
    assert all(spot.front is FRONT for spot in spots(WIDE, FRONT))


def test_things_stay_inside_a_region() -> None:
    for region in (NARROW, WIDE, TOP):
        for spot in spots(region):
            assert np.all(np.abs(spot.pose[:2, 3]) <= np.array(region.half_size[:2]) - 0.02 + 1e-9)


def test_in_a_vessel_spots_away_from_its_round_wall_come_first() -> None:
    inside = Region("inside", "in", (0.0, 0.0, 0.05), (0.09, 0.09, 0.05))
    found = [spot for spot in spots(inside) if spot.drop == 0.0]
    off = [float(np.hypot(*spot.pose[:2, 3])) for spot in found]
    assert max(off) > 0.07  # in a corner of the region, where a round wall is
    assert max(off[:16]) < 0.09 - 0.02 - 0.01


def test_between_walls_it_is_known_how_far_they_are() -> None:
    for region in (NARROW, WIDE):
        half = np.array(region.half_size[:2]) - 0.02
        for spot in spots(region):
            assert spot.room == pytest.approx(np.min(half - np.abs(spot.pose[:2, 3])))
    assert all(spot.room is None for spot in spots(TOP))


@pytest.mark.parametrize("slope", [0.0, 0.3])
def test_what_a_level_hand_holds_leans_away_from_it_with_its_low_edge_above_the_place(
    slope: float,
) -> None:
    """A bowl held by its side towards -x, the hand pointing along +x and a little down."""
    where = kitchen()
    built = where.bodies["bowl"]
    forward = np.array([np.cos(slope), 0.0, -np.sin(slope)])
    side = np.array([0.0, 1.0, 0.0])
    hand = np.eye(4)
    hand[:3, :3] = np.stack([np.cross(side, forward), side, forward], axis=1)
    hand[:3, 3] = [-0.1, 0.0, 0.07]
    level = np.eye(4)
    level[:3, 3] = [0.0, 0.0, 1.0]
    found = tilt_spots(built, inverse(hand), [Spot(level)])
    assert len(found) == len(TIPS)
    for spot, angle in zip(found, TIPS, strict=True):
        new = spot.pose @ hand
        assert new[2, 2] == pytest.approx(-np.sin(slope + angle))
        assert np.allclose(spot.pose[:3, 3] + spot.foot, level[:3, 3])
        built.links["body"].entity.pose = _sapien(spot.pose)
        assert box(where, "bowl")[0][2] == pytest.approx(1.0, abs=0.01)


def test_what_would_fall_over_is_not_put_down_leaning_except_between_walls() -> None:
    """A bottle of 5 by 18 cm that leant by 22 degrees as it was released fell over each time."""
    tall = {"type": "Item", "pose": [0.0, 0.0, 0.75], "body": {"kind": "bottle"}}
    built = kitchen({**OBJECTS, "bottle": tall}).bodies["bottle"]
    hand = np.eye(4)
    hand[:3, :3] = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    assert len(tilt_spots(built, inverse(hand), [Spot(np.eye(4), room=0.05)])) == len(TIPS)
    (spot,) = tilt_spots(built, inverse(hand), [Spot(np.eye(4))])
    assert np.degrees(np.arccos(spot.pose[2, 2])) < 12


def test_of_a_round_thing_only_the_middle_counts_when_it_turns_between_the_fingers() -> None:
    bodies = kitchen().bodies
    for name, least, most in (("apple", 0.0, 1.0), ("cup", 4.0, np.inf)):
        middle = size(bodies[name].body)[2] / 2
        turned = at(0.0, 0.0, middle) @ compose(about(np.eye(3)[0], 0.5), np.zeros(3))
        turned = turned @ at(0.0, 0.0, -middle)
        assert least <= _misplaced(bodies[name], np.eye(4), turned) < most
    assert _misplaced(bodies["apple"], np.eye(4), at(0.1, 0.0, 0.0)) == pytest.approx(5.0)


@pytest.mark.parametrize(("turned", "tries"), [(0.03, 2), (0.0, 1)])
def test_how_a_thing_hangs_is_measured_again_where_it_swung_and_is_out_of_reach(
    monkeypatch: pytest.MonkeyPatch, turned: float, tries: int
) -> None:
    swung = compose(about(np.array([1.0, 0.0, 0.0]), turned), np.zeros(3))
    hangs = iter([np.eye(4), swung, swung, swung])
    believed: list[Array] = []

    def bring(arm: Any, built: Any, held: Array, *more: Any) -> Iterator[None]:
        believed.append(held)
        yield
        raise MotionFailure("not reached", "by the right arm from anywhere")

    monkeypatch.setattr(place, "_bring", bring)
    monkeypatch.setattr(place, "in_hand", lambda arm, built: next(hangs))
    base = SimpleNamespace(release=lambda *arms: None)
    motion = SimpleNamespace(base=base, claims={})
    arm: Any = SimpleNamespace(holding=1, grips=lambda it: True, side="right", motion=motion)
    built: Any = SimpleNamespace(name="bowl", entity=None)
    with pytest.raises(MotionFailure, match="not reached"):
        list(put(arm, built, [], np.random.default_rng(0), radius=0.1))
    assert len(believed) == tries


def test_what_is_held_from_above_needs_no_leaning() -> None:
    built = kitchen().bodies["bowl"]
    hand = np.diag([1.0, -1.0, -1.0, 1.0])
    assert tilt_spots(built, hand, [Spot(np.eye(4))]) == []


def _sapien(pose: Array) -> object:
    from mplib import Pose

    from treec_sapien.bodies.pose import Pose as Ours
    from treec_sapien.build import to_sapien

    flat = Pose(pose)
    return to_sapien(Ours(tuple(map(float, flat.p)), tuple(map(float, flat.q))))  # type: ignore[arg-type]


@pytest.mark.parametrize(("room", "over"), [(1.0, 0.06), (0.05, 0.03), (0.01, None)])
def test_a_thing_comes_in_over_an_edge_where_there_is_room_for_that(
    room: float, over: float | None
) -> None:
    class Below:
        """A space with a board so far above the spot."""

        def fits(self, entity: object, pose: Array) -> bool:
            return bool(pose[2, 3] <= 1.0 + room)

    spot = Spot(at(0.0, 0.0, 1.0), np.array([0.0, -1.0, 0.0]))
    ways = _from_front(Below(), kitchen().bodies["bowl"], np.eye(4), spot)  # type: ignore[arg-type]
    if over is None:
        assert ways == []
    for way in ways:
        assert np.max(way.way[: way.marks[1] + 1, 2, 3]) == pytest.approx(1.0 + (over or 0.0))
        steps = np.linalg.norm(np.diff(way.way[: way.marks[1] + 1, :3, 3], axis=0), axis=1)
        assert np.max(steps) < 0.013  # a rack's edge is thin
