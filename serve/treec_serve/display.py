"""The display of a run that a page follows: a line per event here, the rest in the browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from treec.cli.display import RunDisplay
from treec.cli.interrupts import handle_interrupts

if TYPE_CHECKING:
    from treec.run.live_run import LiveRun
    from treec.run.run import Run, RunOutcome

Begin = Callable[["LiveRun", Callable[[], None], Callable[[], None]], None]
"""Opens the page for a run that is about to start. It gets what ends that run, and what ends it and
its process; both from any thread."""


class ServeDisplay(RunDisplay):
    """Prints events, and stays after the run until a signal comes, or whoever started it leaves.

    ``started``: the page has started it.
    """

    live = True

    def __init__(self, out: TextIO, begin: Begin, *, chat: bool, started: bool = False) -> None:
        super().__init__(out)
        self.real = chat
        self._begin = begin
        self._started = started

    def run(self, run: Run) -> RunOutcome:
        """Run it while the page is open. A message to the run ends a wait for its clock."""
        from treec.run.live_run import LiveRun

        assert run.folder is not None
        live = LiveRun(run.folder.name, run)
        self.wait = run.inbox.wait
        self._begin(live, run.loop.stop, lambda: self.stop(run))
        try:
            return super().run(run)
        finally:
            live.end()

    def summary(self, run: Run, outcome: RunOutcome, folder: Path, shown: bool = True) -> None:
        """Print the summary, then keep the page open until Ctrl-C."""
        super().summary(run, outcome, folder, shown)
        if not self.stopped.is_set():
            if not self._started:
                self.print(("The run has ended; the page stays open. Ctrl-C closes it.", "dim"))
            with handle_interrupts(self.stopped.set):
                self.stopped.wait()
