"""Assignments are balanced at any number of participants, random, and seeded."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from experiments.mosaic.study.assignment import StudySession, assign, balanced_orders
from experiments.mosaic.study.files import StudyFile


def study(**keys: object) -> StudyFile:
    data: dict[str, object] = {
        "study": "s",
        "planners": {"A": "a", "B": "b"},
        "recipes": ["Ramen", "Pasta", "Sundae"],
        "participants": 12,
        "questions": {"q": {"ask": "?"}},
    }
    return StudyFile.model_validate({**data, **keys})


def orders(sessions: list[StudySession]) -> list[tuple[str, ...]]:
    found: dict[int, list[str]] = {}
    for one in sessions:
        found.setdefault(one.participant, []).append(one.planner)
    return [tuple(labels) for labels in found.values()]


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_each_planner_is_equally_often_at_each_place_and_after_each_other(number: int) -> None:
    rows = balanced_orders(number)
    assert all(sorted(row) == list(range(number)) for row in rows)
    places = Counter((place, one) for row in rows for place, one in enumerate(row))
    assert set(places.values()) == {len(rows) // number}
    after = Counter(pair for row in rows for pair in pairwise(row))
    assert len(after) == number * (number - 1)
    assert len(set(after.values())) <= 1


@pytest.mark.parametrize("design", ["within", "between"])
def test_orders_and_recipes_are_balanced_whenever_one_stops(design: str) -> None:
    for seed in range(20):
        sessions = assign(study(seed=seed, design=design))
        for count in range(1, 13):
            some = [one for one in sessions if one.participant <= count]
            order = Counter(orders(some))
            assert max(order.values()) - (min(order.values()) if len(order) == 2 else 0) <= 1
            recipes = Counter({one.participant: one.recipe for one in some}.values())
            assert max(recipes.values()) - (min(recipes.values()) if len(recipes) == 3 else 0) <= 1
        pairs = Counter((one.planner, one.number, one.recipe) for one in sessions)
        assert set(pairs.values()) == {2}, "each recipe is as often with each planner and place"


def test_a_participant_has_one_recipe_and_every_planner_once() -> None:
    sessions = assign(study(planners={"A": "a", "B": "b", "C": "c"}))
    for participant in range(1, 13):
        own = [one for one in sessions if one.participant == participant]
        assert sorted(one.planner for one in own) == ["A", "B", "C"]
        assert len({one.recipe for one in own}) == 1
        assert [one.number for one in own] == [1, 2, 3]


def test_the_seed_decides_and_more_participants_change_nothing_for_the_first() -> None:
    assert assign(study()) == assign(study())
    assert len({tuple(orders(assign(study(seed=seed)))) for seed in range(8)}) > 1
    assert assign(study(participants=30))[:24] == assign(study())
