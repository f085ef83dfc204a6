"""A scripted run on a terminal: the whole window, redrawn after each record and while it waits."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

from rich.console import Console
from rich.live import Live

from treec.cli.live_moment import LiveWatch
from treec.cli.live_panels import Screen
from treec.cli.show import Show, Waiter
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

FRAME = 0.125
"""Seconds between two frames at least."""

READING = (0.4, 0.012, 1.4)
"""Seconds that words stay before more happens: at least, for each character, at most."""


class ScreenShow(Show):
    """Panels in the terminal's second screen; the last of them stay on the first one."""

    live = True

    def __init__(
        self,
        out: TextIO,
        *,
        console: Console | None = None,
        wait: Waiter | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(out, wait=wait)
        self.console = console or Console(file=out, highlight=False)
        self.screen = Screen()
        self._monotonic = monotonic
        self._watch: LiveWatch | None = None
        self._live: Live | None = None
        self._drawn = float("-inf")
        self._read_until = 0.0

    def go(self, run: Run) -> RunOutcome:
        """Show the run until it ends."""
        self._watch = LiveWatch(run, self.state)
        self._live = Live(
            self.screen, console=self.console, screen=True, auto_refresh=False, transient=True
        )
        run.loop.after_tick.append(self._after_tick)
        try:
            with self._live:
                self._draw()
                return super().go(run)
        finally:
            self._live = None
            self.console.print(self.screen)

    def told(self, record: Record) -> None:
        """Take a record in; words are given the time that it takes to read them."""
        assert self._watch is not None
        before = self._watch.talk
        self._watch.hear(record)
        if self._watch.talk is not before:
            least, each, most = READING
            letters = len(self._watch.talk[-1].text)
            self._read_until = self._monotonic() + min(least + each * letters, most)

    def pause(self, seconds: float) -> None:
        """Wait, with time passing on the screen; words that were just said are waited for, too."""
        assert self._watch is not None
        begun = self._monotonic()
        end = max(begun + seconds, self._read_until)
        self._draw()
        while not self.stopped.is_set() and (left := end - self._monotonic()) > 0:
            self.wait(min(left, 4 * FRAME))
            self._draw()

    def _after_tick(self) -> None:
        if self._monotonic() - self._drawn >= FRAME:
            self._draw()
        elif self._watch is not None:
            self.screen.moment = self._watch.look()  # the last one is shown when all has ended

    def _draw(self) -> None:
        if self._live is None or self._watch is None:
            return
        self.screen.moment = self._watch.look()
        self._drawn = self._monotonic()
        self._live.refresh()
