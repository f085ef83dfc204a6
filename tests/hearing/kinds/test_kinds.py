"""Kinds of sentences that were heard wrong once are heard right in all their wordings."""

from __future__ import annotations

import pytest

from tests.hearing.kinds.said import Sentence, sentences

MENDED = ("unknown", "only", "rest", "part")
"""Kinds of `kinds_1.yaml` of which every sentence is heard right."""


@pytest.mark.parametrize("kind", MENDED)
def test_every_sentence_of_a_mended_kind_is_heard_right(kind: str) -> None:
    said = [one for one in sentences("kinds_1.yaml") if one.id.startswith(kind)]
    assert len(said) >= 10
    assert [one.wrong for one in said if isinstance(one, Sentence) and one.wrong] == []
