"""A switch: the one child whose key equals a value.

SUCCESS: the chosen child returned SUCCESS.

FAILURE: the chosen child returned FAILURE; or no key equals the value and there is no default.

RUNNING: the chosen child returned RUNNING.

A value that cannot be evaluated equals no key.

Memory: none. The value is evaluated before every tick, as in BehaviorTree.CPP's Switch. To keep the
first choice, set a variable before the switch and use that.

Halting: when the value now selects another child, the running one is halted before the other is
ticked, in the same tick. When halted, the running child is halted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Control


class Switch(Control):
    """Chooses by a value; keys may be anything hashable, in the order given."""

    def __init__(
        self,
        name: str,
        select: Callable[[], object],
        cases: Mapping[object, Behaviour],
        default: Behaviour | None = None,
    ) -> None:
        children = list(cases.values())
        if default is not None:
            children.append(default)
        super().__init__(name, children)
        self.select = select
        self.cases = dict(cases)
        self.default = default

    def tick(self) -> Iterator[Behaviour]:
        """Evaluate the value, halt another child if it was running, tick the chosen one."""
        if self.status is not Status.RUNNING:
            self.clear()
            self.initialise()
            self.feedback_message = ""
        value = self.select()
        chosen = self.choose(value)
        before = self.current_child
        if before is not None and before is not chosen and before.status is Status.RUNNING:
            before.stop(Status.INVALID)
        self.current_child = chosen
        if chosen is None:
            self.feedback_message = f"no case for {value!r}"
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
        self.cases = {key: by.get(child, child) for key, child in self.cases.items()}
        if self.default is not None:
            self.default = by.get(self.default, self.default)

    def choose(self, value: object) -> Behaviour | None:
        """The child for a value.

        Keys are compared with ``==`` rather than hashed: a value may be an entity that equals its
        name, or a list.
        """
        for key, child in self.cases.items():
            if value == key:
                return child
        return self.default
