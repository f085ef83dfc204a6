"""Which single acts there is any reason for, and how what is named stands to each."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen.hearing.reader import Reader
from treec.skills.kitchen.hearing.single_acts import (
    AGENT,
    OTHER,
    THING,
    VERB,
    Evidence,
    possible,
    singles,
)
from treec.skills.kitchen.talk import reading


def seen(text: str, where: str) -> dict[object, Evidence]:
    reader = Reader(moment(where))
    reader.read(text)
    return {one.single: one for one in possible(reader.heard, reader.refs, [])}


def test_acts_are_taken_apart_and_a_remark_beside_them_is_none() -> None:
    acts, _ = reading("yes to both, and R2, get the salt", moment("pasta_late"))
    assert singles(acts) >= {("accept", "p11"), ("accept", "p12")}
    assert ("remark",) not in singles(acts)
    assert {one[0] for one in singles(acts)} == {"accept", "request"}


def test_every_open_proposal_may_be_agreed_to_or_not() -> None:
    every = seen("well", "pasta_late")
    for one in ("p11", "p12"):
        assert ("accept", one) in every
        assert ("decline", one) in every


def test_what_is_over_is_dropped_by_nobody() -> None:
    every = seen("well", "pasta_late")
    over = {s.id for s in moment("pasta_late").subtasks if s.status == "done"}
    assert over
    assert not {("drop", one) for one in over} & set(every)


def test_a_dish_may_be_meant_by_one_of_its_words() -> None:
    assert ("choose", "Mango Sticky Rice") in seen("the one with mango", "shipped_menu")
    assert ("choose", "Mango Sticky Rice") not in seen("the one with ham", "shipped_menu")


def test_named_work_may_be_anybody_s() -> None:
    orders = {one for one in seen("the cheese", "pasta_three_open") if one[0] == "request"}  # type: ignore[index]
    work = {(agent, task) for _, agent, task, _, _ in orders}  # type: ignore[misc]
    assert {(None, "grate"), ("R1", "grate"), ("user", "grate")} <= work


@pytest.mark.parametrize(
    ("single", "expected"),
    [
        (("accept", "p11"), {"task", "otherthing"}),
        (("accept", "p12"), {"thing", "otheragent", "othertask"}),
    ],
)
def test_relations_say_what_of_it_is_named(single: object, expected: set[str]) -> None:
    assert expected <= set(seen("R1 stir yes, sauce no", "pasta_late")[single].relations)


def test_words_are_marked_by_what_they_name() -> None:
    reader = Reader(moment("pasta_late"))
    reader.read("R1 stir yes, sauce no")
    every = {one.single: one for one in possible(reader.heard, reader.refs, [])}
    of_stirring, of_sauce = every[("accept", "p11")].marks, every[("accept", "p12")].marks
    assert of_stirring[0] & AGENT
    assert of_stirring[1] & VERB
    assert [mark for mark in of_stirring if mark & OTHER]
    assert [mark for mark in of_sauce if mark & THING]
    assert len(of_sauce) == len(reader.heard)
