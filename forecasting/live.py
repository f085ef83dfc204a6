"""A forecaster at work: from tracked poses to a person's outlook, many times a second.

Poses that cannot be right (a joint faster than a person moves, left and right swapped) are left out
and bridged. Where there is nothing to forecast from, or the model fails, the outlook is the last
pose, with the reason, and everybody keeps further away.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treec.envs.people.recordings import Floats
from treec.envs.people.skeleton import FUTURE, PAST, RATE
from treec.envs.sapien.person.outlook import PersonOutlook, nothing_known
from treec.envs.sapien.person.person import absent
from treec.envs.sapien.person.separation import assumed_speed
from treec.forecasting.baselines import BASELINES
from treec.forecasting.files import ForecasterFile
from treec.forecasting.windows import MotionWindows, facing

if TYPE_CHECKING:
    from treec.envs.sapien.person.tracking import JointTracking, TrackedPose

FASTEST = 4.0
"""Speed (m/s) above which a joint's move is no person's."""

SLACK = 0.08
"""Metres that noise may add to such a move."""

HIP = np.array((0.013, 0.077, -0.498))
"""From the neck to the left hip (m; forward, left, up): the mean of the recorded handovers.

Cameras track seven joints, and the networks were trained with the hip as the root.
"""

RESTART = 0.4
"""Seconds without a plausible pose after which the next one is believed."""

WIDEST = 0.15
"""Largest spread (m) that is told: a margin for all of a second would leave no room to work."""

STILL = 0.03
"""Metres between the means of five frames and the five before, below which a person stands still,
and is forecast to stay.

Networks that were trained on people who are always about to do something expect it of everybody.
"""

Model = Callable[[Floats], tuple[Floats, Floats]]
"""From the past (10, 8, 3; joints and root) to joints (25, 7, 3) and their spread (25)."""


class LiveForecaster:
    """Makes outlooks of one person; called with the time and the poses that have arrived."""

    def __init__(self, spec: ForecasterFile, model: Model | str) -> None:
        self.spec = spec
        self._model = model if callable(model) else None
        self._why = "" if callable(model) else model
        self._seen: deque[tuple[float, Floats]] = deque(maxlen=64)
        self._count = 0
        self._absent: float | None = None
        self.rejected = 0
        """How many poses were not believed."""
        self.milliseconds: list[float] = []
        """What each forecast took."""

    def __call__(self, now: float, tracking: JointTracking) -> PersonOutlook:
        """Return the outlook at a time of the run."""
        new = tracking.count - self._count
        self._count = tracking.count
        for pose in list(tracking.poses)[len(tracking.poses) - min(new, len(tracking.poses)) :]:
            self._take(pose)
        if self._absent is not None:
            return absent(now, self._absent)
        if not self._seen:
            return nothing_known(now, "no pose has come", self.spec.further)
        age = now - self._seen[-1][0]
        if age > self.spec.lost:
            return self._present(now, "lost", f"no pose for {age:.1f} s")
        if age > self.spec.stale:
            return self._present(now, "present", f"the last pose is {age:.1f} s old")
        if self._model is None:
            return self._present(now, "present", self._why)
        past = self._past()
        if past is None:
            return self._present(now, "present", "not seen for long enough")
        began = time.perf_counter()
        try:
            joints, spread = (stay if stands_still(past) else self._model)(past)
        except Exception as error:  # a model is anybody's
            return self._present(now, "present", f"the model failed: {type(error).__name__}")
        self.milliseconds.append(1000 * (time.perf_counter() - began))
        if not (np.isfinite(joints).all() and np.isfinite(spread).all()):
            return self._present(now, "present", "the model gave no numbers")
        seen, last = self._seen[-1]
        times = seen + np.arange(FUTURE + 1) / RATE
        return PersonOutlook(
            now,
            seen,
            "forecast",
            times,
            np.concatenate([last[None], joints]),
            np.minimum(np.concatenate([spread[:1], spread]), WIDEST),
            person_speed=speed_beyond(past, joints),
        )

    def _take(self, pose: TrackedPose) -> None:
        if pose.joints is None:
            self._seen.clear()
            self._absent = pose.time
            return
        self._absent = None
        if self._seen:
            seen, last = self._seen[-1]
            passed = pose.time - seen
            moved = float(np.linalg.norm(pose.joints - last, axis=1).max())
            if moved > SLACK + FASTEST * passed and passed < RESTART:
                self.rejected += 1
                return
            if passed >= RESTART:
                self._seen.clear()
        self._seen.append((pose.time, pose.joints))

    def _past(self) -> Floats | None:
        """The last ten frames at 25 Hz, gaps bridged; None if they are not there."""
        times = np.array([it[0] for it in self._seen])
        wanted = times[-1] - np.arange(PAST - 1, -1, -1) / RATE
        if times[0] > wanted[0] + 0.5 / RATE:
            return None
        poses = np.array([it[1] for it in self._seen]).reshape(len(times), -1)
        rows = np.stack([np.interp(wanted, times, column) for column in poses.T], axis=1)
        joints = rows.reshape(PAST, 7, 3)
        _, turn = facing(np.concatenate([joints, joints[:, :1]], axis=1)[None].astype(np.float32))
        root = joints[:, :1] + turn[0] @ HIP
        return np.asarray(np.concatenate([joints, root], axis=1))

    def _present(self, now: float, basis: str, why: str) -> PersonOutlook:
        seen, last = self._seen[-1]
        error = np.array((2 * self.spec.joints.simulator.sigma,))
        return PersonOutlook(
            now,
            seen,
            basis,  # type: ignore[arg-type]
            np.array((seen,)),
            last[None],
            error,
            self.spec.further,
            why,
        )


def speed_beyond(past: Floats, joints: Floats) -> float:
    """Return the speed (m/s) that is to be assumed of a person beyond their forecast (25, 7, 3).

    It is what the joints' speeds in the forecast's first fifth of a second lack of those in the
    last one seen (10, 8, 3): all of them for a forecast that everybody stays as they are. See
    `assumed_speed`, which has a least speed.
    """
    half, seconds = PAST // 2, (PAST // 2) / RATE
    before, last = past[:half, :7].mean(axis=0), past[half:, :7].mean(axis=0)
    measured = np.linalg.norm(last - before, axis=1) / seconds
    forecast = np.linalg.norm(joints[half] - joints[0], axis=1) / seconds
    return assumed_speed(measured, forecast)


def stands_still(past: Floats) -> bool:
    """Whether no joint has moved in the frames seen (10, 8, 3), as far as noise lets tell."""
    moved = past[PAST // 2 :].mean(axis=0) - past[: PAST // 2].mean(axis=0)
    return bool(np.linalg.norm(moved, axis=1).max() < STILL)


def stay(past: Floats) -> tuple[Floats, Floats]:
    """Forecast that nothing moves."""
    joints = past[PAST // 2 :, :7].mean(axis=0)
    return np.repeat(joints[None], FUTURE, axis=0), np.full(FUTURE, 0.03)


def open_model(name: str, root: Path) -> Model | str:
    """Return the model of a forecaster file; or why there is none."""
    if name in BASELINES:
        return _baseline(name)
    from treec.forecasting import forecaster

    try:
        network = forecaster.load(forecaster.find(name, root))
    except (forecaster.ForecasterError, OSError) as error:
        return str(error)
    has = np.zeros((PAST, 2), np.float32)
    starts = np.zeros(1, np.int64)

    def model(past: Floats) -> tuple[Floats, Floats]:
        frames = np.zeros((PAST, 16, 3), np.float32)
        frames[:, :8] = past
        found = network.forecast(MotionWindows(frames, has, starts, starts), starts)
        joints = found.points[0, :, :7].astype(np.float64)
        if found.spread is None:
            return joints, 0.1 * np.arange(1, FUTURE + 1) / FUTURE
        return joints, found.spread[0].max(axis=1).astype(np.float64)

    return model


def _baseline(name: str) -> Model:
    extrapolate = BASELINES[name]

    def model(past: Floats) -> tuple[Floats, Floats]:
        joints = extrapolate(past[None].astype(np.float32))[0, :, :7].astype(np.float64)
        return joints, np.full(FUTURE, 0.02)

    return model
