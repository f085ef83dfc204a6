"""Who is spoken to, and how politely."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

SEVERAL_NAMES: Table = [
    ("salad_busy", "R2, R1, freeze!", "stop R1; stop R2"),
    ("soup_busy", "R1, R2, hold it please", "stop R1; stop R2"),
]
A_NAME_AND_A_THING: Table = [
    ("salad_start", "R2. A knife.", "request R2 get knife"),
    ("salad_busy", "R2! The salt!", "request R2 get salt"),
    ("fruit_end", "Bowls. Quick.", "request anyone get bowl"),
    ("salad_busy", "Colander from the pantry, R2, next time.", "request R2 get colander"),
]
FOND_NAMES: Table = [
    ("salad_busy", "R2 my old pal, fetch the salt", "request R2 get salt"),
    ("salad_busy", "R1, darling, hand me the ladle", "request R1 hand over ladle"),
    ("salad_busy", "my friend told R2 to fetch the salt", "remark"),
]
ASKED_POLITELY: Table = [
    ("salad_busy", "Would you be so good as to pass me the salt?", "request anyone hand over salt"),
    ("salad_busy", "get me the ladle please?", "request anyone get ladle"),
    (
        "salad_start",
        "before you start on anything else, fetch a towel",
        "request anyone get towel first",
    ),
    ("salad_busy", "could we have some cream maybe", "request anyone get cream"),
]


@pytest.mark.parametrize(("context", "text", "expected"), SEVERAL_NAMES)
def test_several_names_in_a_row_are_all_meant(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), A_NAME_AND_A_THING)
def test_a_name_or_a_hurry_beside_a_thing_asks_for_it(
    context: str, text: str, expected: str
) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), FOND_NAMES)
def test_a_fond_word_beside_a_name_leaves_the_name(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected


@pytest.mark.parametrize(("context", "text", "expected"), ASKED_POLITELY)
def test_a_request_asked_politely_is_a_request(context: str, text: str, expected: str) -> None:
    assert heard(text, context) == expected
