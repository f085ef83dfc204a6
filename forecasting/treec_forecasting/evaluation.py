"""Evaluates baselines and forecasters on windows of motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from treec_forecasting.baselines import BASELINES
from treec_forecasting.forecaster import LEVELS, Forecaster, Forecasts
from treec_forecasting.metrics import MeanError, displacement, summarize
from treec_forecasting.windows import MotionWindows, motion_of, transitions
from treec_sapien.people.recordings import MotionEpisode
from treec_sapien.people.skeleton import PAST


@dataclass(frozen=True)
class Corruption:
    """What a depth camera does to the joints seen: noise (m) and lost joints (share)."""

    noise: float = 0.0
    lost: float = 0.0
    seed: int = 0

    @property
    def nothing(self) -> bool:
        """Whether all stays as it is."""
        return not (self.noise or self.lost)


@dataclass(frozen=True)
class Row:
    """A method's errors: mode → metric → mean error.

    Modes are ``relative`` to the root, as most papers have it, and in the ``scene``, with
    translation kept.
    """

    method: str
    errors: Mapping[str, Mapping[str, MeanError]]
    milliseconds: float | None = None
    coverage: Mapping[str, float] | None = None
    """Share of joints within so many spreads, and the share that was meant."""


@dataclass(frozen=True)
class ForecastTable:
    """All rows, with the number of windows, transitions, recordings, and people's episodes."""

    windows: int
    transitions: int
    recordings: int
    episodes: int
    rows: Sequence[Row]


def evaluate(
    episodes: Sequence[MotionEpisode],
    forecasters: Mapping[str, Forecaster],
    corruption: Corruption = Corruption(),
    report: Callable[[str], None] = lambda _: None,
) -> ForecastTable:
    """Compare forecasts with what happened in all windows, one every 0.2 s.

    Forecasts relative to the root are compared relative to the true root of each frame. Standard
    errors take all windows of a recording together, of both people: they move in response to each
    other. Raises ValueError if no episode has a whole window.
    """
    motion = motion_of(episodes)
    if not len(motion.starts):
        raise ValueError("no recording is as long as a window (1.4 s)")
    seen = corrupted(motion, corruption)
    truth = motion.window(motion.starts)[:, PAST:, :8]
    near = transitions(motion)
    episode = motion.episode[motion.starts]
    names = [it.recording for it in episodes]
    recording = np.unique(names, return_inverse=True)[1].astype(np.int64)[episode]
    rows = []
    for name, baseline in BASELINES.items():
        report(name)
        past = seen.frames[motion.starts[:, None] + np.arange(PAST)][:, :, :8]
        points = baseline(past)
        rows.append(Row(name, _errors(points, truth, recording, near)))
    for name, forecaster in forecasters.items():
        report(name)
        forecasts = forecaster.forecast(seen, motion.starts)
        coverage = covered(forecasts, truth)
        errors = _errors(forecasts.points, truth, recording, near)
        rows.append(Row(name, errors, forecasts.milliseconds, coverage))
    counts = (len(motion.starts), int(near.sum()), len(set(recording)), len(set(episode)))
    return ForecastTable(*counts, rows)


def _errors(
    points: npt.NDArray[np.float32],
    truth: npt.NDArray[np.float32],
    recording: npt.NDArray[np.int64],
    near: npt.NDArray[np.bool_],
) -> dict[str, Mapping[str, MeanError]]:
    scene = displacement(points[:, :, :7], truth[:, :, :7])
    relative = displacement(points[:, :, :7] - points[:, :, 7:], truth[:, :, :7] - truth[:, :, 7:])
    return {
        "relative": summarize(relative, recording, near),
        "scene": summarize(scene, recording, near),
    }


def covered(forecasts: Forecasts, truth: npt.NDArray[np.float32]) -> dict[str, float] | None:
    """Return how many joints lie within the radius that should hold a share of them.

    ``truth`` (w, 25, 8, 3). None for forecasts without a spread.
    """
    if forecasts.spread is None or forecasts.quantiles is None:
        return None
    off = np.linalg.norm(forecasts.points[:, :, :7] - truth[:, :, :7], axis=-1)
    ratio = off / forecasts.spread
    return {
        f"{level:g}": float((ratio <= forecasts.quantiles[:, number, :, None]).mean())
        for number, level in enumerate(LEVELS)
    }


def corrupted(motion: MotionWindows, corruption: Corruption) -> MotionWindows:
    """Return the motion as a tracker with errors sees it; a lost joint stays where it was.

    The joints of the person and of the partner have these errors. The root has them as a joint,
    the thing none.
    """
    if corruption.nothing:
        return motion
    rng = np.random.default_rng(corruption.seed)
    frames = motion.frames.copy()
    first = np.concatenate([[True], np.diff(motion.episode) != 0])
    for seen in (frames[:, :8], frames[:, 8:15]):
        seen += rng.normal(0.0, corruption.noise, seen.shape).astype(np.float32)
        if corruption.lost:
            lost = rng.random(seen.shape[:2]) < corruption.lost
            lost[first] = False
            at = np.where(lost, 0, np.arange(len(seen))[:, None])
            at = np.maximum.accumulate(at, axis=0)
            seen[:] = np.take_along_axis(seen, at[:, :, None], axis=0)
    return MotionWindows(frames, motion.has, motion.starts, motion.episode)
