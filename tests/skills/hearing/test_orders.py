"""Orders said in roundabout ways."""

from __future__ import annotations

import pytest

from tests.skills.test_talk import BUSY, IDLE, THREE, brief


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Salt would be nice.", "request anyone get(item=salt)"),
        ("I'd be grateful for some salt.", "request anyone get(item=salt)"),
        ("Send R2 for the salt.", "request R2 get(item=salt)"),
        ("Make sure R2 gets the salt.", "request R2 get(item=salt)"),
        ("Please see to it that the salt is brought.", "request anyone get(item=salt)"),
        ("You couldn't get the salt, could you?", "request anyone get(item=salt)"),
        ("Before the lettuce, get the salt.", "request anyone get(item=salt) first"),
        ("Have R1 give the pot a stir.", "request R1 stir(pot=pot)"),
    ],
)
def test_a_wish_said_roundabout_is_a_request(text: str, expected: str) -> None:
    assert brief(text, IDLE) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Lettuce is mine.", ["accept p3"]),
        ("R1 on the lettuce.", ["request R1 prepare(item=lettuce)"]),
        ("Actually, I want to get the pepper.", ["request user get(item=pepper)"]),
        ("R1, can you do the lettuce?", ["request R1 prepare(item=lettuce)"]),
        ("Lettuce for me.", ["accept p3"]),
    ],
)
def test_work_is_shared_out_by_a_name_and_a_thing(text: str, expected: list[str]) -> None:
    assert brief(text, THREE) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [("R2, enough pepper!", "stop R2"), ("That's plenty of pepper.", "stop R2")],
)
def test_enough_of_a_thing_stops_who_is_at_it(text: str, expected: str) -> None:
    assert brief(text, BUSY) == [expected]


def test_an_adjective_is_no_order() -> None:
    assert brief("What a kitchen, and so tidy!", THREE) == ["remark"]
