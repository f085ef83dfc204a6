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

Begin = Callable[["LiveRun"], None]


class ServeDisplay(RunDisplay):
    """Prints events, and leaves the page open after the run until a signal comes.

    ``begin`` opens the page for a run that is about to start.
    """

    live = True

    def __init__(self, out: TextIO, begin: Begin, *, chat: bool) -> None:
        super().__init__(out)
        self.real = chat
        self._begin = begin

    def run(self, run: Run) -> RunOutcome:
        """Run it while the page is open. A message to the run ends a wait for its clock."""
        from treec.run.live_run import LiveRun

        assert run.folder is not None
        live = LiveRun(run.folder.name, run)
        self.wait = run.inbox.wait
        self._begin(live)
        try:
            return super().run(run)
        finally:
            live.end()

    def summary(self, run: Run, outcome: RunOutcome, folder: Path, shown: bool = True) -> None:
        """Print the summary, then keep the page open until Ctrl-C."""
        super().summary(run, outcome, folder, shown)
        if not self.stopped.is_set():
            self.print(("The run has ended; the page stays open. Ctrl-C closes it.", "dim"))
            with handle_interrupts(self.stopped.set):
                self.stopped.wait()
