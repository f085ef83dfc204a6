"""A compiled tree for use inside another py_trees ``BehaviourTree``."""

from __future__ import annotations

import atexit
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.decorators import Decorator

from treec.api.end_signals import end_as_ctrl_c
from treec.api.errors import TreecError
from treec.run.run import Run
from treec.run.users import evaluate_or_none
from treec.source.errors import SourceError
from treec.world.clock import RealClock
from treec.world.journal import Record


class EmbeddedTree(Decorator):
    """A treec tree as one behaviour of a larger tree.

    Each tick first handles due timers, model answers, skill outcomes and user input, then ticks
    the tree. The status is that of the tree. Made by ``Workspace.compile``.

    ``seconds_per_tick`` is the virtual time between two ticks; None means real time.
    """

    def __init__(self, name: str, run: Run, seconds_per_tick: float | None) -> None:
        super().__init__(name=name, child=run.root)
        self._run = run
        self._seconds_per_tick = seconds_per_tick
        self._ticked = False
        self._held = ExitStack()
        """What goes on until it is shut down."""
        self._has_begun = False
        self._began = time.monotonic()

    def setup(self, **kwargs: Any) -> None:
        """Open the robots' environments and load the parsers. Raises TreecError.

        py_trees calls the `setup` of the nodes below itself.
        """
        self._begin()
        self._run.open_environments()
        self._run.warm_parsers()

    def tick(self) -> Iterator[Behaviour]:
        """Handle what is due, then tick the tree."""
        self._begin()
        self._pass_time()
        self._run.loop.before()
        yield from super().tick()
        self._run.loop.after()

    def update(self) -> Status:
        """The status of the tree; one that is skipped as a whole succeeds."""
        status = self.decorated.status
        return Status.SUCCESS if status is Status.INVALID else status

    def shutdown(self) -> None:
        """Stop all skills and requests, and close the environments and the journal.

        py_trees calls this when the larger tree shuts down.
        """
        atexit.unregister(self.shutdown)
        with self._held:
            self._run.runtime.arbiter.cancel_all()
            if self._run.asker is not None:
                self._run.asker.close()
            self._run.runtime.environments.close()
            self._run.journal.close()
            self._run.shown.close()

    def _begin(self) -> None:
        """Have robots told to stop, however the program ends."""
        if not self._has_begun:
            self._has_begun = True
            self._held.enter_context(end_as_ctrl_c())
            atexit.register(self.shutdown)

    def close(self) -> None:
        """End it where no larger tree does; so does the end of ``with``."""
        self.shutdown()

    def __enter__(self) -> EmbeddedTree:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def say(self, text: str) -> None:
        """Say something to the system, from any thread; it is heard at the next tick."""
        self._run.say(text)

    def value(self, expression: str) -> object:
        """The current value of an expression, written as in a file: ``value("at('crate 12')")``.

        None while it cannot be evaluated. Raises TreecError if the text is not an expression.
        """
        try:
            return evaluate_or_none(expression, self._run.scope)
        except SourceError as error:
            raise TreecError(f"'{expression}': {error}") from None

    @property
    def journal(self) -> tuple[Record, ...]:
        """All records so far."""
        return self._run.journal.records

    def _pass_time(self) -> None:
        clock = self._run.clock
        if isinstance(clock, RealClock):
            return
        is_real = self._seconds_per_tick is None  # environments step to the present moment
        if self._ticked or is_real:
            until = time.monotonic() - self._began
            if self._seconds_per_tick is not None:
                until = clock.now() + self._seconds_per_tick
            clock.call_at(until, lambda: None)  # a timer, so that the clock stops there
            while clock.now() < until:
                if not is_real:
                    self._wait_for_external_work()
                clock.advance(until)
            if not is_real:
                self._wait_for_external_work()
        self._ticked = True

    def _wait_for_external_work(self) -> None:
        """Let virtual time stand still while announced work is in progress."""
        runtime = self._run.runtime
        while runtime.external.in_progress:
            self._run.inbox.wait(1.0)
            runtime.orders.report_overdue()
