"""A chat in the terminal: the user types at a prompt, and events are printed above it.

One thread reads the keyboard and posts the input; the thread of the loop prints everything.
"""

from __future__ import annotations

import contextlib
import importlib
import queue
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

from treec.cli.display import RunDisplay
from treec.cli.live_piped import asks, busy, is_everything_answered
from treec.cli.terminal_text import Piece, safe, wrap_pieces
from treec.render.measure import cells
from treec.team.events import Said
from treec.world.events import flat
from treec.world.journal import Record
from treec_live.moment import RunWatcher

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

PROMPT = "you> "
HELP = (
    "Type what you want to say, in your own words.",
    "/status  show agents, recipe and behaviour tree",
    "/help    show this help",
    "/quit    end the run (or press Ctrl-D)",
)


class ChatDisplay(RunDisplay):
    """Prints events above a prompt; the user's own words stay as typed."""

    real = True

    def __init__(
        self,
        out: TextIO,
        *,
        read: Callable[[str], str] = input,
        columns: int | None = None,
        lines: Sequence[str] = (),
        blind: bool = False,
    ) -> None:
        """``blind``: nothing shows which system it is: no introduction, no tree in `/status`."""
        super().__init__(out)
        self._first = list(lines)
        self._blind = blind
        self._read = read
        self._columns = columns
        self._commands: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._watch: RunWatcher | None = None
        self._typing = threading.Event()
        self._restore: Callable[[], None] = lambda: None
        self._spoken = self._shown = ""
        self._wake: Callable[[], None] = lambda: None

    def go(self, run: Run) -> RunOutcome:
        """Run until the user quits."""
        self._watch = RunWatcher(run, self.state, self.values)
        self._wake = run.loop.wake
        run.loop.after_tick.append(lambda: self._serve(run))
        if self._first:
            run.loop.after_tick.append(lambda: self._say_first(run))
            run.say(self._first.pop(0))
        system = run.view.system
        if system is not None and system.model.about and not self._blind:
            for part in wrap_pieces(
                [(f"{safe(system.name)}: ", "bold"), (safe(system.model.about), "")], self._width, 1
            ):
                self.print(*part)
        self.print(("Talk with the team; /help lists commands, /quit ends the run.", "dim"))
        with restored_terminal() as self._restore:
            threading.Thread(target=self._listen, args=(run,), daemon=True).start()
            try:
                return run.go()  # stdout stays: `input` edits its line there
            finally:
                if self._typing.is_set():
                    self.print()
                self._typing.clear()

    def restore_terminal(self) -> None:
        """Let the terminal echo what is typed, though readline still waits."""
        self._restore()

    def show_spoken(self, words: str) -> None:
        """Show what is being said, over the prompt, until other words come; from any thread."""
        self._spoken = words
        self._wake()

    def on_record(self, record: Record) -> None:
        """Print a record above the prompt."""
        assert self._watch is not None
        self._watch.add(record)
        lines = list(self._lines.of(record))
        utterances = (event for event in flat(record.event) if isinstance(event, Said))
        mine = [event for event in utterances if event.who in self._people]
        if lines and not mine:
            self._above(lines)

    @property
    def _people(self) -> frozenset[str]:
        return self.state.people

    def _listen(self, run: Run) -> None:
        """The thread that reads the keyboard. It only posts to the run."""
        while not self.stopped.is_set():
            self._shown = ""  # what stood over the last prompt stays there
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

    def _say_first(self, run: Run) -> None:
        """Say the next given line when it is the user's turn."""
        if self._first and is_everything_answered(run) and (asks(run) or not busy(run)):
            run.say(self._first.pop(0))

    def _serve(self, run: Run) -> None:
        """Show what is being said and execute commands, in the thread of the loop."""
        if self._spoken != self._shown and self._typing.is_set():
            self._above([])
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
                head = [((f"unknown command {safe(command)}:", "red"),)]
            self._above([*head, *(((line, "dim"),) for line in HELP)])

    def _status(self, run: Run) -> None:
        from rich.console import Console

        from treec_live.panels import status_rows

        assert self._watch is not None
        console = Console(file=self.print.out, highlight=False, width=self._columns)
        rows = status_rows(console, self._watch.moment(), tree=not self._blind)
        self._erase()
        console.print(rows)
        self._prompt_again()

    def _above(self, lines: list[tuple[Piece, ...]]) -> None:
        # One write, so that no key is echoed while the prompt is erased.
        self._erase()
        for line in lines:
            for part in wrap_pieces(line, self._width):
                self.print.out.write(self.print.text(*part))
        self._prompt_again()
        self.print.out.flush()

    @property
    def _width(self) -> int | None:
        return self._columns or self.print.width

    def _erase(self) -> None:
        """Erase the prompt and the input, on all their rows."""
        if not self._typing.is_set():
            return
        from shutil import get_terminal_size

        columns = max(self._columns or get_terminal_size().columns, 1)
        rows = max(cells(PROMPT + typed_so_far()) - 1, 0) // columns + bool(self._shown)
        up = f"\x1b[{rows}A" if rows else ""
        self.print.out.write(f"\r{up}\x1b[J")

    def _prompt_again(self) -> None:
        if self._typing.is_set():
            self._shown = self._spoken
            if self._shown:
                end = end_of(safe(self._shown), (self._width or 80) - 3)
                self.print.out.write(self.print.text((f"… {end}", "dim")))
            self.print.out.write(PROMPT + typed_so_far())
            self.print.out.flush()


def end_of(text: str, width: int) -> str:
    """The last words of a text, as far as they fit into so many cells."""
    while text and cells(text) > width:
        text = text.partition(" ")[2] or text[1:]
    return text


def typed_so_far() -> str:
    """The current input line, if readline is available."""
    try:
        return str(importlib.import_module("readline").get_line_buffer())
    except (ImportError, AttributeError):
        return ""


@contextmanager
def restored_terminal() -> Iterator[Callable[[], None]]:
    """Restore the terminal settings at the end, though readline still waits in its thread.

    Gives a function that restores them at once.
    """
    try:
        import sys
        import termios

        with contextlib.suppress(ImportError):
            importlib.import_module("readline")  # line editing for `input`
        settings = termios.tcgetattr(sys.stdin.fileno())
    except (ImportError, OSError, ValueError, termios.error):
        yield lambda: None
        return

    def restore() -> None:
        termios.tcsetattr(sys.stdin.fileno(), termios.TCSADRAIN, settings)

    try:
        yield restore
    finally:
        restore()
