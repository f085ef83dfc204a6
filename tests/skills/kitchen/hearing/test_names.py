"""Names of robots and dishes, however they are put."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

ROBOTS_GO_BY_WHAT_THEY_LOOK_LIKE: Table = [
    ("soup_busy", "Robot with the wheels, don't move.", "stop R2"),
    ("soup_start", "the robot with wheels can go", "accept p1"),
    ("salad_busy", "stop the one with the wheels", "stop R2"),
    ("salad_busy", "wheeled robot, halt", "stop R2"),
]

DISHES_SURVIVE_TWO_SLIPS: Table = [
    ("nothing_chosen", "ceasar salat", "choose Caesar Salad"),
    ("nothing_chosen", "let's make a seizure salad", "choose Caesar Salad"),
]


@pytest.mark.parametrize(("context", "text", "expected"), ROBOTS_GO_BY_WHAT_THEY_LOOK_LIKE)
def test_robots_go_by_what_they_look_like(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), DISHES_SURVIVE_TWO_SLIPS)
def test_dishes_survive_two_slips(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
