"""Processes that expand states: each a copy of this one, with its own run.

States stay in the process that has found them, since they consist of its objects. One that is given
to another process is come to again from the beginning. What tells equal states is the same in all:
objects that were there when the process was copied have the same place in each, and what is made
later at a place is told apart by its process (``Encoder.mark``).
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import TYPE_CHECKING

from treec.source.errors import TreecError
from treec_prove.expander import Expander, Expansion
from treec_prove.happenings import Happening

if TYPE_CHECKING:
    from treec_prove.snapshots import HeapState

Task = tuple[bytes, int, tuple[Happening, ...]]
"""A state to be expanded: its fingerprint, the process that has found it, and the way there."""

SLACK = 1.25
"""A process expands so many times its share before states are given to others."""


class ProofProcessEnded(TreecError):
    """A process ended before its work was done."""


class ProofProcesses:
    """Copies of this process that expand states."""

    def __init__(self, expander: Expander, count: int, snapshots: int) -> None:
        context = multiprocessing.get_context("fork")
        first = expander.explored.save()
        gc.unfreeze()  # what is frozen is not listed
        expander.explored.encoder.keep(gc.get_objects())
        gc.freeze()
        self._pipes: list[Connection] = []
        self._processes: list[BaseProcess] = []
        for number in range(count):
            here, there = context.Pipe()
            args = (expander, first, number, snapshots // count, there)
            process = context.Process(target=_work, args=args, daemon=True)
            process.start()
            there.close()
            self._pipes.append(here)
            self._processes.append(process)

    def __enter__(self) -> ProofProcesses:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._processes:
            process.kill()
        for process in self._processes:
            process.join()

    def expand(self, tasks: Sequence[Task]) -> Iterator[tuple[int, bytes, Expansion]]:
        """Expand states; yields which process has found what in which of them."""
        for number, share in enumerate(_shares(tasks, len(self._pipes))):
            self._pipes[number].send(share)
        left = len(tasks)
        while left:
            for pipe in wait(self._pipes):
                number = self._pipes.index(pipe)  # type: ignore[arg-type]
                try:
                    print_, report = self._pipes[number].recv()
                except EOFError:
                    raise ProofProcessEnded(
                        "a process of the proof has ended; is memory short?"
                    ) from None
                if isinstance(report, str):
                    raise ProofProcessEnded(report)
                left -= 1
                yield number, print_, report


def _shares(tasks: Sequence[Task], count: int) -> list[list[Task]]:
    """Divide states among processes: each its own, but not much more than others."""
    shares: list[list[Task]] = [[] for _ in range(count)]
    for task in tasks:
        shares[task[1]].append(task)
    most = max(1, int(SLACK * len(tasks) / count))
    moved = [task for share in shares for task in share[most:]]
    shares = [share[:most] for share in shares]
    for task in moved:
        min(shares, key=len).append(task)
    return shares


def _work(
    expander: Expander, first: HeapState, number: int, snapshots: int, pipe: Connection
) -> None:
    """What a process does, until it cannot: the other end is told why."""
    try:
        _expand(expander, first, number, snapshots, pipe)
    except TreecError as error:
        pipe.send((b"", str(error)))
    except Exception as error:
        pipe.send((b"", f"a process of the proof has ended: {type(error).__name__}: {error}"))
        raise


def _expand(
    expander: Expander, first: HeapState, number: int, snapshots: int, pipe: Connection
) -> None:
    """Expand the states that it is told."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    expander.explored.encoder.mark = number + 1
    kept: dict[bytes, HeapState] = {}
    while True:
        try:
            tasks: list[Task] = pipe.recv()
        except EOFError:
            return
        mine = {print_: kept[print_] for print_, _, _ in tasks if print_ in kept}
        kept = {}
        for print_, _, path in tasks:
            state = mine.pop(print_, None)
            state = expander.go_to(first, path) if state is None else expander.go_to(state)
            steps = []
            for step in expander.expand(state):
                if step.holds is not None and step.print is not None and len(kept) < snapshots:
                    assert step.state is not None
                    kept[step.print] = step.state
                steps.append(replace(step, state=None))
            pipe.send((print_, expander.report(steps)))
            gc.collect(0)
