"""Clauses turned round, and what stands beside another act in one utterance."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

WHAT_GOES_ON_BY_ITSELF_IS_DONE_BY_WHO_LETS_IT: Table = [
    ("soup_salt", "I'll let it simmer", "accept p14"),
    ("soup_salt", "let the soup simmer", "accept p14"),
    ("soup_salt", "Salt please! I let it simmer meanwhile.", "accept p13; accept p14"),
]

A_VESSEL_IS_FILLED: Table = [
    ("pasta_begin", "fill the pot", "accept p1"),
    ("pasta_begin", "R1 can fill up the pot with water", "accept p1"),
]

A_SUBJECT_STANDS_WHERE_LEARNERS_PUT_IT: Table = [
    ("soup_between", "the celery shall the arm chop", "request R1 chop celery"),
    ("poke_rice", "Better R2 boils the rice", "request R2 boil rice"),
    ("soup_between", "R2 you chop that celery", "request R2 chop celery"),
    ("poke_rice", "I run for the salmon", "request user get salmon"),
    ("poke_rice", "the salmon brings R2", "accept p2"),
    ("mango_pan", "I do the stirring", "request user stir pan"),
]

A_DISH_IS_SERVED: Table = [
    ("pasta_serving", "let R2 serve", "request R2 serve pot"),
    ("pasta_serving", "I'll serve the pasta", "accept p14"),
    ("pasta_serving", "dinner's served", "done serve pot"),
    ("pasta_serving", "I'll dish up", "accept p14"),
]

EACH_DOES_THEIR_PART: Table = [
    (
        "eggs_busy",
        "I'll whisk if R1 chops the spring onions",
        "accept p7; request R1 chop spring onions",
    ),
    (
        "sandwich_all_busy",
        "let's trade R1, you wash the lettuce and i spread the mustard",
        "request R1 wash lettuce; request user spread bread mustard",
    ),
    (
        "sandwich_one_open",
        "R1 need not spread it, I shall.",
        "decline p6; request user spread bread mustard",
    ),
]

WHAT_COMES_OF_IT_OTHERWISE_IS_NO_CHOICE: Table = [
    (
        "mango_pan",
        "I'll tidy the sugar away or the kids will find it",
        "request user put away sugar",
    ),
]

AN_ANSWER_AND_WHAT_IT_IS_TO: Table = [
    (
        "soup_between",
        "Yes, the salt, and while you are about it, R2, the pepper as well.",
        "accept p9; request R2 get pepper",
    ),
    ("pasta_three_open", "The sauce away, yes.", "accept p11"),
    (
        "pasta_busy",
        "stop bringing cheese R2 and come and stir",
        "request R2 stir pot; stop R2",
    ),
    ("pasta_late", "yes stir, no leave the sauce there i want more", "accept p11; decline p12"),
    ("soup_between", "R1, stop for a sec, and yeah R2, get the salt.", "accept p9; stop R1"),
    (
        "pasta_waiting_for_me",
        "yep on it, and R2 get the sauce after that",
        "accept p3; request R2 get tomato sauce",
    ),
    (
        "pasta_late",
        "cheese is grated!! arm put it in",
        "done grate cheese; request R1 pour pot cheese",
    ),
    ("sandwich_stopped", "go on both of you, and sorry for the shouting", "resume all"),
]

A_DISH_IS_TAKEN_BACK: Table = [
    ("shipped_menu", "Tacos no wait quesadillas", "choose Quesadillas"),
    ("shipped_offers", "the sundae no actually the fruit salad", "choose Fruit Salad"),
]

A_SORT_NAMES_THE_ONE_THING_OF_IT: Table = [
    ("poke_rice", "go get the fish R2", "accept p2"),
]


@pytest.mark.parametrize(
    ("context", "text", "acts"),
    [
        *WHAT_GOES_ON_BY_ITSELF_IS_DONE_BY_WHO_LETS_IT,
        *A_VESSEL_IS_FILLED,
        *A_SUBJECT_STANDS_WHERE_LEARNERS_PUT_IT,
        *A_DISH_IS_SERVED,
        *EACH_DOES_THEIR_PART,
        *WHAT_COMES_OF_IT_OTHERWISE_IS_NO_CHOICE,
        *AN_ANSWER_AND_WHAT_IT_IS_TO,
        *A_DISH_IS_TAKEN_BACK,
        *A_SORT_NAMES_THE_ONE_THING_OF_IT,
    ],
)
def test_it_is_heard(context: str, text: str, acts: str) -> None:
    assert heard(text, context) == acts
