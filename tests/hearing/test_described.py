"""Things are ordered by what describes them; the kitchen is the place."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from tests.support.dialogues import play
from treec.files.library import load_library
from treec.files.view import View
from treec_hearing.described import described_things

ROOT = Path(__file__).parents[2]


@cache
def kitchen() -> View:
    library = load_library(ROOT)
    return View(library, library.find("system", "mosaic"))


@pytest.mark.parametrize(
    ("phrase", "things"),
    [
        ("blue can", ["tuna"]),
        ("something grey", ["eggs"]),
        ("green packet", ["vegetable stock", "spinach", "peas", "vegetables"]),
        ("something to stir with", ["ladle"]),
        ("something to get with", None),  # a place is nothing to be used
        ("tin", None),  # no colour: most kinds are many, and 'can' is a verb
    ],
)
def test_things_have_descriptions(phrase: str, things: list[str] | None) -> None:
    assert described_things(kitchen()).get(phrase) == things


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ("R2, get the blue can", "R2 will get the tuna."),
        ("R1, hand me something to stir with", "R1 will hand over the ladle."),
        (
            "R2, get the green packet",
            "Which green packet: the vegetable stock, the spinach, the peas or the vegetables?",
        ),
        ("R2, get the purple can", "There is no purple can here."),
    ],
)
def test_what_is_described_is_fetched_or_asked_for(said: str, answer: str) -> None:
    assert answer in play([f"> {said}"], kitchen())
