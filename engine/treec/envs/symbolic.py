"""The symbolic environment: skills take time and change facts, nothing else.

It trusts a skill's file. `at_start` holds from the first moment and stays, whatever happens;
`after` holds when the skill has taken its time. In between, a value that `at_start` removed is
unknown: a `go_to` stopped midway leaves its robot at an unknown place.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from treec import Effect, Host, Outcome, Reported, WorkOrder

MODULE = "symbolic"


class Effects:
    """A worker that waits `takes` seconds on the clock and then applies the declared effects.

    A planned fault ends it after the fault's fraction of the time, with `at_start` applied and none
    of `after`; a fault at 0 ends it before anything happens. Cancelling does the same.
    """

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._stop: Callable[[], None] | None = None

    def start(self, order: WorkOrder, host: Host) -> None:
        """Apply `at_start` and set the timer of the end."""
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

        if order.at_start and (fault is None or fault.at > 0):
            host.sense(order.id, tuple(map(_from_start, order.at_start)))
        self._stop = host.clock.call_at(host.clock.now() + takes, end).cancel

    def cancel(self) -> Outcome:
        """Stop now: `at_start` stays, `after` is not applied."""
        if self._stop is not None:
            self._stop()
        if self._outcome is None:
            self._outcome = Outcome(False, Reported("cancelled"), MODULE)
        return self._outcome


def _from_start(effect: Effect) -> Effect:
    return effect if effect.value is not None else replace(effect, source="unknown")
