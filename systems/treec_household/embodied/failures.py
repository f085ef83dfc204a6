"""Says why an action failed by the pictures before and after it: the sentence that fits them best.

As in HELPER (section 3.1.3) the sentences are a file's (`failure_sentences.yaml`). What the small
scorer compares them with is what the robot's eyes tell of the two pictures, with how sure they are;
others compare the pictures themselves. The simulator's own reason is never used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import yaml

from treec_household.embodied.simulator import REACH
from treec_sapien.view.depth_image import Image

DOUBT = 0.2
"""Weight of "nothing that is seen says why" beside the sentences."""
_SHARP = 0.04
"""Metres over which what is out of reach is doubtful."""


@dataclass(frozen=True)
class Sentence:
    """A row of the file."""

    says: str
    reason: str
    shows: Mapping[str, bool]
    of: tuple[str, ...]


@dataclass(frozen=True)
class Seen:
    """What a picture shows of the thing that was acted on.

    ``far`` is metres from the camera, none if it is not in the picture; ``states`` say how likely
    each is; ``crowd`` is the share of its room that is taken.
    """

    far: float | None
    states: Mapping[str, float]
    crowd: float = 0.0


@dataclass(frozen=True)
class FailedAction:
    """An action that failed, with the thing's name and the pictures.

    ``hand`` is whether anything is in the hand, ``knife`` whether that cuts, ``filled`` whether it
    holds a liquid.
    """

    skill: str
    name: str
    before: Seen
    after: Seen
    hand: bool
    knife: bool = False
    filled: bool = False
    pictures: tuple[Image, ...] = ()


class FailureScorer(Protocol):
    """Compares pictures with sentences."""

    def scores(self, attempt: FailedAction, sentences: Sequence[Sentence]) -> Sequence[float]:
        """How well each fits, from 0 on."""


@cache
def sentences() -> tuple[Sentence, ...]:
    """The rows of the file."""
    rows: list[Mapping[str, Any]] = yaml.safe_load(
        (Path(__file__).parent / "failure_sentences.yaml").read_text("utf-8")
    )
    return tuple(Sentence(r["says"], r["reason"], r["shows"], tuple(r["of"])) for r in rows)


def describe(attempt: FailedAction, scorer: FailureScorer) -> list[tuple[str, str, float]]:
    """The reasons and sentences with their shares, best first; what is left explains nothing."""
    fitting = [one for one in sentences() if attempt.skill in one.of]
    scores = scorer.scores(attempt, fitting)
    total = sum(scores) + DOUBT
    found = [
        (one.reason, one.says.format(name=attempt.name), score / total)
        for one, score in zip(fitting, scores, strict=True)
    ]
    found.append(("failed", "nothing that is seen says why", DOUBT / total))
    return sorted(found, key=lambda one: -one[2])


class SmallScorer:
    """Scores by what the robot's eyes tell of the pictures."""

    def scores(self, attempt: FailedAction, sentences: Sequence[Sentence]) -> list[float]:
        """The product of how likely everything is that a sentence says."""
        return [
            math.prod(self._likely(attempt, what, so) for what, so in sentence.shows.items())
            for sentence in sentences
        ]

    @staticmethod
    def _likely(attempt: FailedAction, what: str, so: bool) -> float:
        seen = attempt.before if attempt.before.far is not None else attempt.after
        match what:
            case "far":
                far = 0.0 if seen.far is None else seen.far
                likely = 1 / (1 + math.exp(min(50.0, (REACH - far) / _SHARP)))
            case "unseen":
                likely = float(seen.far is None)
            case "crowded":
                likely = min(1.0, max(attempt.before.crowd, attempt.after.crowd))
            case "hand" | "knife" | "filled":
                likely = 0.98 * getattr(attempt, what) + 0.01
            case _:
                both = [
                    one.states[what]
                    for one in (attempt.before, attempt.after)
                    if what in one.states
                ]
                likely = sum(both) / len(both) if both else 0.5
        return likely if so else 1.0 - likely
