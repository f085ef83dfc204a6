"""Where the grammar stands against what is learned, however sure that is."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen import talk
from treec.skills.kitchen.hearing.single_acts import Single, singles
from treec.skills.kitchen.hearing.trust import is_trusted


def stands(text: str, where: str, *other: Single) -> bool:
    found, _, reader = talk.readings(text, moment(where))
    acts = found[0].acts
    return is_trusted(acts, singles(acts), frozenset(other), reader.heard, reader.refs)


@pytest.mark.parametrize(
    ("text", "where", "other"),
    [
        ("Yes! My cousin phoned from the harbour", "poke_rice", ("accept", "p2")),
        ("yes to the salt", "salad_start", ("accept", "p1")),
        ("is the lettuce done?", "salad_busy", ("done", "prepare lettuce")),
        ("the lettuce is not done", "salad_busy", ("done", "prepare lettuce")),
        ("get the pepper grinder", "salad_busy", ("request", None, "get", (), False)),
        ("R2 is quick today", "salad_busy", ("ask",)),
        ("yummy", "shipped_menu", ("choose", None)),
        ("a soup would be nice", "shipped_menu", ("choose", "Tomato Soup")),
    ],
)
def test_what_it_knows_is_not_put_aside(text: str, where: str, other: Single) -> None:
    assert stands(text, where, other)


def test_nothing_more_is_agreed_to_or_done_and_nothing_less_refused() -> None:
    done = ("done", "heat pot")
    assert stands("the pot is hot", "pasta_waiting_for_me", done, ("done", "get cheese"))
    assert stands("only the stirring, please", "pasta_late", ("accept", "p11"), ("accept", "p12"))
    assert stands("no to both", "pasta_late", ("decline", "p11"))


def test_an_order_chooses_no_dish_besides_and_is_not_lost() -> None:
    order = ("request", "R2", "get", (("item", "rice"),), False)
    assert stands("R2 should get the rice", "shipped_menu", order, ("choose", "Fried Rice"))
    assert stands("R2 should get the rice", "shipped_menu", ("remark",))


@pytest.mark.parametrize(
    ("text", "where", "other"),
    [
        ("stir y, sauce n", "pasta_late", ("accept", "p11")),
        ("I feel like having rice, but fried.", "shipped_menu", ("choose", "Fried Rice")),
    ],
)
def test_where_it_knows_nothing_others_may_be_right(text: str, where: str, other: Single) -> None:
    assert not stands(text, where, other)
