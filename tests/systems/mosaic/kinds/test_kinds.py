"""Kinds of sentences that were heard wrong once are heard right in many wordings.

`kinds_1.yaml` was written before anything was mended: 61 of its 91 sentences were heard right then.
`kinds_2.yaml` was written afterwards, and tried once: 67 of 81 (46 before).
`kinds_3.yaml` was written before others were mended: 43 of its 60 sentences were heard right then.
"""

from __future__ import annotations

import pytest

from tests.systems.mosaic.kinds.said import DishWish, sentences

KINDS = ("unknown", "only", "rest", "mine", "thing", "need", "part")
OTHERS = ("halt", "take", "away", "yes", "order", "tell")
WRONG = {"yes-07", "order-04"}
"""Heard wrong to this day: "tidying up" for putting away, and a thing corrected in mid-sentence."""


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", OTHERS)
def test_other_sentences_are_heard_right_but_for_two(kind: str) -> None:
    said = [one for one in sentences("kinds_3.yaml") if one.id.startswith(kind)]
    assert len(said) >= 8
    assert {one.id for one in said if one.wrong} == {id for id in WRONG if id.startswith(kind)}


@pytest.mark.few(4)
@pytest.mark.parametrize("name", ["kinds_1.yaml", "kinds_2.yaml"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_sentence_is_heard_right(name: str, kind: str) -> None:
    said = [one for one in sentences(name) if one.id.startswith(kind)]
    assert len(said) >= 7
    assert [one.wrong for one in said if one.wrong] == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["kinds_1.yaml", "kinds_2.yaml"])
def test_a_dish_is_set_if_no_other_fits_the_words(name: str) -> None:
    said = [one for one in sentences(name) if isinstance(one, DishWish)]
    assert len(said) >= 12
    assert [one.wrong for one in said if one.wrong] == []
