"""A virtual clock that people can watch: it waits a little before it jumps."""

from __future__ import annotations

from collections.abc import Callable

from engine.world.clock import VirtualClock


class PacedClock(VirtualClock):
    """Virtual time, let out at ``speed`` simulated seconds a real one.

    The run stays a function of its inputs: only the showing takes time. ``pause`` waits that many
    real seconds, and may redraw meanwhile.
    """

    def __init__(self, speed: float, pause: Callable[[float], None], start: float = 0.0) -> None:
        super().__init__(start)
        if speed <= 0:
            raise ValueError(f"a speed is more than 0, not {speed}")
        self._speed = speed
        self._pause = pause

    def advance(self, limit: float | None = None) -> bool:
        """Wait, then go to the next timer."""
        due = self.next_due()
        if due is not None and (limit is None or due <= limit) and due > self.now():
            self._pause((due - self.now()) / self._speed)
        return super().advance(limit)
