"""A worker that passes all trials, and for each trial one that does not."""

from __future__ import annotations

import math
import random
import sys
import threading
import time
from dataclasses import replace
from itertools import count
from typing import Any, ClassVar

from treec import Effect, Host, Outcome, Reported, Timer, WorkOrder
from treec.envs.symbolic import Effects

CANCELLED = Outcome(False, Reported("cancelled"), __name__)


class Good:
    """Drives with a speed to a place; `end` is called when it is there."""

    def __init__(self) -> None:
        self._outcome: Outcome | None = None
        self._timer: Timer | None = None

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
        if self._outcome is None:
            self._outcome = outcome
            host.finish(order.id, outcome)

    def cancel(self) -> Outcome:
        if self._timer is not None:
            self._timer.cancel()
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


class NeedsAnArgument(Good):
    def __init__(self, driver: object) -> None:
        super().__init__()


class BlocksStart(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        threading.Event().wait()


class Spins(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        while True:
            pass


class BlocksForNan(Good):
    blocks = math.nan


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


class LooksForEver(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        host.clock.call_at(host.clock.now(), lambda: self.end(order, host, outcome))


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


class Polls(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        super().start(order, host)
        for number in range(1_500):
            host.clock.call_at(host.clock.now() + number / 1_000, lambda: None)


class RaisesFault(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        if order.fault is not None and order.fault.at:
            raise RuntimeError(order.fault.reason)
        super().start(order, host)


class IgnoresFaultAtStart(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        if order.fault is not None and not order.fault.at:
            order = replace(order, fault=None)
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


class CancelBlocks(Good):
    def cancel(self) -> Outcome:
        threading.Event().wait()
        return CANCELLED


class CancelsOnce(Good):
    def cancel(self) -> Outcome:
        if self._outcome is not None and not self._outcome.ok:
            return Outcome(False, Reported("there is nothing to cancel"), __name__)
        return super().cancel()


class ForgetsItsEnd(Good):
    def cancel(self) -> Outcome:
        super().cancel()
        return CANCELLED


class ReportsAgain(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        self._begun = (Effect("at", (order.agent,), "dock"),)
        host.sense(order.id, self._begun)
        super().start(order, host)

    def cancel(self) -> Outcome:
        super().cancel()
        return Outcome(False, Reported("cancelled"), __name__, effects=self._begun)


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


class Varies(Good):
    NUMBERS: ClassVar[Any] = count()

    def start(self, order: WorkOrder, host: Host) -> None:
        super().start(replace(order, takes=order.takes + next(type(self).NUMBERS)), host)


class ReadsTheTime(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        host.sense(order.id, (Effect("at", (order.agent,), str(time.time_ns())),))
        super().end(order, host, outcome)


class ChangesItsOrder(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        super().start(order, host)
        order.args["place"] = "elsewhere"  # type: ignore[index]


class NeedsAll(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        order.args["place"]
        super().start(order, host)


class TakesNan(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        if isinstance(order.args.get("speed"), float):
            order = replace(order, args={**order.args, "speed": 1.0})
        super().start(order, host)


class FailsForUnknown(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        if order.args.get("place") not in ("dock", None) and isinstance(order.args["place"], str):
            return self.finish(order, host, _refusal("failed"))
        return super().start(order, host)


class TakesAnything(Good):
    def start(self, order: WorkOrder, host: Host) -> None:
        place = str(order.args.get("place", None) or "dock")
        super().start(replace(order, args={**order.args, "place": place}), host)


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


class LeavesAThread(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        threading.Thread(target=threading.Event().wait, daemon=True, name="the base").start()
        super().end(order, host, outcome)


class Prints(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        print("I am at", order.args["place"])
        super().end(order, host, outcome)


class Seeds(Good):
    def end(self, order: WorkOrder, host: Host, outcome: Outcome) -> None:
        random.seed(7)
        super().end(order, host, outcome)


class PrintsAtStart(Effects):
    """Without an argument of its own, for trials without a library."""

    def start(self, order: WorkOrder, host: Host) -> None:
        print("I am on my way")
        super().start(order, host)


BAD: dict[str, tuple[type[Any], ...]] = {
    "W01": (NeedsAnArgument, object),
    "W02": (BlocksStart, Spins),
    "W03": (BlocksForNan,),
    "W04": (Raises, Interrupts, RaisesInTimer, RaisesInThread),
    "W05": (Exits,),
    "W06": (NeverEnds, NeverDone, LooksForEver),
    "W07": (EndsTwice,),
    "W08": (SensesLate,),
    "W09": (EndsWithText,),
    "W10": (SensesNan,),
    "W11": (NamesNoOrder,),
    "W12": (UndeclaredFact,),
    "W13": (Polls,),
    "W14": (RaisesFault,),
    "W15": (IgnoresFaultAtStart,),
    "W16": (NoReason,),
    "W17": (CancelNeedsStart,),
    "W18": (CancelsTooSoon,),
    "W19": (CancelGivesNone, CancelIsOk),
    "W20": (GoesOnAfterCancel,),
    "W21": (CancelBlocks,),
    "W22": (CancelsOnce,),
    "W23": (ForgetsItsEnd,),
    "W24": (ReportsAgain,),
    "W25": (SharesItsOrder,),
    "W26": (SharesItsTimer,),
    "W27": (Varies, ReadsTheTime),
    "W28": (ChangesItsOrder,),
    "W29": (NeedsAll,),
    "W30": (TakesNan,),
    "W31": (FailsForUnknown,),
    "W32": (TakesAnything,),
    "W33": (Unannounced,),
    "W34": (TimerInThread,),
    "W35": (LeavesAThread,),
    "W36": (Prints,),
    "W37": (Seeds,),
}
"""By the ids of the trials that tell them."""
