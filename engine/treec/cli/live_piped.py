"""A chat whose input comes from a pipe.

In real time each line is said as soon as it is there. On virtual time (`--fast`) the next line is
said once all earlier ones are answered and the assistant has asked something or nobody is busy, or
after a long wait: a longer one while robots work and no person has work.

`/wait 10s` before a line sets its time after the previous one. After the last line the run ends as
soon as nobody is busy.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, TextIO

from treec.cli.display import RunDisplay
from treec.cli.read_line import read_line
from treec.cli.terminal_text import safe
from treec.source.durations import parse_duration

if TYPE_CHECKING:
    from treec.run.run import Run, RunOutcome

LOOK = 1.0
"""Simulated seconds between checks whether it is the user's turn."""

PATIENCE, LAST, WATCHING = 30.0, 300.0, 3600.0
"""Simulated seconds after which the user speaks anyway, and leaves after the last line; and for
which somebody without work watches robots that have some."""


class PipedDisplay(RunDisplay):
    """Prints events, and says the lines that it reads. `/quit` ends the input.

    ``first`` is said at the user's turns, also in ``real`` time.
    """

    def __init__(
        self, out: TextIO, lines: TextIO, *, first: Sequence[str] = (), real: bool = False
    ) -> None:
        super().__init__(out)
        self.real = real
        self._first = list(first)
        self._input = lines
        self._next: str | None = None
        self._help = ""
        self._since = 0.0
        self._hold: float | None = None
        self._ended = False
        self._empty = not first

    def run(self, run: Run) -> RunOutcome:
        """Run until all lines are said and nobody is busy."""
        named = ", ".join(scenarios(run)) or "none yet"
        self._help = f"run it in a terminal to talk, or specify a --scenario ({named})"
        self._later(run)
        if self.real:
            threading.Thread(target=self._listen, args=(run,), daemon=True).start()
        try:
            return super().run(run)
        finally:
            self.stopped.set()  # which ends the thread that reads

    def _later(self, run: Run) -> None:
        run.clock.call_at(run.clock.now() + LOOK, lambda: self._look(run))

    def _look(self, run: Run) -> None:
        """Speak if it is the user's turn; end the run if nothing is left to do."""
        waited = run.clock.now() - self._since
        if self._next is None and (is_everything_answered(run) or waited >= PATIENCE):
            self._read()
        if self._next is not None:
            if self._due(run, waited):
                self._say(run, self._next)
        elif (
            self._ended
            and not run.inbox.ready()  # what was said last
            and (
                waited >= max(LAST, self._patience(run))
                or (is_everything_answered(run) and not busy(run))
            )
        ):
            self.stop(run)
            return
        self._later(run)

    def _due(self, run: Run, waited: float) -> bool:
        if self._hold is not None:
            return waited >= self._hold
        return waited >= self._patience(run) or (
            is_everything_answered(run) and (asks(run) or not busy(run))
        )

    def _patience(self, run: Run) -> float:
        is_watching = busy(run) and is_everything_answered(run) and not people_work(run)
        return WATCHING if is_watching else PATIENCE

    def _say(self, run: Run, words: str) -> None:
        self._since = run.clock.now()
        self._next = self._hold = None
        run.say(words)

    def _listen(self, run: Run) -> None:
        """Say each line as soon as it is there; in a thread of its own."""
        while not self._ended and not self.stopped.is_set():
            words = self._parse(read_line(self._input, self.stopped) or "")
            if words and self._hold is not None:
                left = self._since + self._hold - run.clock.now()
                self.stopped.wait(max(0.0, left / (run.spec.speed or 1.0)))
                self._hold = None
            if words:
                self._since = run.clock.now()
                run.say(words)

    def _read(self) -> None:
        """Read up to the next line to say, and execute the commands before it."""
        while self._next is None and (self._first or not (self.real or self._ended)):
            line = self._first.pop(0) if self._first else read_line(self._input, self.stopped)
            self._next = self._parse(line or "")

    def _parse(self, line: str) -> str | None:
        """The words of a line; None for a command, which is executed, and at the end."""
        words = line.strip()
        if not line and self._empty and not self.stopped.is_set():
            self.print((f"! standard input is empty: the user stays silent; {self._help}", "red"))
        self._empty = False
        if words == "/quit":
            self._first.clear()
        if not line or words == "/quit":
            self._ended = True
        elif words.startswith("/wait"):
            try:
                self._hold = parse_duration(words[5:].strip())
            except ValueError as error:
                self.print((f"! {safe(words)}: {safe(error)}", "red"))
        elif words.startswith("/"):
            self.print((f"! unknown command {safe(words)}: use /wait or /quit", "red"))
        elif words:
            return words
        return None


def scenarios(run: Run) -> list[str]:
    """The names of the scenarios of a run's system."""
    library = run.view.library
    entries = library.of_kind("scenario")
    return sorted(it.name for it in entries if library.belongs_to(it, run.system))


def is_everything_answered(run: Run) -> bool:
    """Whether everything that people said is answered."""
    people = run.view.people
    return all(u.read and u.answered for u in run.team.chat if u.who in people)


def asks(run: Run) -> bool:
    """Whether a proposal waits for an answer."""
    return bool(run.team.now.open)


def people_work(run: Run) -> bool:
    """Whether a person has something to do."""
    return any(agent.person and (agent.queue or agent.current) for agent in run.team.agents)


def busy(run: Run) -> bool:
    """Whether a robot is working, or could start a subtask of its queue."""
    return any(
        agent.current is not None or run.team.takeable(agent.name) is not None
        for agent in run.team.agents
        if not (agent.person or agent.status == "Interrupted")
    )
