"""Displays a run in the terminal, one line per event; panels and chats are subclasses.

A display never affects the run: on virtual time the journal is the same without it.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from treec.cli.exits import UNCONFIRMED
from treec.cli.interrupts import handle_interrupts, owns_process
from treec.cli.live_lines import LiveLines
from treec.cli.live_summary import summary_lines
from treec.cli.terminal_text import Printer, wrap_pieces
from treec.foreign import outside
from treec.run.folder import write_summary
from treec.run.state import RunState
from treec.run.summary import Summary, summary_data
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

CONFIRM = 0.3
"""Real seconds in which workers may confirm that they cancel when a second signal comes."""

WaitFunction = Callable[[float], object]
"""Waits for some real seconds, or less if it is interrupted."""


class RunDisplay:
    """Prints a line for each event of interest.

    ``live``: virtual time passes at a watchable speed. ``real``: the run uses the real clock, since
    somebody types.
    """

    live = False
    real = False

    def __init__(self, out: TextIO, *, wait: WaitFunction | None = None) -> None:
        self.stopped = threading.Event()
        self.print = Printer(out)
        self.wait: WaitFunction = wait or self.stopped.wait
        self.totals = Summary()
        self.values: str | None = None
        """The pattern of the variables and ports that are shown when they change."""
        self._lines = LiveLines((), self.state)

    @property
    def state(self) -> RunState:
        """The state of the run after the records so far."""
        return self.totals.run

    def pause(self, seconds: float) -> None:
        """Wait some real seconds before the clock jumps, unless the run was stopped."""
        if not self.stopped.is_set():
            self.wait(seconds)

    def run(self, run: Run) -> RunOutcome:
        """Run and display it. The first signal ends the run in order, the second one aborts it."""
        parameters = {name: tuple(e.model.args) for name, e in run.view.all("skill").items()}
        self.totals = Summary(RunState(parameters))
        for record in (*run.records, *run.journal.since(run.records)):
            self.totals.add(record)
        self.totals.count_left_out(run.records)
        self._lines = LiveLines(tuple(run.view.agents), self.state, self.values)
        unsubscribe = run.world.subscribe(self._take, traces=True)
        run.loop.after_tick.append(lambda: self._stop_if_unread(run))
        run.on_abandoned = self._leave
        try:
            with handle_interrupts(lambda: self.stop(run), lambda: self.abort(run)) as run.signals:
                return self.go(run)
        finally:
            unsubscribe()

    def go(self, run: Run) -> RunOutcome:
        """Let the run happen; subclasses set up their screen or prompt around it.

        What code of others prints goes to stderr.
        """
        with redirect_stdout(sys.stderr):
            return run.go()

    def restore_terminal(self) -> None:
        """Undo what the display has done to the terminal, at any moment: the run is broken off."""

    def abort(self, run: Run) -> None:
        """Break the run off, from any thread: workers are told to cancel, all else is left."""
        unconfirmed = run.runtime.arbiter.confirm(CONFIRM)
        self.restore_terminal()
        for what in unconfirmed:
            os.write(2, f"treec: {what} did not confirm its stop\n".encode())

    def _leave(self, unconfirmed: Sequence[str]) -> None:
        """End the process of a run whose loop code of others holds for good; from any thread."""
        self.restore_terminal()
        with suppress(OSError, ValueError):
            for sentence in unconfirmed:
                print(f"treec: {sentence}", file=sys.stderr, flush=True)
        if owns_process():
            os._exit(UNCONFIRMED)

    def stop(self, run: Run) -> None:
        """End the run before its next tick, and stop waiting."""
        self.stopped.set()
        run.loop.stop()

    def _stop_if_unread(self, run: Run) -> None:
        if self.print.error is not None:
            self.stop(run)

    def _take(self, record: Record) -> None:
        self.totals.add(record)
        with outside():  # code of others may have made it
            self.on_record(record)

    def on_record(self, record: Record) -> None:
        """Show one record, which ``state`` has taken already."""
        for line in self._lines.of(record):
            for part in wrap_pieces(line, self.print.width):
                self.print(*part)

    def summary(self, run: Run, outcome: RunOutcome, folder: Path, shown: bool = True) -> None:
        """Write and print the summary of all records, those of a resumed run included."""
        write_summary(folder, summary_data(self.totals))
        if not shown:
            return
        for line in summary_lines(self.totals, run, outcome, folder, self.print.width):
            self.print(*line)
