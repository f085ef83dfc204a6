"""A compiled tree that stands in somebody else's py_trees ``BehaviourTree``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from treec.api.errors import TreecError
from treec.run.run import Run
from treec.run.users import evaluate_or_none
from treec.source.errors import SourceError
from treec.world.clock import RealClock
from treec.world.journal import Record


class EmbeddedTree(Decorator):
    """A treec tree as one behaviour of a larger tree.

    Each tick lets the world catch up first (timers, answers, what skills and people have said),
    then ticks the tree below. Its status is that of the tree. Made by ``Workspace.compile``.

    ``seconds_per_tick``: how much time passes between two ticks; None for real time.
    """

    def __init__(self, name: str, run: Run, seconds_per_tick: float | None) -> None:
        super().__init__(name=name, child=run.root)
        self._run = run
        self._seconds_per_tick = seconds_per_tick
        self._ticked = False

    def setup(self, **kwargs: Any) -> None:
        """Open the environments that the robots act in. Raises CannotRun."""
        self._run.open_environments()

    def tick(self) -> Iterator[Behaviour]:
        """Let the world catch up, then tick the tree."""
        self._pass_time()
        self._run.loop.before()
        yield from super().tick()
        self._run.loop.after()

    def update(self) -> Status:
        """The status of the tree below."""
        return self.decorated.status

    def shutdown(self) -> None:
        """Close the environments; py_trees calls it when the larger tree shuts down."""
        self._run.runtime.environments.close()
        self._run.journal.close()

    def say(self, text: str) -> None:
        """A person says something; heard at the next tick. From any thread."""
        self._run.say(text)

    def value(self, expression: str) -> object:
        """The value of an expression now, as in a file: ``value("at('crate 12')")``.

        None while it cannot be evaluated. Raises TreecError where the text is no expression.
        """
        try:
            return evaluate_or_none(expression, self._run.scope)
        except SourceError as error:
            raise TreecError(f"'{expression}': {error}") from None

    @property
    def journal(self) -> tuple[Record, ...]:
        """Every record so far."""
        return self._run.journal.records

    def _pass_time(self) -> None:
        clock = self._run.clock
        if isinstance(clock, RealClock) or self._seconds_per_tick is None:
            return
        if self._ticked:
            until = clock.now() + self._seconds_per_tick
            clock.call_at(until, lambda: None)  # so that time gets there
            while clock.now() < until:
                clock.advance(until)
        self._ticked = True
