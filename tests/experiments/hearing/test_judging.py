"""What counts as heard right, and what as harmful."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from experiments.hearing.judging import HearingScore, judge
from experiments.hearing.phrases import Meaning, Phrase
from tests.hearing.stub_network import two_proposals
from treec.team.talk import TalkContext

YES: Meaning = frozenset({("accept", "p1")})
BOTH: Meaning = frozenset({("accept", "p1"), ("accept", "p2")})
NO: Meaning = frozenset({("decline", "p1")})
REMARK: Meaning = frozenset()
MOW: Meaning = frozenset({("request", None, "mow", (("item", "lawn"),), False)})
WATER: Meaning = frozenset({("request", "Rover", "water", (("item", "roses"),), False)})
STOP: Meaning = frozenset({("stop", None)})


def phrase(*readings: Meaning, text: str = "well") -> Phrase:
    return Phrase("a", "theme", "1", text, two_proposals(), readings, False)


def score(heard: Meaning, *readings: Meaning) -> HearingScore:
    found = HearingScore()
    found.add(phrase(*readings), heard)
    return found


def counted(found: HearingScore) -> dict[str, tuple[int, int]]:
    return {kind: (found.acts_right[kind], found.acts[kind]) for kind in found.acts}


def test_what_equals_a_reading_is_right() -> None:
    for readings in ((YES,), (NO, YES), (REMARK, YES)):
        found = score(YES, *readings)
        assert (found.right, found.phrases, found.wrong) == (1, 1, [])
        assert counted(found) == {"accept": (1, 1)}


def test_what_equals_none_is_wrong_and_kept_with_what_was_heard() -> None:
    found = score(YES, BOTH)
    assert (found.right, found.phrases) == (0, 1)
    ((said, heard),) = found.wrong
    assert (said.readings, heard) == ((BOTH,), YES)


def test_the_nearest_reading_counts() -> None:
    assert counted(score(MOW, NO, MOW | WATER)) == {"request": (1, 2)}
    assert counted(score(REMARK, MOW, REMARK)) == {"remark": (1, 1)}


@pytest.mark.parametrize(("heard", "right"), [(BOTH, 1), (YES, 0), (REMARK, 0), (BOTH | NO, 1)])
def test_a_yes_to_several_is_one_act(heard: Meaning, right: int) -> None:
    assert counted(score(heard, BOTH))["accept"] == (right, 1)


def test_more_than_was_meant_is_wrong_for_answers_and_reports() -> None:
    assert counted(score(BOTH, YES)) == {"accept": (0, 1)}
    done: Meaning = frozenset({("done", "s3")})
    assert counted(score(done | {("done", "s2")}, done)) == {"done": (0, 1)}


def test_orders_count_one_by_one() -> None:
    assert counted(score(MOW, MOW | WATER)) == {"request": (1, 2)}
    first: Meaning = frozenset({("request", None, "mow", (("item", "lawn"),), True)})
    assert counted(score(first, MOW)) == {"request": (0, 1)}


def test_small_talk_is_right_where_nothing_is_heard() -> None:
    assert counted(score(REMARK, REMARK)) == {"remark": (1, 1)}
    assert counted(score(frozenset({("ask",)}), REMARK)) == {"remark": (0, 1)}


@pytest.mark.parametrize("heard", [YES, MOW, STOP])
def test_a_yes_an_order_and_a_stop_that_nobody_meant_are_harmful(heard: Meaning) -> None:
    ((kind, *_),) = heard
    assert score(heard, NO, REMARK).harmful == {kind: 1}
    assert score(heard, heard | NO).harmful == {}


def test_a_wrong_yes_where_a_yes_was_meant_is_not_harmful() -> None:
    assert score(BOTH, YES).harmful == {}
    assert score(WATER, REMARK, MOW).harmful == {}
    assert score(BOTH, NO).harmful == {"accept": 1}, "counted once a phrase"


@pytest.mark.parametrize(
    "heard", [NO, frozenset({("ask",)}), frozenset({("drop", "s1")}), frozenset({("resume", None)})]
)
def test_no_other_act_is_harmful(heard: Meaning) -> None:
    assert score(heard, REMARK).harmful == {}


def test_the_share_is_of_acts() -> None:
    found = HearingScore()
    for heard, meant in ((YES, YES), (MOW, MOW | WATER), (NO, REMARK)):
        found.add(phrase(meant), heard)
    assert found.share == 2 / 4
    assert [*found.rows()] == [
        ("phrases", 1, 3),
        ("acts", 2, 4),
        ("  accept", 1, 1),
        ("  remark", 0, 1),
        ("  request", 1, 2),
    ]


def test_of_nothing_nothing_is_wrong() -> None:
    assert HearingScore().share == 1.0
    assert [*HearingScore().rows()] == [("phrases", 0, 0), ("acts", 0, 0)]


def test_a_parser_is_asked_each_phrase_in_its_moment() -> None:
    asked: list[tuple[str, TalkContext]] = []

    def parser(text: str, now: TalkContext) -> Iterable[Mapping[str, Any]]:
        asked.append((text, now))
        return [{"kind": "accept", "proposals": ["p1"], "quote": text}] if text == "yes" else []

    phrases = [phrase(YES, text="yes"), phrase(NO, text="no")]
    found = judge(phrases, parser)
    assert asked == [(one.text, one.moment) for one in phrases]
    assert (found.right, found.phrases, counted(found)) == (
        1,
        2,
        {"accept": (1, 1), "decline": (0, 1)},
    )
    assert judge([], parser).phrases == 0
