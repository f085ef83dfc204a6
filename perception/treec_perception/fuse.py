"""One point from what several cameras found, or one from several places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from treec_perception.stages import eye_of
from treec_sapien.bodies.pose import Vector

FAR, LARGE = 0.004, 0.06
"""Metres by which what is 1 m away may be off, which grows with the square of the distance as a
stereo camera's errors do; and the share of how far its points spread that is added."""


@dataclass(frozen=True)
class FusedPoint:
    """The point (m, in the scene), the cameras behind it, and those that say something else.

    ``score`` is the best one of the cameras behind it. ``apart`` is how far (m) each of the others'
    best points is from it, ``rival`` the best score of these.
    """

    point: Vector
    cameras: tuple[str, ...]
    apart: Mapping[str, float]
    score: float
    rival: float
    uncertainty: float
    """Metres by which the point may be off, if it is the right thing's."""


@dataclass(frozen=True)
class _Candidate:
    """A point that a camera proposes; ``distance`` (m) is about that from the camera."""

    camera: str
    point: npt.NDArray[np.float64]
    score: float
    distance: float
    spread: float

    @property
    def uncertainty(self) -> float:
        """Metres by which it may be off: more of what is far, or large."""
        return FAR * self.distance**2 + LARGE * self.spread


def fuse(looks: Sequence[Mapping[str, Any]], agree: float) -> FusedPoint | None:
    """Fuse the looks of several cameras, as `Localization.to_json` has them, best first.

    A camera that looks from another place (`place`) counts as another camera. Each proposes its
    best point and the `others` that score enough. Of the places that are proposed that one is
    chosen whose scores, one of each camera within ``agree`` (m), have the greatest sum: two cameras
    outweigh one that scores a little more. Their points are averaged. A stereo camera's error grows
    with the square of the distance (see `treec_perception.noise`), so that a point's weight is its
    score over the distance to the fourth. The others are reported, not used: an average of two
    places is a third one. None if no camera has a point.
    """
    there = [it for it in looks if it["found"] and it["point"] is not None]
    candidates = [one for it in there for one in _candidates(it)]
    if not candidates:
        return None
    groups = [_group(candidates, one, agree) for one in candidates]
    group = max(groups, key=lambda them: sum(it.score for it in them))  # the first of equal ones
    group = sorted(group, key=lambda it: -it.score)
    weights = np.array([max(it.score, 1e-6) / it.distance**4 for it in group])
    middle = (weights[:, None] * np.array([it.point for it in group])).sum(axis=0) / weights.sum()
    cameras = tuple(it.camera for it in group)
    apart = {
        eye_of(it): float(np.linalg.norm(middle - it["point"]))
        for it in there
        if eye_of(it) not in cameras
    }
    rival = max((float(it["score"]) for it in there if eye_of(it) in apart), default=0.0)
    x, y, z = (float(number) for number in middle)
    off = [float(np.linalg.norm(middle - it.point)) for it in group]
    uncertainty = max(min(it.uncertainty for it in group), *off)
    return FusedPoint((x, y, z), cameras, apart, group[0].score, rival, uncertainty)


def _candidates(look: Mapping[str, Any]) -> list[_Candidate]:
    distance, spread = float(look.get("depth") or 1.0), float(look.get("spread") or 0.0)
    return [
        _Candidate(eye_of(look), np.array(it["point"]), float(it["score"]), distance, spread)
        for it in (look, *look.get("others", ()))
    ]


def _group(candidates: Sequence[_Candidate], about: _Candidate, agree: float) -> list[_Candidate]:
    """The best candidate of each camera within a distance of one of them."""
    best: dict[str, _Candidate] = {}
    for it in candidates:
        near = float(np.linalg.norm(it.point - about.point)) <= agree
        if near and (it.camera not in best or it.score > best[it.camera].score):
            best[it.camera] = it
    return list(best.values())
