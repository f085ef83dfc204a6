"""Times and record numbers that say what they are, so that equal states can be told.

A run that has gone on for longer is in the same state if all that differs is how long ago things
happened. Times of the clock are floats of a class of their own, and so are the numbers of records:
they stay what they are where the engine keeps or adds to them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from types import CellType
from typing import Any

from treec.world.clock import Timer, VirtualClock
from treec.world.events import Event, encode
from treec.world.journal import Journal, Record
from treec.world.values import DIGITS, freeze_parsed


def cells_of(timer: Timer) -> Mapping[str, CellType]:
    """What the function that a timer calls has from around it, by name."""
    code = getattr(timer.callback, "__code__", None)
    cells = getattr(timer.callback, "__closure__", None) or ()
    return dict(zip(code.co_freevars, cells, strict=True)) if code else {}


class PassedTime(float):
    """A time of the run in seconds; differences of two are plain seconds."""

    __slots__ = ()

    def __add__(self, other: float) -> float:
        return PassedTime(float.__add__(self, other))

    __radd__ = __add__

    def __sub__(self, other: float) -> float:
        found = float.__sub__(self, other)
        return found if isinstance(other, PassedTime) else PassedTime(found)

    def __rsub__(self, other: float) -> float:
        return float.__rsub__(self, other)


class Ordinal(int):
    """A number that only grows and is only compared: of a record, or of a change of the world."""

    __slots__ = ()

    def __add__(self, other: int) -> int:
        return type(self)(int.__add__(self, other))

    __radd__ = __add__


class ChangeNumber(Ordinal):
    """The number of a change of the world."""

    __slots__ = ()


class ProofClock(VirtualClock):
    """A virtual clock whose timers can be looked at, and let go off one by one."""

    def __init__(self) -> None:
        super().__init__(PassedTime(0.0))
        self.owners: dict[Timer, str] = {}
        """The order whose worker has set a timer."""
        self.owner = ""
        """The order whose worker sets timers now."""
        self.limit_of: Callable[[Timer], str | None] = lambda timer: None
        """What a timer is the time limit of: an order, or a node that skills run below; or None."""
        self.name_all: Callable[[list[Timer]], list[tuple[str, Timer]]] | None = None
        """The names of all timers of the engine, if each may be due at any moment."""

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call ``callback`` at ``when``."""
        timer = super().call_at(when, callback)
        if self.owner:
            self.owners[timer] = self.owner
        return timer

    def pending(self) -> list[Timer]:
        """The timers that are not cancelled, in the order in which they are due."""
        return sorted(timer for timer in self._timers._heap if not timer.cancelled)

    def own(self) -> list[Timer]:
        """Those of the engine, in order: not of workers, which end when they like, nor limits."""
        if self.name_all is not None:
            return []
        free = (timer for timer in self.pending() if timer not in self.owners)
        return [timer for timer in free if self.limit_of(timer) is None]

    def limits(self) -> list[tuple[str, Timer]]:
        """Timers that are due at any moment: what each is about, and the timer."""
        if self.name_all is not None:
            engine = [timer for timer in self.pending() if timer not in self.owners]
            return sorted(self.name_all(engine), key=lambda one: one[0])
        found = ((self.limit_of(timer), timer) for timer in self.pending())
        return sorted((about, timer) for about, timer in found if about is not None)

    def of_order(self, order: str) -> list[Timer]:
        """Those of an order's worker, in order."""
        return [timer for timer in self.pending() if self.owners.get(timer) == order]

    def tidy(self) -> None:
        """Forget timers that are cancelled."""
        heap = [timer for timer in self._timers._heap if not timer.cancelled]
        if len(heap) != len(self._timers._heap):
            self._timers._heap[:] = sorted(heap)
            self._timers._dead = 0
        if any(timer.cancelled for timer in self.owners):
            self.owners = {t: order for t, order in self.owners.items() if not t.cancelled}

    def pass_to(self, time: float) -> None:
        """Let time pass to a moment, if it is not over; no timer goes off."""
        self._now = PassedTime(max(self._now, time))

    def let_go(self, timers: list[Timer]) -> None:
        """Let some timers go off now; time passes to the last of those that are the engine's."""
        is_free = self.limit_of
        own = [t.when for t in timers if t not in self.owners and is_free(t) is None]
        if own and self.name_all is None:
            self._now = PassedTime(max(self._now, *own))
        for timer in timers:
            if timer.cancelled:
                continue
            self._timers._heap.remove(timer)
            self.owners.pop(timer, None)
            self._timers.fired += 1
            timer.callback()
        self._timers._heap.sort()


class ProofJournal(Journal):
    """A journal that keeps nothing: records only change the world and reach subscribers."""

    def __init__(self) -> None:
        super().__init__(BytesIO())
        self._records = None
        self._n: Any = Ordinal(0)
        self._t: Any = PassedTime(0.0)

    def record(self, event: Event, by: str, t: float) -> Record:
        """Make the next record, whose time and number say what they are."""
        data = freeze_parsed(encode(event))
        time = PassedTime(max(self._t, round(float(t), DIGITS) + 0.0))
        return Record(self._n + 1, time, event.kind, by, data, event.version)

    def write(self, record: Record) -> None:
        """Take note of its number."""
        self._n, self._t = record.n, record.t
