"""What a tick reads that may change without a record: variables of trees, and the time.

Whatever changes the world's state is recorded, and a record requests a tick. So does a variable
that a tick has read and then left with another value, and the time, at the moment at which a
comparison with it turns. Every dependency of a waiting node wakes it, therefore, and a variable
that nobody reads wakes nobody. Where the next tick only does the same again, as one that sets a
variable to and fro does, no other is requested.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from treec.world.values import same

if TYPE_CHECKING:
    from treec.world.clock import Clock, Timer


class Watched(Protocol):
    """A value that says in which tick it was read last."""

    value: object
    read_in: int


class DependencyWatch:
    """The reads of one tick: ``begin`` before it, ``end`` after it."""

    def __init__(self, clock: Clock) -> None:
        self.tick = 0
        """The number of the tick, for what is read in it."""
        self._clock = clock
        self._ticking = False
        self._turns = math.inf
        self._timer: Timer | None = None
        self._outdated: list[tuple[Watched, object]] = []
        self._before: Outdated = []
        self.reads: list[Watched] | None = None
        """The values that are read from now on, where a node waits until one of them changes."""
        self.on_set: Callable[[], None] | None = None
        """Called by what sets a value that was read in this tick."""
        self.variable = 0
        """How often something was read that may vary within a version of the world."""

    def begin(self) -> None:
        """A tick begins: forget what the one before has read."""
        self.tick += 1
        self.reads = None
        self._ticking, self._turns = True, math.inf
        self._outdated.clear()

    def read(self, cell: Watched) -> object:
        """Read a value: another one asks for another tick."""
        cell.read_in = self.tick
        if self.reads is not None:
            self.reads.append(cell)
        return cell.value

    def is_changed(self, known: Sequence[tuple[Watched, object]]) -> bool:
        """Whether one of several values is no longer what it was; all of them are read."""
        for cell, _ in known:
            self.read(cell)
        return not self.are_as_before(known)

    @staticmethod
    def are_as_before(known: Sequence[tuple[Watched, object]]) -> bool:
        """Whether several values are what they were; nothing counts as read."""
        return all(same(cell.value, value) for cell, value in known)

    def set(self, cell: Watched, value: object) -> None:
        """Set a value."""
        if cell.read_in == self.tick:
            self._outdated.append((cell, cell.value))
            if self.on_set is not None:
                self.on_set()
        cell.read_in = self.tick  # who sets it at each tick depends on who sets it after that
        cell.value = fixed(value)

    def now(self) -> float:
        """The time: in a tick, one that watches what it is compared with."""
        time = self._clock.now()
        self.variable += 1
        return GrowingTime(time, 1.0, self.turns_at) if self._ticking else time

    def elapsed(self, seconds: float) -> float:
        """A time that has passed since something; it grows with the clock."""
        self.variable += 1
        return GrowingTime(seconds, 1.0, self.turns_at) if self._ticking else seconds

    def turns_at(self, seconds: float) -> None:
        """A condition turns in so many seconds: another tick is to come then."""
        self._turns = min(self._turns, self._clock.now() + seconds)

    def end(self, is_waiting: bool) -> bool:
        """A tick has ended; returns whether another one would read other values.

        ``is_waiting`` says whether something is RUNNING, which may wait for a time.
        """
        self._ticking = False
        timer, turns = self._timer, self._turns if is_waiting else math.inf
        if timer is not None and timer.when != turns:
            timer.cancel()
            self._timer = None
        if turns < math.inf and (timer is None or timer.cancelled):
            self._timer = self._clock.call_at(turns, self._due)
        if not self._outdated and not self._before:
            return False
        outdated = [
            (cell, read, cell.value) for cell, read in self._outdated if not same(read, cell.value)
        ]
        before, self._before = self._before, outdated
        return bool(outdated) and not _are_same(before, outdated)

    def _due(self) -> None:
        """A timer that is due causes a tick by itself."""
        self._timer = None


Outdated = list[tuple[Watched, object, object]]
"""Variables with the values that were read and those that they have."""


def _are_same(before: Outdated, now: Outdated) -> bool:
    return len(before) == len(now) and all(
        one[0] is other[0] and same(one[1], other[1]) and same(one[2], other[2])
        for one, other in zip(before, now, strict=True)
    )


class GrowingTime(float):
    """A number that grows with the clock, and says when comparisons with it turn.

    Sums, differences and multiples are such numbers, too; ``float()`` makes it one that stays.
    """

    __slots__ = ("_rate", "_turns_in")
    _rate: float
    _turns_in: Callable[[float], None]

    def __new__(cls, value: float, rate: float, turns_in: Callable[[float], None]) -> GrowingTime:
        """``rate`` is by how much it grows in a second."""
        self = super().__new__(cls, value)
        self._rate, self._turns_in = rate, turns_in
        return self

    def __reduce__(self) -> tuple[type[float], tuple[float]]:
        return float, (float(self),)

    def _like(self, value: float, rate: float) -> float:
        return GrowingTime(value, rate, self._turns_in) if rate else value

    def _turn(self, other: object) -> None:
        """Say when it is equal to another number, if it will be."""
        if not isinstance(other, int | float):
            return
        rate, distance = self._rate - _rate(other), float(other) - float(self)
        if distance * rate >= 0 and rate:  # those that are equal are not, a moment later
            self._turns_in(max(distance / rate, TICK))

    def __add__(self, other: float) -> float:
        return self._like(float(self) + float(other), self._rate + _rate(other))

    __radd__ = __add__

    def __sub__(self, other: float) -> float:
        return self._like(float(self) - float(other), self._rate - _rate(other))

    def __rsub__(self, other: float) -> float:
        return self._like(float(other) - float(self), _rate(other) - self._rate)

    def __mul__(self, other: float) -> float:
        return self._like(float(self) * float(other), self._rate * float(other))

    __rmul__ = __mul__

    def __truediv__(self, other: float) -> float:
        return self._like(float(self) / float(other), self._rate / float(other))

    def __neg__(self) -> float:
        return self._like(-float(self), -self._rate)

    def __lt__(self, other: float) -> bool:
        self._turn(other)
        return float(self) < float(other)

    def __le__(self, other: float) -> bool:
        self._turn(other)
        return float(self) <= float(other)

    def __gt__(self, other: float) -> bool:
        self._turn(other)
        return float(self) > float(other)

    def __ge__(self, other: float) -> bool:
        self._turn(other)
        return float(self) >= float(other)

    def __eq__(self, other: object) -> bool:
        self._turn(other)
        return float(self) == other

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = float.__hash__

    def _steps(self, size: float, value: float) -> float:
        """Say when it reaches the next multiple of a size, where a whole number of it turns."""
        if size and self._rate:
            passed = value % abs(size)
            ahead = abs(size) - passed if self._rate > 0 else passed or abs(size)
            self._turns_in(ahead / abs(self._rate))
        return value

    def __floordiv__(self, other: float) -> float:
        return self._steps(float(other), float(self)) // other

    def __mod__(self, other: float) -> float:
        return self._like(self._steps(float(other), float(self)) % other, self._rate)

    def __int__(self) -> int:
        return int(self._steps(1.0, float(self)))

    __trunc__ = __int__

    def __floor__(self) -> int:
        return math.floor(self._steps(1.0, float(self)))

    def __ceil__(self) -> int:
        return math.ceil(self._steps(1.0, float(self)))

    def __round__(self, digits: int | None = None) -> float:  # type: ignore[override]
        size = 10.0 ** -(digits or 0)
        if not self._steps(size, float(self) + size / 2) % size:  # a half is rounded to even
            self._turns_in(TICK)
        return round(float(self), digits)

    def __abs__(self) -> float:
        self._turn(0.0)
        return -self if self < 0 else self


TICK = 1e-6
"""The shortest time that is told apart, in seconds: that of a journal."""


def _rate(value: object) -> float:
    return value._rate if isinstance(value, GrowingTime) else 0.0


def fixed(value: object) -> object:
    """A value that is kept: the time as it is now, which does not go on with the clock."""
    if isinstance(value, GrowingTime):
        return float(value)
    if isinstance(value, list):
        return [fixed(item) for item in value]
    if isinstance(value, dict):
        return {key: fixed(item) for key, item in value.items()}
    return value
