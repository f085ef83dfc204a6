"""Rows of joints that are followed at a variable rate, slowed by whoever guards the robot."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from treec.envs.sapien.motion.frames import Array, Index
from treec.envs.sapien.motion.timing import CONTROL

if TYPE_CHECKING:
    from treec.envs.sapien.motion.motion import Motion

Guard = Callable[[Index, Array, Array, float], float]
"""`SeparationGuard.share`."""

SLEW = 1.0 / 10
"""Largest change of the rate in a control step: from full speed to rest in a sixth of a second."""

_AHEAD = 4  # control steps


class Rail:
    """Joints on their way along rows (n, joints), one per control step at full rate."""

    def __init__(self, motion: Motion, joints: Index, rows: Array) -> None:
        self._motion = motion
        self._joints = joints
        self._drives = [motion.robot.joint(motion.robot.joints[i]) for i in joints]
        self.rows = rows
        self.place = 0.0
        """The row that it is at."""
        self.rate = 0.0

    @property
    def last(self) -> float:
        """The number of the last row."""
        return len(self.rows) - 1.0

    @property
    def is_still(self) -> bool:
        """Whether it stands still."""
        return self.rate == 0.0

    def step(self, wanted: float = 1.0) -> None:
        """Drive on for a control step, at most at the rate that is ``wanted`` (-1 to 1)."""
        guard = self._motion.guard
        if guard is not None and wanted:
            to = self.place + _AHEAD * np.sign(wanted)
            steps = abs(float(np.clip(to, 0.0, self.last)) - self.place)
            if steps > 1e-6:
                share = guard(self._joints, self._row(self.place), self._row(to), steps)
                wanted = float(np.clip(wanted, -share, share))
        self.rate += float(np.clip(wanted - self.rate, -SLEW, SLEW))
        if abs(self.rate) < 1e-9:
            self.rate = 0.0
        self.place = float(np.clip(self.place + self.rate, 0.0, self.last))
        if self.place in (0.0, self.last) and self.rate * (self.place or -1.0) > 0:
            self.rate = 0.0  # at an end
        row = self._row(self.place)
        after = self._row(self.place + self.rate)
        for drive, target, speed in zip(self._drives, row, (after - row) / CONTROL, strict=True):
            drive.set_drive_target(float(target))
            drive.set_drive_velocity_target(float(speed))

    def _row(self, place: float) -> Array:
        place = float(np.clip(place, 0.0, self.last))
        low = min(int(place), max(len(self.rows) - 2, 0))
        high = min(low + 1, len(self.rows) - 1)
        share = place - low
        found: Array = (1 - share) * self.rows[low] + share * self.rows[high]
        return found
