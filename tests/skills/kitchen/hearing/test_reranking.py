"""Which of several readings is meant."""

from __future__ import annotations

import pytest

from tests.talk.corpus import moment
from treec.skills.kitchen import talk
from treec.skills.kitchen.hearing import reranking
from treec.skills.kitchen.hearing.reranking import (
    CandidateReading,
    choose_reading,
    features,
    meaning,
)
from treec.skills.kitchen.hearing.variants import Variant

WHERE = "soup_busy"


def weights(monkeypatch: pytest.MonkeyPatch, **given: float) -> None:
    monkeypatch.setattr(
        reranking, "_weights", lambda: {k.replace("_", " "): v for k, v in given.items()}
    )


def of(text: str) -> tuple[list[CandidateReading], list[dict[str, float]]]:
    found, chances, reader = talk.readings(text, moment(WHERE))
    return found, features(found, chances, reader.heard, moment(WHERE))


def test_the_utterance_itself_is_the_first_reading() -> None:
    found, seen = of("flibber wobble R2 get the salt")
    assert found[0].own
    assert seen[0]["own"] == 1
    assert not any(reading.own for reading in found[1:])


def pair(own: str, other: str) -> tuple[list[CandidateReading], str]:
    """Two readings: these words', and those of the same words behind another."""
    text = f"{own} {other}"
    place = len(own) + 1
    variant = Variant("head", other, (0,), ((0, place),))
    context = moment(WHERE)
    return [
        CandidateReading(talk.reading(own, context)[0], own=True),
        CandidateReading(talk.reading(other, context)[0], variants=[variant]),
    ], text


@pytest.mark.parametrize(
    ("own", "other", "needed"),
    [
        ("stop", "lovely weather", reranking.MARGIN),
        ("lovely weather", "stop", reranking.MARGIN),
    ],
)
def test_another_reading_must_be_better_by_a_margin(
    own: str, other: str, needed: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    context = moment(WHERE)
    found, text = pair(own, other)
    chunks = talk.readings(text, context)[2].heard
    for better, index in ((-0.01, 0), (0.01, 1)):
        weights(monkeypatch, own=-needed - better)
        assert choose_reading(found, {}, chunks, context) is found[index]


def test_acts_quote_the_utterance_and_not_its_variant() -> None:
    text = "flibber get the salt wobble"
    for reading in of(text)[0]:
        for act in reading.acts:
            assert 0 <= act.start <= act.end <= len(text)


def test_order_and_quotes_are_no_meaning() -> None:
    found, _, _ = talk.readings("get the salt", moment(WHERE))
    acts = found[0].acts
    assert meaning(acts) == meaning(reversed(acts))


def test_what_is_overheard_has_no_other_reading() -> None:
    found, _ = of("Mum, stop the salt wobble")
    assert [reading.own for reading in found] == [True]


def test_every_weight_is_of_a_feature_that_there_is() -> None:
    texts = (
        "stir wobble",
        "I'd frump the lettuce done",
        "yes",
        "R1 yes R2 no",
        "stop the salt",
        "what is left?",
    )
    seen = {name for text in texts for each in of(text)[1] for name in each}
    kinds = {name for name in reranking._weights() if name.split()[0] in ("new", "no")}
    assert set(reranking._weights()) - kinds <= seen
