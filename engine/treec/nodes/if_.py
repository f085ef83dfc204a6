"""If, then, else: one of two children, by a condition.

SUCCESS: the chosen child returned SUCCESS.

FAILURE: the chosen child returned FAILURE; or the condition is false and there is no `else`, as
in BehaviorTree.CPP's IfThenElse. To continue instead, use `skip_if`.

RUNNING: the chosen child returned RUNNING.

A condition that cannot be evaluated counts as false.

Memory: the choice. The condition is evaluated when a round begins; the chosen child then runs to
its end even if the condition changes. Use `while` for a condition that must keep holding.

Halting: when halted, the running child is halted. It never halts a child of its own accord.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Condition, Control


class If(Control):
    """Chooses once a round."""

    def __init__(
        self,
        name: str,
        condition: Condition,
        then: Behaviour,
        else_: Behaviour | None = None,
    ) -> None:
        super().__init__(name, [then] if else_ is None else [then, else_])
        self.condition = condition
        self.then = then
        self.else_ = else_

    def tick(self) -> Iterator[Behaviour]:
        """Choose if a round begins; tick the chosen child."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
            self.current_child = self.then if self.condition() else self.else_
        chosen = self.current_child
        if chosen is None:
            self.stop(Status.FAILURE)
            yield self
            return
        yield from chosen.tick()
        if chosen.status is Status.RUNNING:
            self.status = Status.RUNNING
        else:
            self.stop(chosen.status)
        yield self

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Choose among the new ones."""
        self.then = by.get(self.then, self.then)
        if self.else_ is not None:
            self.else_ = by.get(self.else_, self.else_)
