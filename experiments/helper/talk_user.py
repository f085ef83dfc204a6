"""A user who says lines, each when it is their turn, and then leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from treec.run.run import Run

LOOK = 1.0
"""Simulated seconds between two looks whether it is their turn."""
LIMIT = 7_200.0
"""Simulated seconds after which the user leaves, whatever the robot is at."""


class TalkUser:
    """Says the lines of one run; ``then`` gives further ones, and None when the user leaves."""

    def __init__(
        self, run: Run, lines: Sequence[str], then: Callable[[], str | None] = lambda: None
    ) -> None:
        self._run = run
        self._lines = list(lines)
        self._then = then

    def begin(self) -> None:
        """Say the first line at once."""
        self._later()

    def _later(self) -> None:
        clock = self._run.clock
        clock.call_at(clock.now() + LOOK, self._look)

    def _look(self) -> None:
        run = self._run
        if run.clock.now() > LIMIT:
            run.loop.stop()
            return
        if not self._is_turn():
            self._later()
            return
        line = self._lines.pop(0) if self._lines else self._then()
        if line is None:
            run.loop.stop()
        else:
            run.say(line)
            self._later()

    def _is_turn(self) -> bool:
        team, people = self._run.team, self._run.view.people
        answered = all(u.read and u.answered for u in team.chat if u.who in people)
        busy = any(a.current or a.queue for a in team.agents if not a.person)
        return answered and not busy
