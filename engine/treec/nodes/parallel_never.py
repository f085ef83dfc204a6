"""A parallel with `until: never`: all children at every tick, forever.

SUCCESS: never.

FAILURE: never.

RUNNING: always, whatever the children return; also when there is no child.

Memory: none of its own. A child that finished, with SUCCESS or FAILURE, is started again at the
next tick. That tick is requested at once if the child had been running; a child that finishes in
the tick in which it started waits for the next regular tick, so that it cannot keep the loop
spinning.

Halting: when halted, the running children are halted, in order. It never halts a child of its own
accord.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Control


class ParallelNever(Control):
    """The root of a system: a planner beside its workers."""

    def __init__(self, name: str, children: Sequence[Behaviour]) -> None:
        super().__init__(name, children)

    def tick(self) -> Iterator[Behaviour]:
        """Tick every child."""
        if self.status is not Status.RUNNING:
            self.initialise()
            self.status = Status.RUNNING
        for child in self.children:
            was_running = child.status is Status.RUNNING
            yield from child.tick()
            self.current_child = child
            if was_running and child.status is not Status.RUNNING:
                self.wake()
        yield self
