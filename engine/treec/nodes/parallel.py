"""A parallel: all children at every tick, until enough have succeeded or too many have failed.

SUCCESS: `success_count` children have returned SUCCESS in this round.

FAILURE: `failure_count` children have returned FAILURE in this round, or so many that
`success_count` can no longer be reached.

RUNNING: neither yet.

A negative count is counted from the end: -1 is all children, -2 all but one. The defaults are those
of BehaviorTree.CPP: all must succeed, and one failure is enough to fail. Children are ticked in
order and the counts are checked after each, SUCCESS first; once the result is decided, the
remaining children are not ticked. A count above the number of children is an error.

Memory: which children have finished in this round, and how. They are not ticked again in it. The
next round begins with all of them.

Halting: once the result is decided, the children that are still running are halted in the same
tick. When halted, the running children are halted, in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Control


class Parallel(Control):
    """BehaviorTree.CPP's Parallel."""

    def __init__(
        self,
        name: str,
        children: Sequence[Behaviour],
        success_count: int = -1,
        failure_count: int = 1,
    ) -> None:
        super().__init__(name, children)
        self.success_threshold = threshold("success", success_count, len(children))
        self.failure_threshold = threshold("failure", failure_count, len(children))
        self.successes = 0
        self.failures = 0

    def tick(self) -> Iterator[Behaviour]:
        """Tick every child that has not finished in this round; count as they finish."""
        children = self.children
        if self.status is not Status.RUNNING:
            self.clear()
            self.successes = self.failures = 0
            self.initialise()
            if not children:
                self.stop(Status.SUCCESS)
                yield self
                return
            self.status = Status.RUNNING
        most_failures = len(children) - self.success_threshold
        for child in children:
            # `clear` reset all statuses, so a child with a result finished in this round.
            status = child.status
            if status is Status.SUCCESS or status is Status.FAILURE:
                continue
            yield from child.tick()
            status = child.status
            if status is Status.SUCCESS:
                self.successes += 1
            elif status is Status.FAILURE:
                self.failures += 1
            if self.successes >= self.success_threshold:
                self.current_child = child
                self.stop(Status.SUCCESS)
                yield self
                return
            if self.failures > most_failures or self.failures == self.failure_threshold:
                self.current_child = child
                self.stop(Status.FAILURE)
                yield self
                return
        self.current_child = children[-1]
        yield self


def threshold(what: str, count: int, children: int) -> int:
    """The number of children that `count` means; ValueError if there are not so many."""
    if count > children:
        raise ValueError(f"{what} count {count} can never be reached by {children} children")
    return count if count >= 0 else max(children + count + 1, 0)
