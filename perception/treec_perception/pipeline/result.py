"""What a localizer finds: proposals with their scores, a mask, a point, and why nothing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from treec_perception.crops import Box

Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class BoxProposal:
    """A box in pixels (x0, y0, x1, y1), and its scores by stage; ``score`` is the last one.

    ``rivals`` are the scores of other things for the same box, by name: what it might be instead.
    """

    box: Box
    score: float
    scores: Mapping[str, float] = field(default_factory=dict)
    rivals: Mapping[str, float] = field(default_factory=dict)

    def scored(
        self, stage: str, score: float, rivals: Mapping[str, float] | None = None
    ) -> BoxProposal:
        """Return it with the score of a further stage, and with other rivals if they are given."""
        known = self.rivals if rivals is None else rivals
        return BoxProposal(self.box, score, {**self.scores, stage: score}, known)

    @property
    def instead(self) -> tuple[str, float] | None:
        """The rival that scores best, and its score."""
        return max(self.rivals.items(), key=lambda it: it[1]) if self.rivals else None


@dataclass(frozen=True)
class Localization:
    """Where a thing is in one picture.

    ``point`` is in the scene's frame (metres) if the picture has a pose, else in the camera's
    optical frame; ``frame`` says which. ``spread`` is the root mean square distance (m) of the
    points from their mean. ``found`` is false if nothing scores enough; ``why`` says so.
    """

    thing: str
    camera: str
    picture: str
    found: bool
    score: float
    why: str = ""
    point: Vector | None = None
    frame: str = ""
    spread: float | None = None
    proposals: tuple[BoxProposal, ...] = ()
    dropped: tuple[BoxProposal, ...] = ()
    mask: npt.NDArray[np.bool_] | None = None
    depth: float | None = None
    """Metres from the camera."""
    milliseconds: Mapping[str, float] = field(default_factory=dict)
    others: tuple[tuple[Vector, float], ...] = ()
    """The points and scores of the next best proposals that score enough."""
    note: str = ""
    """What is missing of a result that was found: a point, where there is no depth."""
    asked: str = ""
    """What the models were asked instead of the name, which they do not know: its look."""
    there: Vector | None = None
    """The middle of what is where it is believed to be, as a close look measures that."""

    def to_json(self) -> dict[str, object]:
        """Return it as plain data; of the mask only the number of its pixels."""
        return {
            "thing": self.thing,
            "camera": self.camera,
            "picture": self.picture,
            "found": self.found,
            "score": round(self.score, 4),
            "why": self.why,
            "note": self.note,
            **({"asked": self.asked} if self.asked else {}),
            **({"there": [round(x, 4) for x in self.there]} if self.there is not None else {}),
            "point": [round(x, 4) for x in self.point] if self.point is not None else None,
            "frame": self.frame,
            "depth": round(self.depth, 3) if self.depth is not None else None,
            "spread": round(self.spread, 4) if self.spread is not None else None,
            "mask_pixels": int(self.mask.sum()) if self.mask is not None else 0,
            "proposals": [_plain(it) for it in self.proposals],
            "dropped": [_plain(it) for it in self.dropped],
            "others": [
                {"point": [round(x, 4) for x in point], "score": round(score, 4)}
                for point, score in self.others
            ],
            "milliseconds": {name: round(ms, 1) for name, ms in self.milliseconds.items()},
        }


def _plain(proposal: BoxProposal) -> dict[str, object]:
    plain: dict[str, object] = {
        "box": [round(x, 1) for x in proposal.box],
        "score": round(proposal.score, 4),
        "scores": {name: round(score, 4) for name, score in proposal.scores.items()},
    }
    if proposal.instead is not None:
        name, score = proposal.instead
        plain["instead"] = {"name": name, "score": round(score, 4)}
    return plain
