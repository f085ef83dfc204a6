"""Describes the state of a thing in words: which of some candidates a picture is most like.

As HELPER does (section 3.1.3): after a failure, the picture is matched against descriptions of what
may be the matter, and the best match is the feedback. The candidates are a file's.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treec.source.scope import MappingScope
from treec.source.template import TextTemplate
from treec_perception.crops import square_crop
from treec_perception.files import DescriptionsFile
from treec_perception.localize import Wanted
from treec_perception.models import Models
from treec_perception.picture import Picture
from treec_perception.pipeline.result import Localization


@dataclass(frozen=True)
class DescriptionQuery:
    """The candidates, the scorer that compares them, and the margin of the crop."""

    candidates: tuple[str, ...]
    model: str
    around: float


def question_of(spec: DescriptionsFile, wanted: Wanted) -> DescriptionQuery:
    """Return what is asked about a thing."""
    scope = MappingScope({"name": wanted.name})
    texts = tuple(TextTemplate.parse(text).render(scope).strip() for text in spec.says)
    return DescriptionQuery(texts, spec.model, spec.around)


def match(
    models: Models, question: DescriptionQuery | None, picture: Picture, localization: Localization
) -> tuple[tuple[str, float], ...]:
    """Return the candidates with their shares (they sum to 1), best first.

    The picture is cut, with a margin, to what is most like the thing, whether that is enough for a
    find or not; without any proposal it is taken as a whole. Raises ModelUnavailable.
    """
    if question is None:
        return ()
    high, wide, _ = picture.colour.shape
    box, margin = (0.0, 0.0, float(wide), float(high)), 0.0
    if localization.proposals:
        box, margin = localization.proposals[0].box, question.around
    crop = square_crop(picture.colour, box, margin)
    logits = models.scorer(question.model).similarities([crop], question.candidates)[0]
    shares = np.exp(logits - logits.max())
    shares /= shares.sum()
    order = np.argsort(-shares, kind="stable")
    return tuple((question.candidates[at], round(float(shares[at]), 4)) for at in order)
