"""The time of a run: real, or that of `/clock`, whose jumps are named."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treec_ros.environment import RosEnvironment

LEAP = 3.0
"""Seconds between two times of `/clock` from which on it has jumped forward."""


class RunTime:
    """Seconds of the run, which never go back.

    They stand still until the first message of `/clock`, and while it is paused. Where it jumps
    back, as it does when a simulation is reset, they go on from where they are. Where it jumps
    forward they follow. Both are in the journal.
    """

    def __init__(self, environment: RosEnvironment) -> None:
        self._environment = environment
        self._ros = environment.ros
        self.is_simulated = self._ros.uses_sim_time
        self._offset: float | None = None
        self._last = 0.0
        if self.is_simulated:
            self._handler = self._ros.ask(self._watch)

    def begin(self, at: float) -> None:
        """Let the time of the run be ``at`` now, or once the first message of `/clock` comes."""
        self._last = at
        now = self._now()
        self._offset = at - now if now else None

    def now(self) -> float:
        """The time of the run."""
        now = self._now()
        if self._offset is None:
            if not now:
                return self._last
            self._offset = self._last - now
        self._last = max(self._last, now + self._offset)
        return self._last

    def _now(self) -> float:
        return self._ros.now() if self.is_simulated else time.monotonic()

    def _watch(self) -> Any:
        from rclpy.clock import JumpThreshold
        from rclpy.duration import Duration

        return self._ros.node.get_clock().create_jump_callback(
            JumpThreshold(
                min_forward=Duration(seconds=LEAP),
                min_backward=Duration(nanoseconds=-1),
                on_clock_change=False,
            ),
            post_callback=self._on_jump,
        )

    def _on_jump(self, jump: Any) -> None:
        seconds = jump.delta.nanoseconds / 1e9
        if self._offset is None:  # its first time
            self.now()
            return
        if seconds < 0:
            self._offset -= seconds
            words = f"the time of /clock jumped back by {-seconds:.1f} s: that of the run goes on"
        else:
            words = f"the time of /clock jumped forward by {seconds:.1f} s, and that of the run"
        self._environment.note("/clock", words, {"ros": "clock jumped", "seconds": seconds})
