"""A scripted run on the full screen of a terminal."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.live import Live

from treec.cli.display import RunDisplay, WaitFunction
from treec.world.journal import Record
from treec_live.moment import RunWatcher
from treec_live.panels import Screen

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

FRAME = 0.125
"""Minimum seconds between frames."""

LEAVE = "\x1b[?1049l\x1b[?25h"
"""The main screen, and the cursor."""

READING = (0.4, 0.012, 1.4)
"""Seconds to read a message: minimum, per character, maximum."""


class ScreenDisplay(RunDisplay):
    """Panels on the alternate screen; the last ones stay on the main screen."""

    live = True

    def __init__(
        self,
        out: TextIO,
        *,
        console: Console | None = None,
        wait: WaitFunction | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(out, wait=wait)
        self.console = console or Console(file=self.print.out, highlight=False)
        self.screen = Screen()
        self._monotonic = monotonic
        self._watch: RunWatcher | None = None
        self._live: Live | None = None
        self._drawn = float("-inf")
        self._read_until = 0.0

    def go(self, run: Run) -> RunOutcome:
        """Run and display it; what code of others prints is printed when the screen is left."""
        printed = StringIO()
        self._watch = RunWatcher(run, self.state, self.values)
        self._live = Live(
            self.screen, console=self.console, screen=True, auto_refresh=False, transient=True
        )
        run.loop.after_tick.append(self._after_tick)
        try:
            with self._live:
                self._draw()
                with redirect_stdout(printed):
                    return run.go()
        finally:
            self._live = None
            self.console.print(self.screen)
            sys.stderr.write(printed.getvalue())

    def restore_terminal(self) -> None:
        """Leave the alternate screen and show the cursor.

        Each of two threads that break the run off writes it: who comes second may be the one that
        ends the process, and does not know how far the first has come.
        """
        if self._live is not None:
            try:  # not through the buffer, which may be in use
                os.write(self.print.out.fileno(), LEAVE.encode())
            except (OSError, ValueError):
                self.print.out.write(LEAVE)
            self._live = None

    def on_record(self, record: Record) -> None:
        """Process a record; a new message extends the pause by its reading time."""
        assert self._watch is not None
        before = self._watch.talk
        self._watch.add(record)
        if self._watch.talk is not before:
            least, each, most = READING
            letters = len(self._watch.talk[-1].text)
            self._read_until = self._monotonic() + min(least + each * letters, most)

    def pause(self, seconds: float) -> None:
        """Wait and redraw, at least until the last message was read."""
        assert self._watch is not None
        start = self._monotonic()
        end = max(start + seconds, self._read_until)
        self._draw()
        while not self.stopped.is_set() and (left := end - self._monotonic()) > 0:
            self.wait(min(left, 4 * FRAME))
            self._draw()

    def _after_tick(self) -> None:
        if self._monotonic() - self._drawn >= FRAME:
            self._draw()
        elif self._watch is not None:
            self.screen.moment = self._watch.moment()  # drawn at the end of the run

    def _draw(self) -> None:
        if self._live is None or self._watch is None:
            return
        self.screen.moment = self._watch.moment()
        self._drawn = self._monotonic()
        self._live.refresh()
