"""Work said by what becomes of a thing, and work that is handed on by pointing alone."""

from __future__ import annotations

import pytest

from tests.skills.kitchen.hearing.moments import Table, heard

BY_ITSELF: Table = [
    ("soup_salt", "okay pass me the salt and I'll let it simmer", "accept p13; accept p14"),
    ("soup_salt", "I'll turn it down to a simmer", "accept p14"),
    ("poke_rice", "I'm putting the rice on", "accept p3"),
    ("poke_rice", "rice goes on now", "accept p3"),
    ("pasta_waiting_for_me", "I'll get the pot on", "accept p3"),
    ("pasta_begin", "by all means fill the pot", "accept p1"),
    ("mango_pan", "give her a stir", "accept p10"),
]

VAGUE: Table = [
    ("pasta_serving", "let R1 serve", "request R1 serve pot"),
    ("pasta_serving", "I'll dish it up now", "accept p14"),
    ("pasta_serving", "I'll plate it up", "accept p14"),
    ("soup_salt", "hand it over", "accept p13"),
    ("pasta_serving", "it would be my pleasure to serve", "accept p14"),
]

HANDED_ON: Table = [
    ("pasta_waiting_for_me", "better R1 does that", "request R1 heat pot"),
    ("sandwich_one_open", "give that job to R2", "request R2 spread bread mustard"),
    ("pasta_waiting_for_me", "you do it R1", "request R1 heat pot"),
    ("pasta_serving", "would you do the honours, R1?", "request R1 serve pot"),
    ("sandwich_one_open", "it's R2 who should do the mustard", "request R2 spread bread mustard"),
    ("eggs_busy", "the whisking I leave to the arm", "request R1 whisk eggs"),
    (
        "soup_between",
        "I won't chop, my eyes hurt. R1 can do it",
        "decline p10; request R1 chop celery",
    ),
    ("mango_pan", "R1 should do both", "accept p10; request R1 put away sugar"),
    ("poke_rice", "R2 rice, me salmon", "request R2 boil rice; request user get salmon"),
]

ORDER: Table = [
    ("pasta_three_open", "the cheese I don't want to grate", "decline p12"),
    (
        "soup_between",
        "no, the celery shall the arm chop",
        "decline p9 p10; request R1 chop celery",
    ),
    ("pasta_waiting_for_me", "the pot will be heated by me", "accept p3"),
    ("eggs_busy", "whisk I will", "accept p7"),
    ("poke_rice", "me I cook the rice", "accept p3"),
    ("pasta_late", "let the sauce alone", "decline p12"),
    ("pasta_late", "a stir can't hurt", "accept p11"),
    (
        "sandwich_one_open",
        "the bread is next to me, so I spread",
        "request user spread bread mustard",
    ),
]

ANSWERS: Table = [
    ("pasta_waiting_for_me", "I suppose I can manage that much", "accept p3"),
    ("pasta_waiting_for_me", "I will of course", "accept p3"),
    ("sandwich_one_open", "uh huh", "accept p6"),
    ("eggs_busy", "I must decline", "decline p7"),
    ("pasta_begin", "let me read it through first, then you start", "decline p1 p2"),
    ("eggs_busy", "will do, one sec", "accept p7"),
    ("soup_between", "yes, the salt", "accept p9"),
]


@pytest.mark.parametrize(
    ("context", "text", "acts"), BY_ITSELF + VAGUE + HANDED_ON + ORDER + ANSWERS
)
def test_the_shipped_kitchen_is_heard(context: str, text: str, acts: str) -> None:
    assert heard(text, context) == acts
