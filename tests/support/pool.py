"""Pools for tests: calls of this process, and workers that do what a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from treec_testing.pool.spread import Pool
from treec_testing.pool.workers import Ended, WorkerDied


class Inline(Pool):
    """Every call is made here, also those that have a process of their own elsewhere."""

    def is_here(self, fresh: int = 0) -> bool:
        return True


@dataclass
class FakeWorkers:
    """Workers of which those of some calls die; the last call that began is the first to end."""

    function: Callable[[Any], Any]
    size: int
    deaths: Iterable[int] = ()
    """Numbers of calls whose worker dies, each as often as it is here."""
    most: int = 0
    calls: list[int] = field(default_factory=list)
    closed: bool = False

    def __post_init__(self) -> None:
        self._dying = list(self.deaths)
        self._running: list[tuple[int, Any]] = []

    def begin(self, number: int, item: Any) -> None:
        self.calls.append(number)
        self._running.append((number, item))
        self.most = max(self.most, len(self._running))

    def wait(self) -> list[Ended[Any]]:
        number, item = self._running.pop()
        if number in self._dying:
            self._dying.remove(number)
            return [Ended(number, error=WorkerDied("killed"))]
        try:
            return [Ended(number, self.function(item))]
        except Exception as error:
            return [Ended(number, error=error)]

    def close(self) -> None:
        self.closed = True


@dataclass(frozen=True)
class FakePool(Pool):
    """A pool of such workers."""

    deaths: tuple[int, ...] = ()
    opened: list[FakeWorkers] = field(default_factory=list)

    def open(self, function: Callable[[Any], Any], fresh: int = 0) -> FakeWorkers:
        self.opened.append(FakeWorkers(function, self.jobs or 1, self.deaths))
        return self.opened[-1]
