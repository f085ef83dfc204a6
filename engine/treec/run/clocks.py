"""Virtual clocks that step environments, and that can be slowed down for people to watch.

With an open environment time does not jump: the environment steps to the next timer, or until one
of its workers reports something.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from treec.nodes.environment import Environment
from treec.world.clock import RealClock, VirtualClock

SLICE = 1.0
"""Longest time in seconds that a clock advances at once, so that a run can be stopped."""

NOTICE = 1 / 16
"""Time in seconds that one environment steps before a look at the inbox."""

TURN = 1 / 60
"""Time in seconds that each of several environments steps in turn."""

FRAME = 1 / 20
"""Real seconds between two frames for people who watch."""

PAUSE = 0.5
"""Longest pause in real seconds before a look at the inbox."""


class SteppingClock(VirtualClock):
    """Virtual time that steps environments; without any, a plain virtual clock.

    ``ready`` says whether something outside the run has posted a message; time then goes no
    further.
    """

    def __init__(self, start: float = 0.0) -> None:
        super().__init__(start)
        self.ready: Callable[[], bool] = lambda: False
        self._environments: list[Environment] = []

    def drive(self, environment: Environment) -> None:
        """Step this environment with the clock from now on."""
        self._environments.append(environment)

    @property
    def busy(self) -> bool:
        """Whether an environment is executing an order."""
        return any(environment.busy for environment in self._environments)

    def advance(self, limit: float | None = None) -> bool:
        """Advance to the next timer, or to an earlier report of an environment.

        Returns False if nothing can happen any more, or nothing before ``limit``. Stops after at
        most one second and then returns True even if nothing has happened.
        """
        if not self._environments:
            return super().advance(limit)
        due = self.next_due()
        if due is None and not self.busy:
            return False
        ends = [when for when in (due, limit, self._now + SLICE) if when is not None]
        until = max(self._now, min(ends))
        self._now = max(self._now, self.pass_time(until))
        if self._now < until or (until != due and until != limit):
            return True
        return super().advance(limit)

    def pass_time(self, until: float) -> float:
        """Step the environments to ``until`` or to their first report; returns the time reached."""
        now = self._now
        most = TURN if len(self._environments) > 1 else NOTICE
        while now < until:
            turn = min(now + most, until)
            reached = min(environment.step(turn) for environment in self._environments)
            if reached < turn or self.ready():
                return reached
            now = turn
        return until


class PacedClock(SteppingClock):
    """Virtual time shown at ``speed`` simulated seconds per real second.

    The run stays a function of its inputs; only showing it takes time. ``pause`` waits that many
    real seconds and may redraw meanwhile.
    """

    def __init__(
        self,
        speed: float,
        pause: Callable[[float], None],
        start: float = 0.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(start)
        if speed <= 0:
            raise ValueError(f"a speed is more than 0, not {speed}")
        self._speed = speed
        self._pause = pause
        self._monotonic = monotonic

    def advance(self, limit: float | None = None) -> bool:
        """Wait, then go to the next timer; with environments, wait while they step."""
        if not self._environments:
            due = self.next_due()
            if due is not None and (limit is None or due <= limit):
                while self._now < due:
                    turn = min(self._now + PAUSE * self._speed, due)
                    self._pause((turn - self._now) / self._speed)
                    self._now = turn
                    if self.ready():
                        return True
        return super().advance(limit)

    def pass_time(self, until: float) -> float:
        """Step frame by frame, and wait for the part of each frame that stepping did not take."""
        now = self._now
        while now < until:
            began = self._monotonic()
            turn = min(now + FRAME * self._speed, until)
            reached = super().pass_time(turn)
            rest = (reached - now) / self._speed - (self._monotonic() - began)
            if rest > 0:
                self._pause(rest)
            if reached < turn or self.ready():
                return reached
            now = self._now = turn
        return until


class AttendedClock(SteppingClock):
    """Virtual time that stands still while nothing can happen, until somebody says something.

    ``wait`` waits for that, some real seconds at most.
    """

    wait: Callable[[float], object]

    def advance(self, limit: float | None = None) -> bool:
        """Advance; wait where nothing is due. False only at ``limit``."""
        if super().advance(limit):
            return True
        if self.next_due() is not None:
            return False
        self.wait(SLICE)
        return True


class ChattingClock(SteppingClock):
    """Time that passes while a person types, at ``speed`` simulated seconds per real second.

    ``wait`` waits that many real seconds, or less if the person says something. Environments that
    step slower than real time slow this clock down.
    """

    waits = False

    def __init__(
        self,
        speed: float = 1.0,
        start: float = 0.0,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(start)
        self.wait: Callable[[float], object] = lambda seconds: None
        self._speed = speed
        self._monotonic = monotonic

    def advance(self, limit: float | None = None) -> bool:
        """Advance by the time waited for input; False only at ``limit``."""
        began = self._monotonic()
        due = self.next_due()
        most = FRAME if self.busy else SLICE
        if due is not None:
            most = min(most, max(0.0, (due - self._now) / self._speed))
        self.wait(most)
        waited = min(most, self._monotonic() - began)
        ends = [when for when in (due, limit, self._now + waited * self._speed) if when is not None]
        until = max(self._now, min(ends))
        self._now = max(self._now, self.pass_time(until) if self._environments else until)
        if due is not None and self._now >= due:
            return super(SteppingClock, self).advance(limit)
        return limit is None or self._now < limit


def real_clock(driven: bool, speed: float | None, start: float = 0.0) -> RealClock | ChattingClock:
    """A clock of real time; ``driven``: environments step with it."""
    return (ChattingClock if driven else RealClock)(speed or 1.0, start=start)
