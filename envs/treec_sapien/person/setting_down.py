"""How a person sets what they hold down upright on a table beside them, who is asked to.

They come a step or two if they must (`STEP`), reach over the spot, bow (`BOW`) and go down to it,
let go, and go back to what they did before. Kinematic as the rest of them: the hand stays in line
with the forearm, and the thing is turned upright in it on the way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from treec_sapien.motion.frames import Array, rotation
from treec_sapien.person.figure import HAND, rotations

HEARS = 1.0
"""Seconds after which somebody does what they are asked to."""

STEP, BOW = 1.0, 0.3
"""How far (m) somebody goes for that, level, and how far their shoulders go down."""

STRAIGHT = 0.95
"""How straight an arm is at most: a bow does the rest."""

OVER = 0.15
"""Height (m) over the spot from which the hand comes down, and to which it goes up again."""

REACH, LOWER, RELEASE, RAISE, RETURN = 2.0, 1.0, 0.5, 0.7, 2.0
"""Seconds of the parts of it."""

SLOPES = np.radians(np.arange(10, 71, 5))
"""How steeply the forearm goes down to the spot, at most and at least."""


def arm_over(joints: Array, side: int, in_hand: Array, spot: Array) -> Array | None:
    """Return the joints (7, 3) of who holds a thing at ``spot`` (3; m), or None if they cannot.

    From ``joints`` (7, 3), by the shortest way. ``side``: 0 left, 1 right; ``in_hand`` (3; m) is
    where the thing's origin is in the frame of the hand's capsule, whose x axis is the forearm's.
    """
    shoulder, elbow, wrist = (joints[first + side] for first in (1, 3, 5))
    upper, fore = float(np.linalg.norm(elbow - shoulder)), float(np.linalg.norm(wrist - elbow))
    level = (spot - shoulder) * (1.0, 1.0, 0.0)
    level = level / max(float(np.linalg.norm(level)), 1e-6)
    best: tuple[float, Array] | None = None
    for slope in SLOPES:
        along = np.cos(slope) * level - np.sin(slope) * np.array((0.0, 0.0, 1.0))
        middle = spot - rotation(rotations(along[None])[0]) @ in_hand
        hand = middle - HAND / 2 * along
        bend = hand - fore * along
        rise = float(shoulder[2] - bend[2])
        bow = max(0.0, rise - STRAIGHT * upper)
        if bow > BOW or rise < -STRAIGHT * upper:
            continue
        by = bend - np.sqrt(upper**2 - (rise - bow) ** 2) * level - shoulder
        by[2] = -bow
        far = float(np.linalg.norm(by))
        if float(np.linalg.norm(by[:2])) <= STEP and (best is None or far < best[0]):
            out = joints + by
            out[3 + side], out[5 + side] = bend, hand
            best = far, out
    return None if best is None else best[1]


@dataclass(frozen=True)
class SettingDown:
    """One setting down of ``item``: it ends at ``spot`` (3; m), upright, as it was turned before.

    ``over`` and ``at`` are the joints (7, 3) above it and there; it begins at ``since`` (s).
    """

    item: str
    since: float
    over: Array
    at: Array
    spot: Array

    def share(self, now: float) -> float:
        """How upright the thing is turned: 0 as it was in the hand, 1 upright."""
        return smooth((now - self.since) / REACH)

    def lets_go(self, now: float) -> bool:
        """Whether the thing stands on its spot."""
        return now >= self.since + REACH + LOWER + RELEASE

    def goes_on(self, now: float) -> bool:
        """Whether the hand is not back yet."""
        return now < self.since + REACH + LOWER + RELEASE + RAISE + RETURN

    def joints(self, now: float, otherwise: Array) -> Array:
        """Return the joints (7, 3) of who else would have those ``otherwise`` (7, 3)."""
        t = now - self.since
        down = smooth((t - REACH) / LOWER) - smooth((t - REACH - LOWER - RELEASE) / RAISE)
        there = self.over + down * (self.at - self.over)
        left = REACH + LOWER + RELEASE + RAISE
        out = smooth(t / REACH) - smooth((t - left) / RETURN)
        moved: Array = otherwise + out * (there - otherwise)
        return moved


def setting_down(
    item: str, joints: Array, side: int, in_hand: Any, spot: Array, now: float
) -> SettingDown | None:
    """Return how a person (7, 3) sets down what is ``in_hand`` (pose), or None if they cannot."""
    offset = np.asarray(in_hand.p, float)
    at = arm_over(joints, side, offset, spot)
    if at is None:
        return None
    over = arm_over(at, side, offset, spot + np.array((0.0, 0.0, OVER)))
    return None if over is None else SettingDown(item, now + HEARS, over, at, spot)


def smooth(share: float) -> float:
    """Return how far somebody is after a share of the time: from 0 to 1 with minimum jerk."""
    way = float(np.clip(share, 0.0, 1.0))
    return way**3 * (10 - 15 * way + 6 * way**2)
