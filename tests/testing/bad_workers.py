"""A worker that passes all trials, and for each trial some that do not."""

from __future__ import annotations

import math
import sys
import threading
from dataclasses import replace
from typing import Any, ClassVar

from treec import Effect, Host, Outcome, Reported, Timer, WorkOrder
from treec.envs.symbolic import Effects

CANCELLED = Outcome(False, Reported("cancelled"), __name__)


class Good:
    """Drives with a speed to a place; `end` is called when it is there."""

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._timer: Timer | None = None
        self._lock = threading.Lock()

    def start(self, order: WorkOrder, host: Host) -> None:
        speed, place = order.args.get("speed"), order.args.get("place")
        if (
            isinstance(speed, bool)
            or not isinstance(speed, int | float)
            or not math.isfinite(speed)
        ):
            return self.finish(order, host, _refusal(f"'speed' is {speed!r}"))
        if not isinstance(place, str):
            return self.finish(order, host, _refusal(f"'place' is {place!r}"))
        fault = order.fault
        outcome = Outcome(True, effects=order.after)
        if fault is not None:
            outcome = Outcome(False, Reported(fault.reason), __name__)
        takes = order.takes * (fault.at if fault else 1)
        due = host.clock.now() + takes
        self._timer = host.clock.call_at(due, lambda: self.end(order, host, outcome))
        return None

    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        self.finish(order, host, outcome)

    def finish(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        with self._lock:
            if self._outcome is None:
                self._outcome = outcome
                host.finish(order.id, outcome)

    def cancel(self) -> Outcome:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            if self._outcome is None:
                self._outcome = CANCELLED
            return self._outcome


class GoodThread(Good):
    """Ends in a thread that it announces."""

    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        work = host.begin_external("the base")

        def run() -> None:
            with work:
                self.finish(order, host, outcome)

        threading.Thread(target=run, daemon=True).start()


class GoodBlocking(Good):
    """Is called in a thread, and ends there."""

    blocks = 30.0

    def start(self, order: WorkOrder, host: Host) -> None:
        outcome = Outcome(True, effects=order.after)
        if order.fault is not None:
            outcome = Outcome(False, Reported(order.fault.reason), __name__)
        for name in ("speed", "place"):
            value = order.args.get(name)
            is_number = isinstance(value, float) and math.isfinite(value)
            if not is_number and not isinstance(value, str):
                outcome = _refusal(f"{name!r} is {value!r}")
        self.finish(order, host, outcome)


def _refusal(why: str) -> Outcome:
    return Outcome(False, Reported(why), __name__)


class FailsByItself(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        self.finish(order, host, Outcome(False, Reported("nothing is held"), __name__))


class NeedsAnArgument(Good):
    def __init__(self, driver: object) -> None:
        super().__init__()


class Raises(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        raise RuntimeError("boom")


class Interrupts(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        raise KeyboardInterrupt


class RaisesInTimer(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        raise RuntimeError("boom")


class RaisesInThread(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        work = host.begin_external("the base")

        def run() -> None:
            with work:
                raise RuntimeError("boom")

        threading.Thread(target=run, daemon=True).start()


class Exits(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        sys.exit(1)


class NeverEnds(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        pass


class NeverDone(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        host.begin_external("the base")


class EndsTwice(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        host.finish(order.id, outcome)
        host.clock.call_at(host.clock.now() + 1, lambda: host.finish(order.id, outcome))


class SensesLate(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        super().end(order, host, outcome)
        host.sense(order.id, order.after)


class EndsWithText(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        host.finish(order.id, "done")  # type: ignore[arg-type]


class SensesNan(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        host.sense(order.id, (Effect("at", ("R1",), math.nan),))
        super().end(order, host, outcome)


class NamesNoOrder(Good):
    def finish(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        super().finish(replace(order, id="my order"), host, outcome)


class UndeclaredFact(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        host.sense(order.id, (Effect("colour", ("R1",), "red"),))
        super().end(order, host, outcome)


class RaisesFault(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        if order.fault is not None and order.fault.at:
            raise RuntimeError(order.fault.reason)
        super().start(order, host)


class NoReason(Good):
    def cancel(self) -> Outcome:
        super().cancel()
        return Outcome(False)


class CancelNeedsStart(Good):
    def cancel(self) -> Outcome:
        assert self._timer is not None
        return super().cancel()


class CancelsTooSoon(Good):
    def __init__(self) -> None:
        super().__init__()
        self._moves = False

    def start(self, order: WorkOrder, host: Host) -> None:
        super().start(order, host)

        def move() -> None:
            self._moves = True

        if self._outcome is None:
            host.clock.call_at(host.clock.now() + 0.1, move)

    def cancel(self) -> Outcome:
        if self._timer is not None and self._outcome is None and not self._moves:
            raise RuntimeError("not moving yet")
        return super().cancel()


class CancelGivesNone(Good):
    def cancel(self) -> Outcome:
        super().cancel()
        return None  # type: ignore[return-value]


class CancelIsOk(Good):
    def cancel(self) -> Outcome:
        super().cancel()
        return Outcome(True)


class GoesOnAfterCancel(Good):
    def finish(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        self._outcome = outcome
        host.finish(order.id, outcome)

    def cancel(self) -> Outcome:
        return self._outcome or CANCELLED


class CancelsOnce(Good):
    def cancel(self) -> Outcome:
        if self._outcome is not None and not self._outcome.ok:
            return Outcome(False, Reported("there is nothing to cancel"), __name__)
        return super().cancel()


class ForgetsItsEnd(Good):
    def cancel(self) -> Outcome:
        super().cancel()
        return CANCELLED


class SharesItsOrder(Good):
    ORDERS: ClassVar[list[WorkOrder]] = []

    def start(self, order: WorkOrder, host: Host) -> None:
        type(self).ORDERS = [order]
        super().start(order, host)

    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        super().end(type(self).ORDERS[-1], host, outcome)


class SharesItsTimer(Good):
    TIMERS: ClassVar[list[Timer]] = []

    def start(self, order: WorkOrder, host: Host) -> None:
        super().start(order, host)
        if self._timer is not None:
            type(self).TIMERS.append(self._timer)

    def cancel(self) -> Outcome:
        for timer in type(self).TIMERS:
            timer.cancel()
        return super().cancel()


class Unannounced(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        threading.Thread(target=lambda: self.finish(order, host, outcome), daemon=True).start()


class TimerInThread(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        work = host.begin_external("the base")

        def run() -> None:
            with work:
                host.clock.call_at(host.clock.now() + 1, lambda: None)
                self.finish(order, host, outcome)

        threading.Thread(target=run, daemon=True).start()


class ReportsNothing(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        super().end(order, host, replace(outcome, effects=()))


class ReportsAnother(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        effects = tuple(replace(effect, value="shelf") for effect in outcome.effects)
        super().end(order, host, replace(outcome, effects=effects))


class ThreadGoesOn(Good):
    """Asks a server in a thread, as a naive HTTP worker does, and forgets that it was cancelled."""

    def start(self, order: WorkOrder, host: Host) -> None:
        work = host.begin_external("the server")

        def run() -> None:
            with work:
                threading.Event().wait(0.1)
                fault = order.fault
                failed = Outcome(False, Reported(fault.reason if fault else ""), __name__)
                host.finish(order.id, failed if fault else Outcome(True, effects=order.after))

        threading.Thread(target=run, daemon=True).start()


class IgnoresFault(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        super().start(replace(order, fault=None), host)


class NeedsAName(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        str(order.args["place"]).index("dock")
        super().start(order, host)


class EndsAgain(Effects):
    """Needs no arguments of its own, for trials without a library."""

    def start(self, order: WorkOrder, host: Host) -> None:
        print("I am on my way")
        super().start(order, host)
        due = host.clock.now() + order.takes + 0.5
        host.clock.call_at(due, lambda: host.finish(order.id, Outcome(True)))


BAD: dict[str, tuple[type[Any], ...]] = {
    "W01": (NeedsAnArgument, Raises, Interrupts, RaisesInTimer, RaisesInThread, Exits, NeverDone),
    "W02": (NeverEnds, EndsTwice, SensesLate, NamesNoOrder),
    "W03": (EndsWithText, SensesNan, UndeclaredFact),
    "W04": (ReportsNothing, ReportsAnother),
    "W05": (
        CancelNeedsStart,
        CancelsTooSoon,
        CancelGivesNone,
        CancelIsOk,
        GoesOnAfterCancel,
        ThreadGoesOn,
        CancelsOnce,
        ForgetsItsEnd,
        NoReason,
    ),
    "W06": (SharesItsOrder, SharesItsTimer),
    "W07": (Unannounced, TimerInThread),
    "W08": (RaisesFault, IgnoresFault, NeedsAName),
}
"""By the ids of the trials that find them."""
