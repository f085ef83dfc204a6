"""A probe: a leaf that returns what its script says; for tests and traces.

SUCCESS: the letter that is due is S.

FAILURE: the letter that is due is F.

RUNNING: the letter that is due is R.

Memory: how far the script has been read: one letter for each tick the probe gets, over again from
the start when it runs out. Neither finishing nor a halt sets it back.

Halting: when halted while RUNNING, it says so to `on_halt`; the next tick reads on.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import cycle

from py_trees.common import Status

from treec.nodes.base import Leaf

LETTERS = {"S": Status.SUCCESS, "F": Status.FAILURE, "R": Status.RUNNING}


class Probe(Leaf):
    """Scripted; tells `on_tick` of every tick and `on_halt` of every halt."""

    def __init__(
        self,
        name: str,
        script: str,
        on_tick: Callable[[Probe, Status], None] | None = None,
        on_halt: Callable[[Probe], None] | None = None,
    ) -> None:
        super().__init__(name)
        unknown = sorted(set(script) - LETTERS.keys())
        if unknown or not script:
            raise ValueError(f"a script is one or more of the letters S, F and R, not {script!r}")
        self.script = script
        self.on_tick = on_tick
        self.on_halt = on_halt
        self._due = cycle([LETTERS[letter] for letter in script])

    def update(self) -> Status:
        """Read the next letter."""
        status = next(self._due)
        if self.on_tick is not None:
            self.on_tick(self, status)
        return status

    def terminate(self, new_status: Status) -> None:
        """Tell of a halt; one that finds the probe idle (py_trees does that) is none."""
        if (
            new_status is Status.INVALID
            and self.status is Status.RUNNING
            and self.on_halt is not None
        ):
            self.on_halt(self)
