"""A forecaster at work: from tracked poses to a person's outlook, many times a second.

Poses that cannot be right (a joint faster than a person moves, left and right swapped) are left out
and bridged, and so is one joint that is off for a moment (:mod:`.spikes`). A joint that is hidden
is carried along by the neck, and the body is taken to be wider there. Where there is nothing to
forecast from, or the model fails, the outlook is the last pose, with the reason, and all keep
further away.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from treec_forecasting.baselines import BASELINES
from treec_forecasting.files import ForecasterFile
from treec_forecasting.occluded_joints import HiddenJoints
from treec_forecasting.spikes import Mask, are_led_to, noise_of, without_spikes
from treec_forecasting.windows import MotionWindows, facing
from treec_sapien.people.recordings import Floats
from treec_sapien.people.skeleton import FUTURE, JOINTS, PAST, RATE
from treec_sapien.person.figure import capsule_widths
from treec_sapien.person.outlook import PersonOutlook, nothing_known
from treec_sapien.person.separation import SLOW, lacking_speed
from treec_sapien.person.watched import absent

if TYPE_CHECKING:
    from treec_sapien.person.tracking import JointSource, TrackedPose

FASTEST = 4.0
"""Speed (m/s) above which a joint's move is not a person's."""

SLACK = 0.08
"""Metres that noise may add to such a move."""

HIP = np.array((0.013, 0.077, -0.498))
"""From the neck to the left hip (m; forward, left, up): the mean of the recorded handovers.

Cameras track seven joints, and the networks were trained with the hip as the root.
"""

RESTART = 0.4
"""Seconds without a plausible pose after which the next one is believed."""

WIDEST = 0.15
"""Largest spread (m) that is reported: a margin for all of a second would leave no room to work."""

STILL, STILL_NOISE = 0.03, 2.2
"""Metres between the means of five frames and the five before, below which a person stands still,
and is forecast to stay; the second times the standard deviation of the noise, where that is more.

Networks that were trained on people who are always about to do something expect it of everybody.
"""

SETTLED = 0.2
"""Seconds for which somebody who has moved must stand still to be forecast to stay: who comes
slowly, or turns, looks for a moment as if they stood still."""

DOUBT, ONWARD = 0.6, 0.8
"""Speed (m/s) that a forecast lacks from which on it may not know the motion (someone who walks
backwards, say): then they may go on as they do, too, for so many seconds."""

_SEEN = 16  # poses: those that the network sees, and some to tell spikes by

Model = Callable[[Floats], tuple[Floats, Floats]]
"""From the past (10, 8, 3; joints and root) to joints (25, 7, 3) and their spread (25)."""


class LiveForecaster:
    """Makes outlooks of one person; called with the time and the poses that have arrived."""

    def __init__(self, spec: ForecasterFile, model: Model | str) -> None:
        self.spec = spec
        self._model = model if callable(model) else None
        self._why = "" if callable(model) else model
        self._seen: deque[tuple[float, Floats, Mask, Mask]] = deque(maxlen=_SEEN)
        self._joints = HiddenJoints()
        self._sigma = self._lasting = 0.0
        self._lacks = ""
        self._count = 0
        self._moved = -np.inf
        self._absent: float | None = None
        self.rejected = 0
        """How many poses were not believed."""
        self.milliseconds: list[float] = []
        """What each forecast took."""

    def __call__(self, now: float, tracking: JointSource) -> PersonOutlook:
        """Return the outlook at a time of the run."""
        new = tracking.count - self._count
        self._count = tracking.count
        self._sigma, self._lasting = tracking.sigma, tracking.lasting
        for pose in list(tracking.poses)[len(tracking.poses) - min(new, len(tracking.poses)) :]:
            self._take(pose)
        if self._absent is not None:
            return absent(now, self._absent)
        why = tracking.why or self._lacks
        because = f": {why}" if why else ""
        if not self._seen:
            return nothing_known(now, f"no pose has come{because}", self.spec.further)
        age = now - self._seen[-1][0]
        if age > self.spec.lost:
            return self._present(now, "lost", f"no pose for {age:.1f} s{because}")
        if age > self.spec.stale:
            return self._present(now, "present", f"the last pose is {age:.1f} s old{because}")
        if self._model is None:
            return self._present(now, "present", self._why)
        past = self._past()
        if past is None:
            return self._present(now, "present", "not seen for long enough")
        began = time.perf_counter()
        try:
            still = stands_still(past, self._noise())
            if not still:
                self._moved = now
            still = still and now - self._moved > SETTLED
            joints, spread = (stay if still else self._model)(past)
        except Exception as error:  # a model is anybody's
            return self._present(now, "present", f"the model failed: {type(error).__name__}")
        self.milliseconds.append(1000 * (time.perf_counter() - began))
        if not (np.isfinite(joints).all() and np.isfinite(spread).all()):
            return self._present(now, "present", "the model gave no numbers")
        seen, last = self._seen[-1][0], past[-1, :7]
        times = seen + np.arange(FUTURE + 1) / RATE
        lacking = 0.0 if still else speed_beyond(past, joints)
        doubted = lacking > DOUBT and not isinstance(self._model, Baseline)
        return PersonOutlook(
            now,
            seen,
            "forecast",
            times,
            np.concatenate([last[None], joints]),
            np.minimum(np.concatenate([spread[:1], spread]), WIDEST) + self._lasting,
            person_speed=max(SLOW, lacking),
            lacking=lacking,
            why=self._hidden(now),
            onward=goes_on(past) if doubted else None,
            wider=self._wider(now),
        )

    def _take(self, pose: TrackedPose) -> None:
        if pose.joints is None:
            self._seen.clear()
            self._joints.forget()
            self._absent = pose.time
            return
        self._absent = None
        hidden = np.isnan(pose.joints).any(axis=1)
        if hidden[:3].all():
            self._lacks = "neither shoulder is seen"
            return
        joints, neck = self._joints.carried(pose.joints, hidden)
        if np.isnan(joints).any():
            self._lacks = f"the {_named(int(np.argmax(np.isnan(joints[:, 0]))))} is not seen yet"
            if not hidden[0]:
                self._joints.believe(pose.time, joints, ~hidden, hidden, neck)
            return
        self._lacks = ""
        passed = pose.time - self._seen[-1][0] if self._seen else np.inf
        if passed >= RESTART:
            self._seen.clear()
            known = ~hidden
        else:
            moved = np.linalg.norm(joints - self._joints.place, axis=1)
            known = hidden | (moved <= SLACK + FASTEST * (pose.time - self._joints.at))
            if np.count_nonzero(~known) > 1:
                self.rejected += 1
                return
            known &= are_led_to(*self._kept(), pose.time, joints) & ~hidden
        joints = self._joints.believe(pose.time, joints, known, hidden, neck)
        self._seen.append((pose.time, joints, known, hidden))

    def _hidden(self, now: float) -> str:
        """Which joint has been hidden longest, if that is long."""
        hidden = self._joints.hidden_for(now, self._seen[-1][3])
        if hidden.max() <= self.spec.lost:
            return ""
        return f"the {_named(int(np.argmax(hidden)))} is hidden"

    def _wider(self, now: float) -> Floats | None:
        """How far (9; m) the body's capsules may be off that have hidden joints; None if none is.

        `ForecasterFile.further` is the most: a hand that nobody sees is not taken to be anywhere.
        """
        widths = self._joints.widths(now, self._seen[-1][3], self.spec.further)
        return capsule_widths(widths) if widths.any() else None

    def _past(self) -> Floats | None:
        """The last ten frames at 25 Hz, gaps bridged; None if they are not there."""
        times, poses = self._smooth()
        wanted = times[-1] - np.arange(PAST - 1, -1, -1) / RATE
        if times[0] > wanted[0] + 0.5 / RATE:
            return None
        columns = poses.reshape(len(times), -1).T
        rows = np.stack([np.interp(wanted, times, column) for column in columns], axis=1)
        joints = rows.reshape(PAST, 7, 3)
        _, turn = facing(np.concatenate([joints, joints[:, :1]], axis=1)[None].astype(np.float32))
        root = joints[:, :1] + turn[0] @ HIP
        return np.asarray(np.concatenate([joints, root], axis=1))

    def _noise(self) -> float:
        """The standard deviation (m) of noise that makes `PAST` poses as uncertain as these are."""
        times, poses = self._smooth()
        last = times > times[-1] - PAST / RATE
        share = max(float(last.sum()), 1.0) / PAST
        return noise_of(times, poses) / float(np.sqrt(share))

    def _smooth(self) -> tuple[Floats, Floats]:
        """Times (n) of the last poses, and the poses (n, 7, 3) without spikes and gaps.

        Joints that are hidden since move on with the neck.
        """
        times, poses, known = self._kept()
        hidden = np.array([it[3] for it in self._seen])
        since = np.logical_and.accumulate(hidden[::-1])[::-1]
        return times, np.where(since[..., None], poses, without_spikes(times, poses, known))

    def _kept(self) -> tuple[Floats, Floats, Mask]:
        """Times (n) of the last poses, the poses (n, 7, 3), and which joints are led to (n, 7)."""
        times, poses, known, _ = zip(*self._seen, strict=True)
        return np.array(times), np.array(poses), np.array(known)

    def _present(self, now: float, basis: str, why: str) -> PersonOutlook:
        times, poses = self._smooth()
        seen, last = float(times[-1]), poses[-1]
        error = np.array((2 * self._sigma,))
        return PersonOutlook(
            now,
            seen,
            basis,  # type: ignore[arg-type]
            np.array((seen,)),
            last[None],
            error,
            self.spec.further,
            why,
            wider=self._wider(now),
        )


def _named(joint: int) -> str:
    return JOINTS[joint].replace("_", " ")


def speed_beyond(past: Floats, joints: Floats) -> float:
    """Return the speed (m/s) that a person has beyond their forecast (25, 7, 3).

    It is what the joints' speeds in the forecast's first fifth of a second lack of those in the
    last one seen (10, 8, 3): all of them for a forecast that everybody stays as they are. See
    `lacking_speed`.
    """
    half, seconds = PAST // 2, (PAST // 2) / RATE
    before, last = past[:half, :7].mean(axis=0), past[half:, :7].mean(axis=0)
    measured = np.linalg.norm(last - before, axis=1) / seconds
    forecast = np.linalg.norm(joints[half] - joints[0], axis=1) / seconds
    return lacking_speed(measured, forecast)


def goes_on(past: Floats) -> Floats:
    """Return the joints (26, 7, 3), now and in the next second, of who goes on as in the past.

    At the mean velocity of the last fifth of a second, for `ONWARD` seconds: people stop.
    """
    last = past[PAST // 2 :, :7]
    times = (np.arange(PAST // 2) - (PAST // 2 - 1)) / RATE
    apart = (times - times.mean())[:, None, None]
    velocity = (apart * last).sum(axis=0) / (apart**2).sum()
    ahead = np.minimum(np.arange(FUTURE + 1) / RATE, ONWARD)[:, None, None]
    return np.asarray(last.mean(axis=0) + (ahead - times.mean()) * velocity)


def stands_still(past: Floats, noise: float = 0.0) -> bool:
    """Whether no joint has moved in the frames seen (10, 8, 3), as far as noise (m) lets tell."""
    moved = past[PAST // 2 :].mean(axis=0) - past[: PAST // 2].mean(axis=0)
    return bool(np.linalg.norm(moved, axis=1).max() < max(STILL, STILL_NOISE * noise))


def stay(past: Floats) -> tuple[Floats, Floats]:
    """Forecast that nothing moves."""
    joints = past[PAST // 2 :, :7].mean(axis=0)
    return np.repeat(joints[None], FUTURE, axis=0), np.full(FUTURE, 0.03)


def open_model(name: str, root: Path) -> Model | str:
    """Return the model of a forecaster file, without its gate; or why there is none.

    Beside a person its gate has gained nothing (docs/results/beside_a_person.md).
    """
    if name in BASELINES:
        return Baseline(name)
    from treec_forecasting import forecaster

    try:
        network = forecaster.load(forecaster.find(name, root), gate=False)
    except (forecaster.ForecasterError, OSError) as error:
        return str(error)
    has = np.zeros((PAST, 2), np.float32)
    starts = np.zeros(1, np.int64)

    def model(past: Floats) -> tuple[Floats, Floats]:
        frames = np.zeros((PAST, 16, 3), np.float32)
        frames[:, :8] = past
        forecasts = network.forecast(MotionWindows(frames, has, starts, starts), starts)
        joints = forecasts.points[0, :, :7].astype(np.float64)
        if forecasts.spread is None:
            return joints, 0.1 * np.arange(1, FUTURE + 1) / FUTURE
        return joints, forecasts.spread[0].max(axis=1).astype(np.float64)

    return model


class Baseline:
    """A forecast by a rule, which is never doubted: it is what it is."""

    def __init__(self, name: str) -> None:
        self._extrapolate = BASELINES[name]

    def __call__(self, past: Floats) -> tuple[Floats, Floats]:
        """Return joints (25, 7, 3) and their spread (25), as `Model`."""
        joints = self._extrapolate(past[None].astype(np.float32))[0, :, :7].astype(np.float64)
        return joints, np.full(FUTURE, 0.02)
