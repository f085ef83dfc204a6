"""Paths around what is in the way; the seed alone decides which."""

from __future__ import annotations

import itertools

import numpy as np

from treec_sapien.motion.frames import Array
from treec_sapien.motion.rrt import clear, connect

START, GOAL = np.array([-1.0, 0.0]), np.array([1.0, 0.0])


def wall(rows: Array) -> bool:
    """A wall 20 cm thick with a gap above 1.2."""
    return bool(np.all((np.abs(rows[:, 0]) > 0.1) | (rows[:, 1] > 1.2)))


def draw(rng: np.random.Generator) -> Array:
    return rng.uniform(-2, 2, 2)


def path(seed: int) -> Array:
    found = connect(wall, START, [GOAL], draw, np.random.default_rng(seed))
    assert found is not None
    return found


def test_it_goes_around_and_touches_nothing() -> None:
    found = path(1)
    assert np.array_equal(found[0], START)
    assert np.array_equal(found[-1], GOAL)
    for one, two in itertools.pairwise(found):
        assert clear(wall, one, two)


def test_the_same_seed_gives_the_same_path_in_any_order() -> None:
    first = {seed: path(seed) for seed in (1, 2, 3)}
    again = {seed: path(seed) for seed in (3, 1, 2)}
    assert all(np.array_equal(first[seed], again[seed]) for seed in first)
    assert not np.array_equal(first[1], first[2])


def test_a_straight_way_is_taken_when_it_is_free() -> None:
    found = connect(lambda q: True, START, [GOAL], draw, np.random.default_rng(0))
    assert found is not None
    assert len(found) == 2


def test_there_is_no_path_out_of_a_wall_or_through_a_closed_one() -> None:
    def closed(rows: Array) -> bool:
        return bool(np.all(np.abs(rows[:, 0]) > 0.1))

    rng = np.random.default_rng(0)
    assert connect(wall, np.zeros(2), [GOAL], draw, rng) is None
    assert connect(closed, START, [GOAL], draw, rng, tries=60) is None


def test_what_is_thinner_than_a_step_is_met_with_smaller_ones() -> None:
    def sheet(rows: Array) -> bool:
        """A sheet 6 mm thick with a gap above 1.2."""
        return bool(np.all((np.abs(rows[:, 0] - 0.017) > 0.003) | (rows[:, 1] > 1.2)))

    def through(gap: float) -> bool:
        found = connect(sheet, START, [GOAL], draw, np.random.default_rng(1), gap=gap)
        assert found is not None
        return not all(clear(sheet, a, b, 0.001) for a, b in itertools.pairwise(found))

    assert through(0.035)
    assert not through(0.004)
