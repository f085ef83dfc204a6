"""What an environment knows of a scene before a trial: sensed facts and impossible effects.

Files describe types and conditions. Whether the plate fits into the rack, or how far the arm
reaches, only an environment with geometry knows; it is asked once per scene.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from treec.files.view import View
from treec.nodes.environment import SYMBOLIC
from treec.nodes.worker import Effect
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_testing.skill_trial import finish


@runtime_checkable
class FeasibilityChecker(Protocol):
    """An environment that can tell beforehand that some effects are impossible."""

    def impossible(self, effects: tuple[Effect, ...]) -> str:
        """Why effects cannot be reached from the current state; empty if they may be."""


@dataclass(frozen=True)
class SceneFacts:
    """The facts sensed at the start, and the environment to ask for impossible effects."""

    sensed: tuple[Effect, ...] = ()
    _environment: FeasibilityChecker | None = field(default=None)

    @property
    def knows(self) -> bool:
        """Whether there is an environment to ask."""
        return self._environment is not None

    def impossible(self, effects: tuple[Effect, ...]) -> bool:
        """Whether these effects cannot be achieved from the initial state."""
        return self._environment is not None and bool(self._environment.impossible(effects))


@contextmanager
def sense_scene(view: View, env: str) -> Iterator[SceneFacts]:
    """Open an environment and sense a scene; empty for the symbolic one. Raises CannotRun."""
    if env == SYMBOLIC:
        yield SceneFacts()
        return
    run = Run(view, SteppingClock(), Journal.in_memory(), RunSpec(seed=0, env=env))
    try:
        run.open_environments()
        found = run.runtime.environment(view.robots[0])
        sensed = () if found is None else found.sense()
        yield SceneFacts(sensed, found if isinstance(found, FeasibilityChecker) else None)
    finally:
        finish(run)
