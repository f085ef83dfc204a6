"""One point from what several cameras found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treec.envs.bodies.pose import Vector


@dataclass(frozen=True)
class FusedPoint:
    """The point (m, in the scene), the cameras behind it, and those that say something else.

    ``apart`` is how far (m) each of the latter is from the best camera's point.
    """

    point: Vector
    cameras: tuple[str, ...]
    apart: Mapping[str, float]


def fuse(looks: Sequence[Mapping[str, Any]], agree: float) -> FusedPoint | None:
    """Fuse the looks of several cameras, as `Localization.to_json` has them, best first.

    Those within ``agree`` (m) of the best one's point are averaged. A stereo camera's error grows
    with the square of the distance (see `treec.perception.noise`), so that a look's weight is its
    score over the distance to the fourth. The others are told, not used: an average of two places
    is a third one. None if no camera has a point.
    """
    there = [it for it in looks if it["found"] and it["point"] is not None]
    if not there:
        return None
    best = np.array(there[0]["point"])
    apart = {it["camera"]: float(np.linalg.norm(best - it["point"])) for it in there}
    near = [it for it in there if apart[it["camera"]] <= agree]
    weights = np.array([_weight(it) for it in near])
    x, y, z = (weights[:, None] * np.array([it["point"] for it in near])).sum(axis=0)
    total = float(weights.sum())
    return FusedPoint(
        (float(x) / total, float(y) / total, float(z) / total),
        tuple(it["camera"] for it in near),
        {name: far for name, far in apart.items() if far > agree},
    )


def _weight(look: Mapping[str, Any]) -> float:
    distance = look.get("depth") or 1.0
    return max(float(look["score"]), 1e-6) / float(distance) ** 4
