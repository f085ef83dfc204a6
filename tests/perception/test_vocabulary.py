"""What the small weights know, and what a localizer makes of words that they do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from treec_perception.default import DEFAULT
from treec_perception.files import LocalizerFile
from treec_perception.localize import Localizer, Wanted
from treec_perception.models import Models
from treec_perception.picture import Picture
from treec_perception.vocabulary import of_small_weights

KNOWN = of_small_weights()
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


def test_a_picture_unlike_those_of_training_is_told() -> None:
    noise = np.random.default_rng(0).integers(0, 255, (20, 20, 3), np.uint8)
    localizer = Localizer(DEFAULT, Models())
    assert localizer._unlike(Picture("flat", np.zeros((20, 20, 3), np.uint8))) == ""
    assert "unlike those that the small weights know" in localizer._unlike(Picture("photo", noise))
