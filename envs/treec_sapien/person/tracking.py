"""A person's joints as a camera's tracking gives them: noisy, late, with gaps and faults."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from treec_sapien.motion.frames import Array
from treec_sapien.people.skeleton import MIRRORED

_KEPT = 64


@dataclass(frozen=True)
class TrackingNoise:
    """Errors of tracked joints.

    ``sigma`` (m) is the standard deviation of each coordinate, independent in each frame; a pose
    arrives ``delay`` seconds after it was taken; a share ``dropout`` of the poses is missing.
    Faults are shares, too: left and right are swapped (``swaps``), or one joint is up to half a
    metre off (``jumps``). ``unnoticed`` seconds of the delay are not in the time stamps.
    """

    sigma: float = 0.01
    delay: float = 0.1
    dropout: float = 0.02
    swaps: float = 0.0
    jumps: float = 0.0
    unnoticed: float = 0.0


@dataclass(frozen=True)
class TrackedPose:
    """Joints (7, 3) with their time stamp (s), NaN for those that are hidden.

    None: the person is known not to be there.
    """

    time: float
    joints: Array | None


class JointSource(Protocol):
    """What tells joints: `take` is called every 1/25 s, `arrive` at each control step."""

    poses: deque[TrackedPose]
    """What has arrived, oldest first."""
    count: int
    """How many poses have arrived."""
    why: str
    """Why no more of them have; empty if that is as it should be."""

    @property
    def sigma(self) -> float:
        """Standard deviation (m) of each coordinate."""

    @property
    def lasting(self) -> float:
        """How far (m) joints may be off for long, which nobody finds by comparing poses."""

    def take(self, now: float, joints: Array | None) -> None:
        """Take a pose at a time of the run; ``joints`` is the truth, for who simulates errors."""

    def arrive(self, now: float) -> None:
        """Hand out what has arrived by now."""


class JointTracking:
    """Takes a pose every 1/25 s and hands it out when it arrives; equal seeds give equal errors."""

    def __init__(self, noise: TrackingNoise, seed: int) -> None:
        self.noise = noise
        self.why = ""
        self._rng = np.random.default_rng(seed)
        self._under_way: deque[tuple[float, TrackedPose]] = deque()
        self.poses: deque[TrackedPose] = deque(maxlen=_KEPT)
        """What has arrived, oldest first."""
        self.count = 0
        """How many poses have arrived."""

    @property
    def sigma(self) -> float:
        """Standard deviation (m) of each coordinate."""
        return self.noise.sigma

    @property
    def lasting(self) -> float:
        """Return 0: each pose has errors of its own, and forecasters are trained with these."""
        return 0.0

    def take(self, now: float, joints: Array | None) -> None:
        """Take a pose of the person as they are."""
        noise, rng = self.noise, self._rng
        error = rng.normal(0.0, noise.sigma, (7, 3)) if noise.sigma else np.zeros((7, 3))
        lost, swapped, jumped = rng.random(3)
        joint, jump = int(rng.integers(7)), rng.uniform(-0.5, 0.5, 3)
        if lost < noise.dropout:
            return
        if joints is not None:
            joints = joints + error
            if swapped < noise.swaps:
                joints = joints[list(MIRRORED)]
            if jumped < noise.jumps:
                joints[joint] += jump
        stamp = now + min(noise.unnoticed, noise.delay)
        self._under_way.append((now + noise.delay, TrackedPose(stamp, joints)))

    def arrive(self, now: float) -> None:
        """Hand out what has arrived by now."""
        while self._under_way and self._under_way[0][0] <= now + 1e-9:
            self.poses.append(self._under_way.popleft()[1])
            self.count += 1
