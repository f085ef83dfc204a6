"""Stops a displayed run after ticks, before skills or actions, for whoever looks for a mistake.

While it waits nothing moves: the run's time is virtual. The journal is that of a run that never
stopped, unless something was not approved.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from treec.cli.read_line import read_line
from treec.nodes.approval import ApprovalQuestion, Approved, NotAnswered
from treec.run.node_patterns import fits, no_node
from treec.run.run import CannotRun
from treec.run.status_recorder import path_of, walk
from treec_live.node_changes import NodeChanges

if TYPE_CHECKING:
    from treec.cli.display import RunDisplay
    from treec.run.run import Run

KEYS = "Enter: the next one, c: go on, q: end the run"
ANSWERS = "Enter: yes, n: no, a: all, q: end the run"


class Stepper:
    """Shows what each tick has changed and waits; ``look`` is called after every tick."""

    def __init__(
        self,
        run: Run,
        tell: Callable[[str], object],
        read: Callable[[], str | None],
        *,
        every_tick: bool,
        at: Sequence[str],
    ) -> None:
        """``read`` gives a line, or None at the end of the input. Raises CannotRun.

        With ``every_tick`` it waits after each tick that has changed the status of a node, else
        after those in which a node that fits one of ``at`` has begun or ended.
        """
        for pattern in at:
            if not any(fits(pattern, path_of(node)) for node, _ in walk(run.root)):
                raise CannotRun(f"--pause-at: {no_node(pattern, run.root)}")
        self._run = run
        self._tell = tell
        self._read = read
        self._stepping = every_tick
        self._at = at
        self._changes = NodeChanges(run.loop)

    def look(self) -> None:
        """Compare the nodes with the tick before; wait where that is wanted."""
        changes = self._changes.look(self._at)
        if not (changes and self._stepping) and not any(one.reached for one in changes):
            return
        self._tell(f"tick {self._run.loop.tree.count} at {self._run.clock.now():g} s")
        for one in changes:
            mark = " ◀" if one.reached else ""
            self._tell(f"  {one.status.name.lower():<8} {one.path}{mark}")
        self._tell(KEYS)
        answer = self._read()
        key = "c" if answer is None else answer.strip().lower()[:1]
        if key == "q":
            self._run.loop.stop()
        self._stepping = key not in ("c", "q")
        if answer is None or key == "q":
            self._at = ()


class Approval:
    """Asks before skills begin or actions take effect; the run's time stands still meanwhile."""

    def __init__(
        self,
        what: Collection[Approved],
        tell: Callable[[str], object],
        read: Callable[[], str | None],
        stop: Callable[[], None],
    ) -> None:
        """``read`` gives a line, or None at the end of the input."""
        self._what = frozenset(what)
        self._tell = tell
        self._read = read
        self._stop = stop

    def __call__(self, asked: ApprovalQuestion) -> bool:
        """Whether it may happen; an answer that is none of the keys is asked for again.

        Raises NotAnswered: the run is to end.
        """
        if asked.what not in self._what:
            return True
        while True:
            self._tell(f"{asked.words}? {ANSWERS}")
            answer = self._read()
            match None if answer is None else answer.strip().lower()[:1]:
                case "" | "y":
                    return True
                case "n":
                    return False
                case "a":
                    self._what -= {asked.what}
                    return True
                case "q" | None:
                    self._stop()
                    raise NotAnswered


def wait_for_somebody(
    run: Run,
    display: RunDisplay,
    *,
    step: bool,
    pause_at: Sequence[str],
    approve: Collection[Approved],
) -> None:
    """Let a displayed run wait for the standard input. Raises CannotRun."""

    def tell(text: str) -> None:
        display.print((text, ""))

    def read() -> str | None:
        return read_line(sys.stdin, display.stopped)

    if step or pause_at:
        stepper = Stepper(run, tell, read, every_tick=step, at=pause_at)
        run.loop.after_tick.append(stepper.look)
    if approve:
        run.runtime.approve = Approval(approve, tell, read, lambda: display.stop(run))
