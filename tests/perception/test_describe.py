"""A state in words: which of a file's candidates a picture is most like."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from treec_perception.describe import DescriptionQuery, match, question_of
from treec_perception.files import DescriptionsFile
from treec_perception.localize import Wanted
from treec_perception.models import Models, Scorer
from treec_perception.picture import Picture
from treec_perception.pipeline.result import BoxProposal, Localization

FILE = {
    "descriptions": "states",
    "about": "What may be the matter.",
    "says": ["the {{ name }} stands", "the {{ name }} lies"],
}
COLOUR = np.zeros((40, 60, 3), np.uint8)
COLOUR[10:20, 30:40] = 255


class Bright(Models):
    """The brighter a crop is, the more it is like the last text."""

    def __init__(self) -> None:
        super().__init__()
        self.crops: list[npt.NDArray[np.uint8]] = []

    def scorer(self, name: str) -> Scorer:
        return self  # type: ignore[return-value]

    def similarities(
        self, crops: Sequence[npt.NDArray[np.uint8]], texts: Sequence[str]
    ) -> npt.NDArray[np.float64]:
        self.crops += crops
        return np.array([[2.0, *[0.0] * (len(texts) - 2), crops[0].mean() / 32]])


def found(*, there: bool) -> Localization:
    box = BoxProposal((30.0, 10.0, 40.0, 20.0), 0.5)
    return Localization("soup", "head", "x", there, 0.5, proposals=(box,))


QUESTION = DescriptionQuery(("it stands", "it leans", "it lies"), "small", 0.0)


def test_texts_name_the_thing() -> None:
    spec = DescriptionsFile.model_validate(FILE)
    asked = question_of(spec, Wanted("tomato soup"))
    assert asked == DescriptionQuery(
        ("the tomato soup stands", "the tomato soup lies"), "small", 0.5
    )


def test_without_a_proposal_the_whole_picture_is_matched() -> None:
    models = Bright()
    empty = replace(found(there=False), proposals=())
    shares = match(models, QUESTION, Picture("head", COLOUR), empty)
    assert models.crops[0].shape == (60, 60, 3)
    assert shares[0][0] == "it stands"


@pytest.mark.parametrize("there", [True, False])
def test_the_picture_is_cut_to_what_is_most_like_the_thing(*, there: bool) -> None:
    """Also where that is not enough for a find: "there is no soup" is said of such a crop."""
    models = Bright()
    shares = match(models, QUESTION, Picture("head", COLOUR), found(there=there))
    assert models.crops[0].shape == (10, 10, 3)
    assert shares[0][0] == "it lies"
    assert sum(share for _, share in shares) == pytest.approx(1.0, abs=1e-3)
    assert [share for _, share in shares] == sorted((s for _, s in shares), reverse=True)


def test_nothing_is_matched_without_a_question() -> None:
    models = Bright()
    assert match(models, None, Picture("head", COLOUR), found(there=True)) == ()
    assert models.crops == []
