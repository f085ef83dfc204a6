"""How a run is shown: a line for each event; panels and conversations derive from it.

A show never changes what happens: on the virtual clock a run that is watched writes the same
journal as one that is not.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from treec.cli.live_lines import LiveLines
from treec.cli.live_paint import Printer, wrapped
from treec.cli.live_summary import summary_lines
from treec.run.folder import JOURNAL, write_summary
from treec.run.state import RunState, fold
from treec.run.summary import summarize, summary_data
from treec.world.journal import Record, read_journal

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

Waiter = Callable[[float], object]
"""Waits so many real seconds, or less when there is a reason to."""


class Show:
    """How a run is shown; this one prints a line for everything worth knowing.

    ``live``: people watch, so that time is let out at a speed. ``real``: the run goes by the real
    clock, since somebody types.
    """

    live = False
    real = False

    def __init__(self, out: TextIO, *, wait: Waiter | None = None) -> None:
        self.stopped = threading.Event()
        self.print = Printer(out)
        self.wait: Waiter = wait or self.stopped.wait
        self.state = RunState()
        self._lines = LiveLines((), self.state)

    def pause(self, seconds: float) -> None:
        """Let real time pass before the clock jumps; after a stop there is nothing to wait for."""
        if not self.stopped.is_set():
            self.wait(seconds)

    def run(self, run: Run) -> RunOutcome:
        """Let the run happen and show it. Ctrl-C ends it in order; a second one breaks it off."""
        parameters = {name: tuple(e.model.args) for name, e in run.view.all("skill").items()}
        self.state = fold(run.journal.records, parameters)
        self._lines = LiveLines(tuple(run.view.agents), self.state)
        unsubscribe = run.world.subscribe(self._take, traces=True)
        try:
            with interrupts(lambda: self.stop(run)):
                return self.go(run)
        finally:
            unsubscribe()

    def go(self, run: Run) -> RunOutcome:
        """Let the run happen; subclasses set up their screen or prompt around it."""
        return run.go()

    def stop(self, run: Run) -> None:
        """End the run before its next tick, and any waiting at once."""
        self.stopped.set()
        run.loop.stop()

    def _take(self, record: Record) -> None:
        self.state.take(record)
        self.told(record)

    def told(self, record: Record) -> None:
        """Show one record, which ``state`` has taken already."""
        for line in self._lines.of(record):
            for part in wrapped(line, self.print.width):
                self.print(*part)

    def summary(self, run: Run, outcome: RunOutcome, folder: Path) -> None:
        """Print what it came to, read off the journal."""
        totals = summarize(read_journal(folder / JOURNAL))
        write_summary(folder, summary_data(totals))
        for line in summary_lines(totals, run, outcome, folder, self.print.width):
            self.print(*line)


@contextmanager
def interrupts(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C calls ``stop``, the next one is KeyboardInterrupt again."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears of signals
        return
    before = signal.getsignal(signal.SIGINT)

    def heard(number: int, frame: object) -> None:
        signal.signal(signal.SIGINT, before)
        stop()

    signal.signal(signal.SIGINT, heard)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
