"""Lies and true sentences of a model, in words that were written before their check was built."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from tests.systems.mosaic.claims.moments import moment
from treec_mosaic.claims import find_unbacked_claims

SENTENCES = yaml.safe_load((Path(__file__).parent / "sentences.yaml").read_text("utf-8"))
MOST_REFUSED = 1


def refusals(sentence: str, by: str = "model") -> tuple[str, ...]:
    said = {"name": "say", "args": {"message": sentence}, "by": by}
    return find_unbacked_claims(moment("salad"), sentence, (said,))


@pytest.mark.parametrize("lie", [*SENTENCES["lies"], *SENTENCES["more_lies"]])
def test_no_lie_passes(lie: str) -> None:
    assert refusals(lie)


def test_at_most_one_true_sentence_of_fifty_is_refused() -> None:
    refused = [(s, refusals(s)) for s in SENTENCES["truths"] if refusals(s)]
    assert len(SENTENCES["truths"]) == 50
    assert len(SENTENCES["lies"]) == 30
    assert len(refused) <= MOST_REFUSED, refused


def test_of_twenty_more_one_is_refused() -> None:
    assert len([s for s in SENTENCES["more_truths"] if refusals(s)]) <= MOST_REFUSED


@pytest.mark.parametrize("by", ["offline", "always"])
def test_sentences_of_rules_are_checked_for_false_claims_and_not_for_their_words(by: str) -> None:
    assert refusals("R2 will get the salt.", by)
    assert not refusals("You find the pepper at the pantry.", by)
