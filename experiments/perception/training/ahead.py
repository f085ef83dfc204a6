"""Results of a function in order, made ahead by other processes."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from typing import Any, TypeVar

from treec.child import end_with_parent

T = TypeVar("T")

AHEAD = 3
"""Results that each process has made or is making, at most."""


def in_order(function: Callable[[int], T], numbers: Iterable[int], processes: int) -> Iterator[T]:
    """Yield ``function(number)`` for each number; by other processes, if there is more than one.

    The results are the same either way. The function is sent to each process once, so that it and
    its results must be picklable.
    """
    if processes <= 1:
        yield from map(function, numbers)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, context, _keep, (function,)) as pool:
        coming: deque[Future[Any]] = deque()
        try:
            for number in numbers:
                coming.append(pool.submit(_call, number))
                if len(coming) >= AHEAD * processes:
                    yield coming.popleft().result()
            while coming:
                yield coming.popleft().result()
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


_kept: list[Callable[[int], Any]] = []


def _keep(function: Callable[[int], Any]) -> None:
    end_with_parent()
    os.environ["OMP_NUM_THREADS"] = "1"
    _kept[:] = [function]


def _call(number: int) -> Any:
    return _kept[0](number)
