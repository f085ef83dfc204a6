"""A chat at a terminal: the person types at a prompt, and what happens is printed above it.

A thread reads the keyboard and posts what was typed; everything is printed by the loop's thread.
"""

from __future__ import annotations

import contextlib
import importlib
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from treec.cli.live_moment import LiveWatch
from treec.cli.live_paint import Piece, safe, wrapped
from treec.cli.show import Show
from treec.render.measure import cells
from treec.team.events import Said
from treec.world.events import flat
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

PROMPT = "you> "
HELP = (
    "Type what you would say, in your own words.",
    "/status  who is at what, the recipe, the behaviour tree",
    "/help    this",
    "/quit    end the run (so does Ctrl-D)",
)


class ChatShow(Show):
    """Lines above a prompt; the person's own words stand there as they were typed."""

    real = True

    def __init__(
        self, out: TextIO, *, read: Callable[[str], str] = input, columns: int | None = None
    ) -> None:
        super().__init__(out)
        self._read = read
        self._columns = columns
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._watch: LiveWatch | None = None
        self._typing = threading.Event()

    def go(self, run: Run) -> RunOutcome:
        """Talk until the person leaves."""
        self._watch = LiveWatch(run, self.state)
        run.loop.after_tick.append(lambda: self._serve(run))
        system = run.view.system
        if system is not None and system.model.about:
            for part in wrapped(
                [(f"{safe(system.name)}: ", "bold"), (safe(system.model.about), "")], self._width, 1
            ):
                self.print(*part)
        self.print(("Talk with the team; /help says what else there is, /quit ends.", "dim"))
        with restored_terminal():
            threading.Thread(target=self._listen, args=(run,), daemon=True).start()
            try:
                return super().go(run)
            finally:
                if self._typing.is_set():
                    self.print()
                self._typing.clear()

    def told(self, record: Record) -> None:
        """Print what a record says, above what is being typed."""
        assert self._watch is not None
        self._watch.hear(record)
        lines = list(self._lines.of(record))
        said = (event for event in flat(record.event) if isinstance(event, Said))
        mine = [event for event in said if event.who in self._people]
        if lines and not mine:
            self._above(lines)

    @property
    def _people(self) -> frozenset[str]:
        return self.state.people

    def _listen(self, run: Run) -> None:
        """The keyboard's thread: it posts, and touches nothing of the run."""
        while not self.stopped.is_set():
            self._typing.set()
            try:
                words = self._read(PROMPT).strip()
            except (EOFError, OSError, ValueError):
                words = "/quit"
                self.print()
            self._typing.clear()
            if words == "/quit":
                self.stop(run)
            elif words.startswith("/"):
                self._commands.put(words)
                run.loop.wake()
            elif words:
                run.say(words)

    def _serve(self, run: Run) -> None:
        """Answer commands, in the loop's thread."""
        while True:
            try:
                command = self._commands.get_nowait()
            except queue.Empty:
                return
            if command == "/status":
                self._status(run)
                continue
            known = command in ("/help", "/?")
            head: list[tuple[Piece, ...]] = []
            if not known:
                head = [((f"{safe(command)} is no command:", "red"),)]
            self._above([*head, *(((line, "dim"),) for line in HELP)])

    def _status(self, run: Run) -> None:
        from rich.console import Console

        from treec.cli.live_panels import status_rows

        assert self._watch is not None
        console = Console(file=self.print.out, highlight=False, width=self._columns)
        rows = status_rows(console, self._watch.look())
        self._erase()
        console.print(rows)
        self._prompt_again()

    def _above(self, lines: list[tuple[Piece, ...]]) -> None:
        # Written as one, so that a key pressed meanwhile is not echoed where the prompt is missing.
        self._erase()
        for line in lines:
            for part in wrapped(line, self._width):
                self.print.out.write(self.print.text(*part))
        self._prompt_again()
        self.print.out.flush()

    @property
    def _width(self) -> int | None:
        return self._columns or self.print.width

    def _erase(self) -> None:
        """Clear the prompt and what was typed so far, over as many rows as it takes."""
        if not self._typing.is_set():
            return
        from shutil import get_terminal_size

        columns = max(self._columns or get_terminal_size().columns, 1)
        rows = max(cells(PROMPT + typed_so_far()) - 1, 0) // columns
        up = f"\x1b[{rows}A" if rows else ""
        self.print.out.write(f"\r{up}\x1b[J")

    def _prompt_again(self) -> None:
        if self._typing.is_set():
            self.print.out.write(PROMPT + typed_so_far())
            self.print.out.flush()


def typed_so_far() -> str:
    """The line being typed, where the line editor tells."""
    try:
        return str(importlib.import_module("readline").get_line_buffer())
    except (ImportError, AttributeError):
        return ""


@contextmanager
def restored_terminal() -> Iterator[None]:
    """Leave the terminal as it was, though the line editor is still waiting in its thread."""
    try:
        import sys
        import termios

        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # so that `input` can edit
        settings = termios.tcgetattr(sys.stdin.fileno())
    except (ImportError, OSError, ValueError, termios.error):
        yield
        return
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, settings)
