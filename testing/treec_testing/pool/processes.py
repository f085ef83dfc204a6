"""Workers that are processes of this machine: each has one call at a time, and dies alone."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from treec.child import end_with_parent
from treec_testing.pool.workers import Ended, WorkerDied

_function: list[Callable[[Any], Any]] = []


class Processes:
    """So many processes, which are spawned, not forked: a progress bar's thread may hold a lock."""

    def __init__(self, function: Callable[[Any], Any], size: int, fresh: int = 0) -> None:
        self.size = size
        self._function, self._fresh = function, fresh
        self._idle: list[_Process] = []
        self._busy: dict[Future[Any], tuple[int, _Process]] = {}

    def begin(self, number: int, item: Any) -> None:
        """Let an idle process make a call, or a new one."""
        while self._idle:
            process = self._idle.pop()
            try:
                self._busy[process.call(item)] = number, process
                return
            except BrokenProcessPool:  # it died when it had nothing to do
                process.close()
        process = _Process(self._function)
        self._busy[process.call(item)] = number, process

    def wait(self) -> list[Ended[Any]]:
        """Wait until a call ends; all that have ended since."""
        done, _ = wait(self._busy, return_when=FIRST_COMPLETED)
        return sorted(map(self._end, done), key=lambda ended: ended.number)

    def _end(self, future: Future[Any]) -> Ended[Any]:
        number, process = self._busy.pop(future)
        error = future.exception()
        is_dead = isinstance(error, BrokenProcessPool)
        if is_dead or process.calls == self._fresh:
            process.close()
        else:
            self._idle.append(process)
        if is_dead:
            return Ended(number, error=WorkerDied("its process has ended"))
        return Ended(number, error=error) if error is not None else Ended(number, future.result())

    def close(self) -> None:
        """End all processes, those that make a call when it has ended."""
        for process in (*self._idle, *(process for _, process in self._busy.values())):
            process.close()


class _Process:
    """One process."""

    def __init__(self, function: Callable[[Any], Any]) -> None:
        context = multiprocessing.get_context("spawn")
        self._executor = ProcessPoolExecutor(1, context, _begin, (function,))
        self.calls = 0

    def call(self, item: Any) -> Future[Any]:
        """Begin a call."""
        self.calls += 1
        return self._executor.submit(_call, item)

    def close(self) -> None:
        """End the process, once its call has ended."""
        self._executor.shutdown(cancel_futures=True)


def _begin(function: Callable[[Any], Any]) -> None:
    end_with_parent()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):  # a core for each process is enough
        os.environ.setdefault(name, "1")
    _function[:] = [function]


def _call(item: Any) -> Any:
    return _function[0](item)
