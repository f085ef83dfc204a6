"""Rows of joints that are followed at a variable rate, slowed by whoever guards the robot.

Since others cannot know when it will be where, it looks out for the robot's other arms as it goes.
Joints that somebody has pushed off their rows, where they gave way, first come back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from treec_sapien.motion.failure import MotionFailure
from treec_sapien.motion.frames import Array, Index
from treec_sapien.motion.kinematic_tree import Mask
from treec_sapien.motion.timing import CONTROL

if TYPE_CHECKING:
    from treec_sapien.motion.motion import Motion


class MotionGuard(Protocol):
    """What limits a robot's speed where people are: `SeparationGuard`."""

    held_up_by: str

    @property
    def bodies(self) -> Mapping[str, Sequence[Any]]:
        """The entities of each person's body, by the person's name."""

    def margins(self) -> Mapping[str, float]:
        """Return how far (m) from each person a robot is not stopped that drives by slowly."""

    def share(self, joints: Index, here: Array, ahead: Array, steps: float) -> float:
        """Return the share (0 to 1) of its speed that the robot may have on its way ahead."""

    def reason(self, person: str) -> str:
        """Return in words why that person holds it up."""

    def leaves_room(self, rows: Array) -> Mask:
        """Return which configurations (n, joints) nobody keeps the robot from, who stays."""


SLEW = 1.0 / 10
"""Largest change of the rate in a control step: from full speed to rest in a sixth of a second."""

LOOKS = 6
"""Control steps between two looks for the other arms."""

VIEW = 24
"""Control steps ahead in which they are looked for: to stop, and until the look after the next."""

RETURN = 0.3
"""Speed (rad/s, m/s) of the fastest joint on its way back to the rows."""

HELD_UP = 0.05
"""Share of its speed below which a robot is held up by who leaves it no more."""

_AHEAD = 4  # control steps
_OFF = 1e-3  # rad or m from the rows: somewhere else
_STANDOFF = 60
"""Control steps after which the later one of two arms in each other's way goes back."""

_PATIENCE = 600  # control steps; twice that for who set out first, so that one of two gives up


class Rail:
    """Joints on their way along rows (n, joints), one per control step at full rate.

    ``who`` publishes what is left of them in the robot's traffic, until `leave`.
    """

    def __init__(self, motion: Motion, who: str, joints: Index, rows: Array) -> None:
        self._motion = motion
        self._who = who
        self._joints = joints
        self._drives = [motion.robot.joint(motion.robot.joints[i]) for i in joints]
        self.rows = rows
        self.place = 0.0
        """The row that it is at."""
        self.rate = 0.0
        self._off = np.zeros(len(joints))  # from the row, if it was pushed off it
        self.held_up_by = ""
        """Who kept it from going on in the last step, if it was a person."""
        self._way = 0.0
        self._next_look = 0
        self._is_clear = True
        self._waited = 0
        self._goes_back = False

    @property
    def last(self) -> float:
        """The number of the last row."""
        return len(self.rows) - 1.0

    @property
    def is_still(self) -> bool:
        """Whether it stands still."""
        return self.rate == 0.0

    def step(self, wanted: float = 1.0, *, slew: float = SLEW) -> None:
        """Drive on for a control step, at most at the rate that is ``wanted`` (-1 to 1).

        The rate changes by ``slew`` at most. Where this arm and another stand in each other's way,
        the one that set out later goes back the way it came until the first goes on.

        Raises MotionFailure("blocked") if another arm of the robot has been in the way for
        10 s, or 20 s of who set out first.
        """
        way, self.held_up_by = float(np.sign(wanted)), ""
        guard = self._motion.guard
        if guard is not None:
            off = self._motion.robot.targets()[self._joints] - self._row(self.place)
            self._off = off if np.abs(off).max() > _OFF else np.zeros(len(off))
        if not self._look_out(way):
            wanted = -way if self._goes_back else 0.0
        if guard is not None and self._off.any():
            self.rate = 0.0
            if wanted:
                self._come_back(self._off, guard)
            return
        if guard is not None and wanted:
            to = self.place + _AHEAD * np.sign(wanted)
            steps = abs(float(np.clip(to, 0.0, self.last)) - self.place)
            if steps > 1e-6:
                share = guard.share(self._joints, self._row(self.place), self._row(to), steps)
                self.held_up_by = guard.held_up_by if share < HELD_UP else ""
                wanted = float(np.clip(wanted, -share, share))
        self.rate += float(np.clip(wanted - self.rate, -slew, slew))
        if abs(self.rate) < 1e-9:
            self.rate = 0.0
        self.place = float(np.clip(self.place + self.rate, 0.0, self.last))
        if self.place in (0.0, self.last) and self.rate * (self.place or -1.0) > 0:
            self.rate = 0.0  # at an end
        row = self._row(self.place)
        self._drive(row, (self._row(self.place + self.rate) - row) / CONTROL)

    def _come_back(self, off: Array, guard: MotionGuard) -> None:
        """Go on straight to the row that it is at, from where it was pushed to, as guarded."""
        row = self._row(self.place)
        step = -off * min(1.0, RETURN * CONTROL / float(np.abs(off).max()))
        share = guard.share(self._joints, row + off, row + off + step, 1.0)
        self.held_up_by = guard.held_up_by if share < HELD_UP else ""
        self._drive(row + off + share * step, share * step / CONTROL)

    def _drive(self, targets: Array, speeds: Array) -> None:
        for drive, target, speed in zip(self._drives, targets, speeds, strict=True):
            drive.set_drive_target(float(target))
            drive.set_drive_velocity_target(float(speed))

    def ahead(self, way: float) -> Array:
        """Return the joints in the next control steps at full rate (`VIEW`): 1 on, -1 back.

        Who was pushed off the rows first comes back to them.
        """
        count = int(np.ceil(np.abs(self._off).max() / (RETURN * CONTROL)))
        back = self._row(self.place) + np.linspace(1, 0, count + 1)[1:, None] * self._off
        on = [self._row(self.place + way * step) for step in range(1, VIEW + 1)]
        return np.concatenate([back, on])[:VIEW]

    def leave(self) -> None:
        """Be under way no more."""
        self._motion.traffic.stop(self._who)

    def _look_out(self, way: float) -> bool:
        """Whether no other arm is in the way: 1 on, -1 back, 0 to stand still."""
        if len(self._motion.arms) == 1:
            return True
        self._next_look -= 1
        if self._next_look <= 0 or way != self._way:
            self._next_look, self._way = LOOKS, way
            self._goes_back = bool(way) and self._gives_way(way)
            self._is_clear = not way or (
                not self._goes_back
                and self._motion.clear_ahead(self._who, self._joints, self.ahead(way))
            )
            going = way if self._is_clear else -way * self._goes_back
            at = round(self.place)
            left = self.rows[at:] if going > 0 else self.rows[: at + 1][::-1]
            self._motion.traffic.set_out(self._who, self._joints, left if going else left[:1])
            self._motion.traffic.hold_up(self._who, held_up=not self._is_clear)
        self._waited = 0 if self._is_clear else self._waited + 1
        first = self._motion.traffic.is_first(self._who)
        if self._waited > _PATIENCE * (1 + first):
            raise MotionFailure("blocked", "the other arm is in the way")
        return self._is_clear

    def _gives_way(self, way: float) -> bool:
        """Whether this arm, which is held up, has to go back, and may.

        It goes on doing so, though its own way may be clear from there, until the first goes on.
        """
        traffic = self._motion.traffic
        if traffic.is_first(self._who) or not traffic.is_standoff(self._who):
            return False
        return self._waited >= _STANDOFF and self._motion.clear_ahead(
            self._who, self._joints, self.ahead(-way)
        )

    def _row(self, place: float) -> Array:
        place = float(np.clip(place, 0.0, self.last))
        low = min(int(place), max(len(self.rows) - 2, 0))
        high = min(low + 1, len(self.rows) - 1)
        share = place - low
        interpolated: Array = (1 - share) * self.rows[low] + share * self.rows[high]
        return interpolated
