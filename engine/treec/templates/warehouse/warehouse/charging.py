"""A worker of one's own: charging takes as long as the battery needs, and shows its progress."""

from __future__ import annotations

import math
from collections.abc import Callable

from treec import Effect, Host, Outcome, WorkOrder
from treec.world.failures import Reported

FULL = 100.0
STEPS = 10
"""How often the level is reported on the way from empty to full."""


class Charge:
    """Charge from the order's `level` (percent) to full.

    The order's `takes` is the time from empty, in seconds. Cancelled midway, the battery keeps
    what it has got by then.
    """

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._cancel_timer: Callable[[], None] | None = None

    def start(self, order: WorkOrder, host: Host) -> None:
        """Report a higher level every tenth of the time from empty, until the battery is full."""
        given = order.args.get("level")
        if not isinstance(given, int | float) or not math.isfinite(given):
            why = f"{order.skill}: 'level' must be a number, not {given!r}"
            self._finish(order, host, Outcome(False, Reported(why), __name__))
            return
        start = level = float(given)
        fault = order.fault
        fails_at = start + (FULL - start) * fault.at if fault else FULL

        def report() -> None:
            nonlocal level
            if self._outcome is not None:
                return
            if fault is not None and level >= fails_at:
                self._finish(order, host, Outcome(False, Reported(fault.reason), __name__))
                return
            level = min(FULL, level + FULL / STEPS)
            if level >= FULL:
                self._finish(order, host, Outcome(True, effects=order.after))
                return
            host.sense(order.id, (Effect("battery", (order.agent,), level, "sensed"),))
            schedule()

        def schedule() -> None:
            due = host.clock.now() + order.takes / STEPS
            self._cancel_timer = host.clock.call_at(due, report).cancel

        schedule()

    def cancel(self) -> Outcome:
        """Unplug: the level that was last reported stays."""
        if self._cancel_timer is not None:
            self._cancel_timer()
        if self._outcome is None:
            self._outcome = Outcome(False, Reported("unplugged"), __name__)
        return self._outcome

    def _finish(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        self._outcome = outcome
        host.finish(order.id, outcome)
