"""Trials in processes of their own, so that none can affect or end another."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import ParamSpec, TypeVar

from treec.child import end_with_parent

P = ParamSpec("P")
R = TypeVar("R")


def run_in_process(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R | None:
    """Call a function in a new process and return its result; None if the process died.

    The process is spawned, not forked: a progress bar's thread may hold a lock.
    """
    with ProcessPoolExecutor(
        1, multiprocessing.get_context("spawn"), initializer=end_with_parent
    ) as process:
        try:
            return process.submit(function, *args, **kwargs).result()
        except BrokenProcessPool:
            return None


def run_all(calls: Iterable[Callable[[], R]], jobs: int, take: Callable[[R], None]) -> None:
    """Run calls, ``jobs`` at a time, and give each result to ``take`` as it comes.

    If anything raises, calls that have not begun are dropped.
    """
    pool = ThreadPoolExecutor(jobs)
    try:
        for order in as_completed([pool.submit(call) for call in calls]):
            take(order.result())
    finally:
        pool.shutdown(cancel_futures=True)
