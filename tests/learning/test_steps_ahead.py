"""The search for a sequence of actions in the scene's model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

import numpy as np
import pytest

from treec_learning.guarded_choice import HERE, Place, place_after
from treec_learning.policy import Floats
from treec_learning.steps_ahead import find_way

GOAL = 6


class Corridor:
    """Six steps along the first joint, with a wall that only the second one leads around."""

    def __init__(self, high: int, likes: int = 1) -> None:
        self.high, self.likes, self.asked = high, likes, 0
        self.roomy: int | None = None

    def likings(self, place: Place) -> Floats:
        self.asked += 1
        return 10.0 * np.eye(10, dtype=np.float32)[self.likes]

    def steps_left(self, places: Sequence[Place]) -> Floats:
        return np.array([abs(GOAL - place[0]) + abs(place[1]) for place in places], np.float32)

    def is_free(self, place: Place, action: int, *, roomy: bool = False) -> bool:
        to = place_after(place, action)
        if roomy and self.roomy is not None and to[1] > self.roomy:
            return False
        return not any(to[2:]) and not (to[0] == 3 and abs(to[1]) < self.high)

    def is_goal(self, place: Place) -> bool:
        return place == (GOAL, 0, 0, 0, 0)


def test_it_leads_around_what_is_in_the_way() -> None:
    model = Corridor(high=3)
    way = find_way(model, 500)
    assert way is not None
    places = [reduce(place_after, way[:n], HERE) for n in range(len(way) + 1)]
    assert places[-1] == (GOAL, 0, 0, 0, 0)
    assert all(model.is_free(place, action) for place, action in zip(places, way, strict=False))
    assert len(way) == GOAL + 2 * 3


@pytest.mark.parametrize(("likes", "side"), [(2, -1), (3, 1)])
def test_the_policy_says_on_which_side(likes: int, side: int) -> None:
    way = find_way(Corridor(high=3, likes=likes), 500)
    assert way is not None
    assert np.sign(reduce(place_after, way[: GOAL + 3], HERE)[1]) == side


def test_it_keeps_away_where_that_costs_little() -> None:
    """The policy likes the side on which there is less room."""
    model = Corridor(high=3, likes=3)
    model.roomy = 0
    way = find_way(model, 500)
    assert way is not None
    assert reduce(place_after, way[: GOAL + 3], HERE)[1] < 0


def test_it_is_given_up_after_so_many_configurations() -> None:
    model = Corridor(high=1000)
    assert find_way(model, 50) is None
    assert model.asked == 50


def test_it_may_begin_elsewhere() -> None:
    assert find_way(Corridor(high=3), 50, (GOAL - 1, 0, 0, 0, 0)) == [1]
