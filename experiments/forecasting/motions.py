"""Recorded motions for trials beside a person: which are used, and how they are written."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from treec_forecasting import forecaster
from treec_forecasting.everyday_motion import smooth
from treec_forecasting.live import FASTEST
from treec_sapien.people.recordings import Floats, MotionEpisode
from treec_sapien.people.skeleton import JOINTS, RATE
from treec_sapien.person.figure import points

METHODS = {"Current": "zero_velocity", "Base": "without_noise", "Ours": "steady"}
"""The forecaster of each row of the table."""

REACHES, QUICK = 0.45, 0.5
"""A recording is used if a hand comes that far (m) from the neck, at that speed (m/s) at least.

Above `FASTEST` tracking has lost the hand.
"""


def reaches_out(episode: MotionEpisode) -> bool:
    """Whether a hand comes far from the neck in a recording, from nearer by, and quickly."""
    far = _reach(episode.joints)
    at = int(np.argmax(far))
    wrists = episode.joints[:, 5:7]
    speed = np.linalg.norm(np.diff(wrists, axis=0), axis=-1).max() * RATE
    human = QUICK < speed < FASTEST
    return bool(far[at] > REACHES and at > 15 and human and far[0] < far[at] - 0.1)


def held_out(episodes: list[MotionEpisode], path: Path) -> list[MotionEpisode]:
    """The recordings that no forecaster saw; all, of a file that none was trained on."""
    folders = [forecaster.SHIPPED / name for name in METHODS.values()]
    cards = [forecaster.read_card(it)[1] for it in folders if (it / forecaster.MADE).is_file()]
    kept = forecaster.unseen_by_all(cards, path)
    return [it for it in episodes if kept is None or it.recording.partition("/")[2] in kept]


def write_motion(path: Path, joints: Floats) -> None:
    """Write a motion (n, 7, 3) at 25 Hz as a file that `people:` names."""
    np.savez(path, positions=joints, lengths=[len(joints)], joints=list(JOINTS), fps=RATE)


def up_to_reach(joints: Floats, hold: float = 10.0, last: float = np.inf) -> Floats:
    """Return the motion up to where a hand reaches farthest, held there for some seconds.

    At most the ``last`` seconds before: what was done earlier was done at another height.
    """
    at = int(np.argmax(_reach(joints)))
    begin = max(0, at - round(last * RATE)) if np.isfinite(last) else 0
    held = np.repeat(joints[at : at + 1], int(hold * RATE), 0)
    return np.concatenate([joints[begin : at + 1], held])


def coming(joints: Floats, away: float, seconds: float, turn: float = 0.0) -> Floats:
    """Return the motion begun ``away`` metres behind where it was recorded, walked in so long.

    The body is moved as it stands at first, with minimum jerk, along the way to its hand; or along
    a way at an angle to that (``turn``, rad; to the left as seen from above).
    """
    at = int(np.argmax(_reach(joints)))
    body = points(joints)[at]
    wrists = body[5:7] - body[0]
    way = wrists[np.argmax(np.linalg.norm(wrists[:, :2], axis=1))] * (1.0, 1.0, 0.0)
    left = 1.0 - smooth(np.linspace(0, 1, round(seconds * RATE), endpoint=False))
    c, s = np.cos(turn), np.sin(turn)
    behind = -away * np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ way / np.linalg.norm(way)
    return np.concatenate([joints[:1] + left[:, None, None] * behind, joints])


def _reach(joints: Floats) -> Floats:
    wrists = points(joints)[:, 5:7]
    return np.asarray(np.linalg.norm((wrists - joints[:, :1])[..., :2], axis=-1).max(axis=1))
