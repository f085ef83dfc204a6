"""Answers that name, put off or shift what is proposed."""

from __future__ import annotations

import pytest

from tests.skills.test_talk import THREE, brief


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Let's do that another time.", ["decline p1 p2 p3"]),
        ("Could we do that later?", ["decline p1 p2 p3"]),
        ("I'll prepare the lettuce later.", ["decline p3"]),
        ("Leave the pepper where it is.", ["decline p1"]),
        ("The pepper is fine where it is.", ["decline p1"]),
        ("My hands are too shaky for the lettuce.", ["decline p3"]),
    ],
)
def test_to_put_off_or_be_unable_is_a_no(text: str, expected: list[str]) -> None:
    assert brief(text, THREE) == expected


def test_the_rest_is_what_no_answer_named() -> None:
    assert brief("No pepper please but the rest is fine", THREE)[-1] == "accept p2 p3"


def test_an_answer_behind_a_question_is_to_what_it_asked_about() -> None:
    assert brief("Do I have to do the lettuce? No way.", THREE)[-1] == "decline p3"


@pytest.mark.parametrize(("text", "kind"), [("y", "accept"), ("n", "decline")])
def test_a_letter_may_be_the_whole_answer(text: str, kind: str) -> None:
    assert brief(text, THREE) == [f"{kind} p1 p2 p3"]
