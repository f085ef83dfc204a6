"""Made-up motion of a person who reaches out, in the format of recordings.

For scenarios and tests that need no real recordings. Wrists move as people's do (minimum jerk:
Flash and Hogan 1985) on a path that a random bow bends; the trunk leans along; elbows follow from
the lengths of the arms.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from treec_forecasting.everyday_motion import EVERYDAY, elbow, everyday, smooth
from treec_sapien.people.recordings import MotionEpisode
from treec_sapien.people.skeleton import JOINTS, RATE

Floats = npt.NDArray[np.float64]

UPPER, FORE = 0.3, 0.26
"""Lengths (m) of the upper arm and the forearm."""

NECK, SHOULDER, HIPS = 1.42, (0.0, 0.19, -0.05), 0.95
"""Height of the neck; the left shoulder from the neck; height of the hips."""

REST = (0.22, 0.2, 1.08)
"""Where the left wrist is at rest, of a person at the origin who faces x."""

WALK, STARTS = 0.9, 0.8
"""Speed (m/s) of somebody who walks away; seconds in which that speed is reached, or ends."""

MOTIONS = ("reach", "offer", "leave", "everyday", *EVERYDAY)
"""Reach out and draw back; hold a hand out for a while; walk away: always of one person's size.

``everyday`` is some of each of `KNOWN`, of people of all sizes; the others are of one kind.
"""

KNOWN = ("stand", "work", "stir", "walk", "fidget", "turn", "bend")
"""The kinds that treec's forecasters were trained on."""


def make_motion(motion: str, count: int, seed: int) -> dict[str, npt.NDArray[np.generic]]:
    """Return the arrays of a recordings file: ``count`` recordings of one person."""
    rng = np.random.default_rng(seed)
    kinds = [
        KNOWN[number % len(KNOWN)] if motion == "everyday" else motion for number in range(count)
    ]
    parts = [everyday(it, rng) if it in EVERYDAY else _one(it, rng) for it in kinds]
    return {
        "positions": np.concatenate(parts).astype(np.float32),
        "lengths": np.array([len(part) for part in parts], np.int64),
        "joints": np.array([*JOINTS, "left_hip"]),
        "names": np.array([f"{kind}_{number}" for number, kind in enumerate(kinds)]),
        "fps": np.array(round(RATE)),
    }


def write_motion(path: Path, motion: str, count: int, seed: int) -> None:
    """Write such a file."""
    with path.open("wb") as file:
        np.savez_compressed(file, **make_motion(motion, count, seed))


def motion_episodes(motion: str, count: int, seed: int) -> list[MotionEpisode]:
    """Return such recordings as they are read."""
    made = make_motion(motion, count, seed)
    ends = np.cumsum(made["lengths"])[:-1]
    return [
        MotionEpisode(f"{motion}/{name}", "", it[:, :7].astype(np.float64), it[:, 7].astype(float))
        for name, it in zip(made["names"], np.split(made["positions"], ends), strict=True)
    ]


def _one(motion: str, rng: np.random.Generator) -> Floats:
    waits, dwells = rng.uniform(1.0, 1.6), rng.uniform(1.2, 1.8)
    if motion == "offer":
        dwells = rng.uniform(7.0, 8.0)
    out, back = rng.uniform(0.9, 1.2), rng.uniform(0.9, 1.2)
    rest = np.array((REST[0], -REST[1], REST[2])) + rng.normal(0.0, 0.02, 3)
    target = np.array((0.62, -0.08, 1.15)) + rng.normal(0.0, 0.03, 3)
    bow = rng.normal(0.0, 0.03, 3) + np.array((0.0, 0.0, 0.05))
    share = np.concatenate(
        [np.zeros(_frames(waits)), _jerk(out), np.ones(_frames(dwells)), _jerk(back)[::-1]]
    )
    if motion == "leave":
        share = np.zeros(_frames(waits + 4.0))
    share = np.concatenate([share, np.zeros(_frames(1.0))])
    n, t = len(share), np.arange(len(share)) / RATE
    sway = 0.006 * np.sin(2 * np.pi * (0.25 * t + rng.random()))
    lean = 0.1 * share + sway
    walked = np.zeros((n, 3))
    if motion == "leave":
        pace = np.minimum(smooth((t - waits) / STARTS), smooth((t[-1] - t) / STARTS))
        walked[:, 0] = -np.cumsum(WALK * pace) / RATE
    body = np.zeros((n, 8, 3))
    body[:, 0] = np.array((0.0, 0.0, NECK)) + np.outer(lean, (1.0, 0.0, -0.15))
    for side, sign in ((0, 1.0), (1, -1.0)):
        shoulder = body[:, 0] + np.array(SHOULDER) * np.array((1.0, sign, 1.0))
        wrist: Floats
        if side == 0:
            wrist = np.array(REST) + lean[:, None] * np.array((1.0, 0.0, 0.0))
        else:
            bend = (4 * share * (1 - share))[:, None] * bow
            wrist = rest + share[:, None] * (target - rest) + bend
        body[:, 1 + side], body[:, 5 + side] = shoulder, wrist
        body[:, 3 + side] = elbow(shoulder, wrist, sign, UPPER, FORE)
    body[:, 7] = (0.0, 0.12, HIPS)
    return body + walked[:, None]


def _jerk(seconds: float) -> Floats:
    return smooth(np.linspace(0.0, 1.0, _frames(seconds)))


def _frames(seconds: float) -> int:
    return max(2, round(seconds * RATE))
