"""The symbolic environment: skills take time and change facts, nothing else.

It trusts a skill's file: `after` holds when the skill has taken its time. What `at_start` declares
is for the engine, which applies it when an order starts, whatever the worker.
"""

from __future__ import annotations

from collections.abc import Callable

from treec import Host, Outcome, Reported, WorkOrder

MODULE = "symbolic"


class Effects:
    """A worker that waits `takes` seconds on the clock and then applies the declared effects.

    A planned fault ends it after the fault's fraction of the time, with none of `after`. Cancelling
    does the same.
    """

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._stop: Callable[[], None] | None = None

    def start(self, order: WorkOrder, host: Host) -> None:
        """Set the timer of the end."""
        if self._stop is not None or self._outcome is not None:
            raise RuntimeError(f"{order.id}: a worker carries out one order only")
        fault = order.fault
        if fault is None:
            takes = order.takes
            outcome = Outcome(True, effects=order.after)
        else:
            takes = order.takes * fault.at
            outcome = Outcome(False, Reported(fault.reason), MODULE)

        def end() -> None:
            if self._outcome is None:
                self._outcome = outcome
                host.finish(order.id, outcome)

        self._stop = host.clock.call_at(host.clock.now() + takes, end).cancel

    def cancel(self) -> Outcome:
        """Stop now: `after` is not applied."""
        if self._stop is not None:
            self._stop()
        if self._outcome is None:
            self._outcome = Outcome(False, Reported("cancelled"), MODULE)
        return self._outcome
