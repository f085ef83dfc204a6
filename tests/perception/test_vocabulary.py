"""What the small weights know, and what a localizer makes of words that they do not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from treec_perception.default import DEFAULT
from treec_perception.files import LocalizerFile
from treec_perception.localize import Localizer, Wanted
from treec_perception.models import Models
from treec_perception.picture import Picture
from treec_perception.pipeline.result import BoxProposal
from treec_perception.vocabulary import of_small_weights

KNOWN = of_small_weights()
GREY = np.full((20, 20, 3), 90, np.uint8)
FLASK = Wanted(
    "flask",
    others=("onions", "sensor", "drill"),
    looks={"flask": ("tin", "red"), "onions": ("round_food", "brown"), "sensor": ("tin", "blue")},
)


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("onions", "onions"),
        ("An onion", "onions"),
        ("Apple_1", "Apple 1"),
        ("the gray soup can", "gray soup can"),
        ("a mug", "mug"),
        ("a screwdriver", None),
        ("a red screwdriver", None),
        ("", None),
    ],
)
def test_words_are_known_by_name_or_by_colour_and_kind(words: str, asked: str | None) -> None:
    assert KNOWN is not None
    assert KNOWN.asked(words) == asked


def test_what_words_mean_is_no_rival() -> None:
    localizer = Localizer(DEFAULT, Models())
    wanted = replace(FLASK, name="blue can", also=())
    assert localizer._rivals(wanted) == {"onions": "onions"}
    everything = localizer._rivals(Wanted("a red soup can"))
    assert "lettuce" in everything
    assert KNOWN is not None
    assert not [name for name in everything if KNOWN.names[name] == ("tin", "red")]


def test_an_unknown_name_is_asked_for_by_its_look() -> None:
    localizer = Localizer(DEFAULT, Models())
    assert localizer.prompts(FLASK) == ["a photo of red tin"]
    assert localizer.asked(FLASK) == "red tin"
    assert localizer._rivals(FLASK) == {"onions": "onions", "sensor": "blue tin"}
    assert localizer.unknown(FLASK) == ""
    assert localizer.prompts(Wanted("the onions")) == ["a photo of the onions"]
    nothing = "the small weights do not know 'drill': trained on treec's simulated kitchens only"
    assert localizer.unknown(replace(FLASK, name="drill")) == nothing


def test_other_weights_are_asked_for_any_word() -> None:
    stages = [{"detect": {"model": "a/b"}}, {"score_crops": {"model": "c/d"}}, {"segment": {}}]
    spec = DEFAULT.model_dump(by_alias=True) | {"stages": stages}
    localizer = Localizer(LocalizerFile.model_validate(spec), Models())
    assert localizer.prompts(FLASK) == ["a photo of flask"]
    assert localizer.unknown(Wanted("drill")) == ""
    assert "lettuce" in localizer._rivals(Wanted("drill"))  # compared with something, always


def test_in_a_picture_unlike_those_of_training_nothing_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    noise = np.random.default_rng(0).integers(0, 255, (20, 20, 3), np.uint8)
    localizer = Localizer(DEFAULT, Models())
    sure = partial(_sure, localizer)
    monkeypatch.setattr(localizer, "_run", sure)
    assert localizer.localize(Picture("flat", GREY), FLASK).found
    photo = localizer.localize(Picture("photo", noise), FLASK)
    assert (photo.found, photo.score) == (False, 0.9)
    assert "unlike those that the small weights know" in photo.why
    assert localizer.localize(
        Picture("noisy", noise, ids=np.zeros((20, 20), np.int32)), FLASK
    ).found


def _sure(
    localizer: Localizer, params: object, picture: Picture, wanted: Wanted, work: Any
) -> None:
    work.proposals, work.note = [BoxProposal((0.0, 0.0, 9.0, 9.0), 0.9)], "no depth"


def _alike(phrase: str, others: Sequence[str]) -> list[float]:
    """Vectors of sentences, as all-MiniLM-L6-v2 has these."""
    measured = {"skillet": {"pan": 0.66, "frying pan": 0.61}, "chili sauce": {"soy sauce": 0.75}}
    return [measured.get(phrase, {}).get(it, 0.3) for it in others]


@pytest.mark.parametrize(
    ("words", "nearest"),
    [
        ("a coffee mug", "mug"),
        ("some sea salt", "salt"),
        ("the skillet", "pan"),
        ("chili sauce", None),  # near to another sauce, which it is not
        ("hammer", None),
        ("", None),
    ],
)
def test_unknown_words_are_asked_for_as_the_nearest_known_ones(
    words: str, nearest: str | None
) -> None:
    assert KNOWN is not None
    assert KNOWN.nearest(words, _alike) == nearest


def test_what_the_nearest_words_are_the_name_of_is_no_rival() -> None:
    localizer = Localizer(DEFAULT, Models())
    looks = {"mug": ("cup", "blue"), "honey": ("jar", "orange"), "flask": ("tin", "red")}
    here = Wanted("a tea cup", others=tuple(looks), looks=looks)
    assert localizer.asked(here) == "cup"
    assert localizer.unknown(here) == ""
    assert localizer._rivals(here) == {"honey": "honey", "flask": "red tin"}
    assert localizer.unknown(replace(here, name="shoe box"))  # 'box' says too little
