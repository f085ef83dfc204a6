"""Spreads calls over workers, makes those again whose worker died, and gives each result once.

Whatever makes the calls is a :class:`Workers`: processes of this machine, or Ray's. It is told a
call by its number, and says of each number how it ended, so that nothing is counted twice. A call
whose worker dies is made again, by another worker, :data:`TRIES` times in all.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, TypeVar

from treec_testing.pool.workers import WorkerDied, Workers

I = TypeVar("I")  # noqa: E741
R = TypeVar("R")

TRIES = 3
"""How often a call is made whose worker dies each time."""

AHEAD = 3
"""Results that each worker has made or is making, at most, where they are given in order."""


@dataclass(frozen=True)
class Pool:
    """Where calls are made: ``jobs`` at a time, in processes here or ``on`` Ray.

    ``on`` is `ray` for this machine, `ray=ADDRESS` or `ray://HOST:PORT` for a cluster. Without
    ``jobs`` one process is taken, or as many as a cluster has processors.
    """

    jobs: int | None = None
    on: str = ""
    warn: Callable[[str], None] = field(default=lambda text: None, compare=False)
    """Is told of workers that died."""

    def is_here(self, fresh: int = 0) -> bool:
        """Whether this process makes the calls, one after the other."""
        return not self.on and (self.jobs or 1) <= 1 and not fresh

    def open(self, function: Callable[[Any], Any], fresh: int = 0) -> Workers:
        """Make the workers of a function. Raises CannotOpen."""
        if self.on:
            from treec_testing.pool.ray_workers import RayWorkers

            return RayWorkers(function, self.on, self.jobs, fresh)
        from treec_testing.pool.processes import Processes

        return Processes(function, self.jobs or 1, fresh)


HERE = Pool()
"""This process alone, where nothing needs one of its own."""


def spread(
    function: Callable[[I], R],
    items: Iterable[I],
    pool: Pool = HERE,
    *,
    fresh: int = 0,
    ordered: bool = False,
    lost: Callable[[I], R] | None = None,
) -> Iterator[tuple[I, R]]:
    """Yield each item with the function's result for it, as they come; or in order.

    Both are sent to the workers, the function once to each process. With ``fresh`` a process is
    replaced after so many calls; with 1 each call has its own. ``lost`` gives the result of an item
    whose workers died each time; without it that raises WorkerDied. What the function raises is
    raised, and calls that have not begun are dropped. Raises CannotOpen.
    """
    if pool.is_here(fresh):
        for item in items:
            yield item, function(item)
        return
    with closing(pool.open(function, fresh)) as workers:
        yield from distribute(workers, items, pool.warn, ordered=ordered, lost=lost)


def distribute(
    workers: Workers,
    items: Iterable[I],
    warn: Callable[[str], None],
    *,
    ordered: bool,
    lost: Callable[[I], R] | None = None,
) -> Iterator[tuple[I, R]]:
    """Let workers make a call for each item; see :func:`spread`."""
    source = enumerate(items)
    again: list[int] = []
    open_items: dict[int, I] = {}
    running = 0
    deaths: Counter[int] = Counter()
    made: dict[int, tuple[I, R]] = {}
    given = 0
    while True:
        while again and running < workers.size:
            number = again.pop(0)
            workers.begin(number, open_items[number])
            running += 1
        room = workers.size - running
        if ordered:
            room = min(room, AHEAD * workers.size - len(open_items) - len(made))
        for number, item in islice(source, max(0, room)):
            open_items[number] = item
            workers.begin(number, item)
            running += 1
        if not running:
            return
        for ended in workers.wait():
            running -= 1
            number = ended.number
            if isinstance(ended.error, WorkerDied):
                deaths[number] += 1
                if deaths[number] < TRIES:
                    warn(f"a worker has died ({ended.error}): what it did is done again")
                    again.append(number)
                    continue
                if lost is None:
                    raise ended.error
                result = lost(open_items[number])
            elif ended.error is not None:
                raise ended.error
            else:
                result = ended.result  # type: ignore[assignment]
            made[number] = (open_items.pop(number), result)
        if not ordered:
            yield from made.values()
            made.clear()
        while given in made:
            yield made.pop(given)
            given += 1


def in_order(
    function: Callable[[I], R], items: Iterable[I], pool: Pool = HERE, *, fresh: int = 0
) -> Iterator[R]:
    """Yield the results alone, in the order of the items, a few of which are made ahead."""
    return (result for _, result in spread(function, items, pool, fresh=fresh, ordered=True))
