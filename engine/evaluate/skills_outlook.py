"""What an environment says of a scene before anything is tried: what it senses, what can never be.

The files speak of types and conditions. Whether the plate fits into the rack, or how far the arm
reaches, only something with sizes knows; it is asked once a scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from treec.files.view import View
from treec.nodes.environment import SYMBOLIC, FeasibilityChecker
from treec.nodes.worker import Effect
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.run.skill_trial import finish
from treec.world.journal import Journal


@dataclass(frozen=True)
class Outlook:
    """What is sensed at the start, and the environment that is asked what can never be."""

    sensed: tuple[Effect, ...] = ()
    _environment: FeasibilityChecker | None = field(default=None)

    @property
    def knows(self) -> bool:
        """Whether there is anybody to ask."""
        return self._environment is not None

    def impossible(self, effects: tuple[Effect, ...]) -> bool:
        """Whether these facts cannot be brought about, as things stand at the start."""
        return self._environment is not None and bool(self._environment.impossible(effects))


@contextmanager
def outlook(view: View, env: str) -> Iterator[Outlook]:
    """Of an environment that is open meanwhile; of the symbolic one nothing. Raises CannotRun."""
    if env == SYMBOLIC:
        yield Outlook()
        return
    run = Run(view, SteppingClock(), Journal.in_memory(), seed=0, env=env)
    try:
        run.open_environments()
        found = run.runtime.environment(view.robots[0])
        sensed = () if found is None else found.sense()
        yield Outlook(sensed, found if isinstance(found, FeasibilityChecker) else None)
    finally:
        finish(run)
