"""Lies and true sentences of a model, in words that were written before their check was built."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pytest
import yaml

from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.systems.mosaic.claims import find_unbacked_claims
from treec.team.actions import bind
from treec.team.events import Assigned, Proposed, SubtaskDone, SubtaskStarted, number_entries
from treec.team.team import Team
from treec.world.clock import VirtualClock
from treec.world.events import Event
from treec.world.journal import Journal

SENTENCES = yaml.safe_load((Path(__file__).parent / "sentences.yaml").read_text("utf-8"))
MOST_REFUSED = 1


@lru_cache(maxsize=1)
def moment() -> Team:
    """A Caesar salad in the making, as sentences.yaml describes it."""
    library = load_library(Path(__file__).parents[4])
    run = Run(View(library, library.find("system", "mosaic")), VirtualClock(), Journal.in_memory())

    def emit(*events: Event) -> None:
        for event in number_entries(run.world.state, events):
            run.world.emit(event, "test")

    call = bind(run.team, "set_recipe", {"name": "Caesar Salad"})
    emit(*call.action.run(run.team, **call.args))
    emit(Assigned("R2", ("get pepper",)), SubtaskStarted("R2", "get pepper"))
    emit(SubtaskDone("get pepper"))
    emit(Assigned("R2", ("get ranch sauce",)), SubtaskStarted("R2", "get ranch sauce"))
    emit(Assigned("user", ("prepare lettuce",)), Proposed("R1", "pour pepper into bowl"))
    return run.team


def refusals(sentence: str, by: str = "model") -> tuple[str, ...]:
    said = {"name": "say", "args": {"message": sentence}, "by": by}
    return find_unbacked_claims(moment(), sentence, (said,))


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
