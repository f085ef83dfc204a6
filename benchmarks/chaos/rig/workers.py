"""Workers: on the clock's timers, in a thread, blocking in ``start``, in the environment."""

from __future__ import annotations

import threading
from typing import Any, ClassVar

from rig import HURRY, call, note

from treec import Effect, Host, Outcome, Reported, WorkOrder

STEPS = 4
"""How often a worker looks at its hardware during an order."""


class Worker:
    """What they share: the log, and one outcome an order."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._outcome: Outcome | None = None
        self._about: tuple[str, str, str] = ("-", "-", "-")
        self._stop = threading.Event()

    def start(self, order: WorkOrder, host: Host) -> None:
        """Note it, and begin."""
        self._about = (order.agent, order.id, str(order.args.get("item", "-")).replace(" ", "_"))
        call("start", *self._about)
        self._begin(order, host)

    def cancel(self) -> Outcome:
        """Stop at once."""
        note("told", *self._about)
        self._stop.set()
        call("cancel", *self._about)
        with self._lock:
            if self._outcome is None:
                self._outcome = Outcome(False, Reported("cancelled"), __name__)
                note("cancelled", *self._about)
            return self._outcome

    def _begin(self, order: WorkOrder, host: Host) -> None:
        raise NotImplementedError

    def _poll(self) -> None:
        call("poll", *self._about)

    def _end(self, order: WorkOrder, host: Host) -> None:
        with self._lock:
            if self._outcome is not None:
                return
            self._outcome = Outcome(True, effects=order.after)
        note("finish", *self._about)
        host.finish(order.id, self._outcome)


class Timed(Worker):
    """Looks at its hardware by the run's timers."""

    def _begin(self, order: WorkOrder, host: Host) -> None:
        left = STEPS

        def look() -> None:
            nonlocal left
            if self._outcome is not None:
                return
            self._poll()
            left -= 1
            if left > 0:
                host.clock.call_at(host.clock.now() + order.takes / STEPS, look)
            else:
                self._end(order, host)

        host.clock.call_at(host.clock.now() + order.takes / STEPS, look)


class Threaded(Worker):
    """Works in a thread that it announces."""

    def _begin(self, order: WorkOrder, host: Host) -> None:
        work = host.begin_external("the rig", takes=order.takes)

        def drive() -> None:
            with work:
                for _ in range(STEPS):
                    if self._stop.wait(HURRY * order.takes / STEPS):
                        return
                    self._poll()
                self._end(order, host)

        threading.Thread(target=drive, daemon=True).start()


class Blocking(Worker):
    """Waits in ``start``, as it says."""

    blocks: ClassVar[float] = 600.0

    def _begin(self, order: WorkOrder, host: Host) -> None:
        for _ in range(STEPS):
            if self._stop.wait(HURRY * order.takes / STEPS):
                return
            self._poll()
        self._end(order, host)


class Stepped(Worker):
    """Is carried out by the steps of the rig's environment."""

    def _begin(self, order: WorkOrder, host: Host) -> None:
        environment: Any = host.environment

        def end() -> None:
            environment.facts.update({(e.fact, e.args): e.value for e in order.after})
            self._end(order, host)

        environment.at_work[order.id] = (host.clock.now() + order.takes, self._poll, end)
        self._leave = lambda: environment.at_work.pop(order.id, None)

    def cancel(self) -> Outcome:
        """Stop at once."""
        outcome = super().cancel()
        self._leave()
        return outcome


class Flooding(Timed):
    """Delivers 200,000 effects at once."""

    def _end(self, order: WorkOrder, host: Host) -> None:
        note("strikes", *self._about)
        effects = [Effect("made", (f"item {n}",), True) for n in range(200_000)]
        self._outcome = Outcome(True, effects=(*effects, *order.after))
        note("finish", *self._about)
        host.finish(order.id, self._outcome)


class Wordy(Timed):
    """Fails, and says so in 20 MB."""

    def _end(self, order: WorkOrder, host: Host) -> None:
        note("strikes", *self._about)
        self._outcome = Outcome(False, Reported("a long story " * 1_600_000), __name__)
        note("failed", *self._about)
        host.finish(order.id, self._outcome)
