from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import sapien

from treec_sapien.motion.floor import CELL, Floor

KEPT: list[Any] = []  # entities live as long as their scene


def room(*boxes: tuple[tuple[float, float, float], tuple[float, float, float], float]) -> list[Any]:
    """Boxes of (middle, half size, yaw in rad), as entities of a scene."""
    scene = sapien.Scene([sapien.physx.PhysxCpuSystem()])
    for middle, half, yaw in boxes:
        builder = scene.create_actor_builder()
        builder.add_box_collision(half_size=half)
        builder.initial_pose = sapien.Pose(middle, [np.cos(yaw / 2), 0, 0, np.sin(yaw / 2)])
        builder.build_static()
    KEPT.append(scene)
    return list(scene.entities)


WALL = ((0.0, 0.0, 0.5), (0.05, 1.0, 0.5), 0.0)


def length(way: list[tuple[float, float]]) -> float:
    return float(np.sum(np.linalg.norm(np.diff(np.array(way), axis=0), axis=1)))


def test_how_far_the_nearest_thing_is() -> None:
    floor = Floor(room(((1.0, 0.0, 0.3), (0.2, 0.1, 0.3), np.pi / 2)))
    assert floor.space_at((1.0, 1.0)) == pytest.approx(0.8, abs=CELL)
    assert floor.space_at((0.5, 0.0)) == pytest.approx(0.4, abs=CELL)
    assert floor.space_at((1.0, 0.0)) < 0
    assert floor.space_at((50.0, 0.0)) < 0


def test_the_straight_way_is_taken_where_nothing_stands() -> None:
    floor = Floor(room(WALL))
    way = floor.way((-1.0, -1.0), (-1.0, 1.0), 0.3)
    assert way is not None
    assert len(way) == 2


def test_a_wall_is_gone_around_with_room_for_the_disc() -> None:
    floor = Floor(room(WALL))
    way = floor.way((-0.6, 0.0), (0.6, 0.0), 0.3)
    assert way is not None
    assert way[0] == (-0.6, 0.0)
    assert way[-1] == (0.6, 0.0)
    assert 2.5 < length(way) < 4.0
    for start, end in pairwise(way):
        for share in np.linspace(0, 1, 30):
            spot = np.array(start) + share * (np.array(end) - np.array(start))
            assert floor.space_at(spot) > 0.3 - 1.5 * CELL


def test_there_is_no_way_out_of_four_walls() -> None:
    walls = [
        ((x, y, 0.5), (0.05, 1.0, 0.5) if x else (1.0, 0.05, 0.5), 0.0)
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    floor = Floor(room(*walls))
    assert floor.way((0.0, 0.0), (2.0, 0.0), 0.2) is None
    assert floor.way((0.0, 0.0), (0.3, 0.3), 0.2) is not None


def test_who_stands_close_to_a_thing_may_drive_away_from_it() -> None:
    floor = Floor(room(WALL))
    way = floor.way((-0.3, 0.0), (-1.0, 0.0), 0.4)
    assert way is not None
    assert floor.way((-1.0, 0.0), (0.3, 2.0), 0.4) is not None


def test_what_lies_on_the_floor_or_hangs_above_the_robot_is_not_in_the_way() -> None:
    rug = ((0.0, 0.0, 0.01), (0.5, 0.5, 0.01), 0.0)
    lamp = ((0.0, 0.0, 2.0), (0.3, 0.3, 0.1), 0.0)
    table_top = ((3.0, 0.0, 0.7), (0.3, 0.3, 0.02), 0.0)
    floor = Floor(room(rug, lamp, table_top), also=[(0.0, 0.0)])
    assert floor.space_at((0.0, 0.0)) > 1.0
    assert floor.space_at((3.0, 0.0)) < 0


def test_what_has_been_taken_away_makes_the_map_no_larger() -> None:
    """It stands 60 m off: a map of a million cells took seconds."""
    away = ((60.0, 60.0, 0.3), (0.1, 0.1, 0.3), 0.0)
    floor = Floor(room(WALL, away), also=[(0.5, 0.0)])
    assert floor.room.shape == Floor(room(WALL), also=[(0.5, 0.0)]).room.shape


def test_the_nearest_of_many_things_counts_and_far_ones_are_at_least_so_far() -> None:
    rng = np.random.default_rng(3)
    spots = rng.uniform(-2, 2, (12, 2))
    floor = Floor(room(*(((x, y, 0.3), (0.1, 0.1, 0.3), 0.0) for x, y in spots)))
    for spot in rng.uniform(-2, 2, (40, 2)):
        out = np.maximum(np.abs(spots - spot) - 0.1, 0.0)
        far = float(np.min(np.linalg.norm(out, axis=1)))
        if far > CELL:
            assert floor.space_at(spot) == pytest.approx(min(far, 1.5), abs=CELL)


def test_what_stands_on_a_table_changes_no_distance() -> None:
    table = ((0.0, 0.0, 0.4), (0.8, 0.5, 0.02), 0.3)
    bare, laid = Floor(room(table)), Floor(room(table, ((0.3, 0.2, 0.5), (0.05, 0.04, 0.08), 1.0)))
    assert np.array_equal(bare.room, laid.room)
