"""py_trees' sequence and selector, as they are, with a cheap tick.

Their own ``tick`` formats a debug line, looks at each child's every yielded node, and resets all
children before a round; ``stop`` makes a generator that nobody uses. What is ticked and halted, and
when, is the same, as are all statuses after a tick: leaves that are not reached in a round are
reset at its end, and the others take the status of their own tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour
from py_trees.common import Status

if TYPE_CHECKING:
    from py_trees.composites import Composite
    from py_trees.composites import Selector as SelectorBase
    from py_trees.composites import Sequence as SequenceBase
else:
    from treec.nodes.base import Composite, SelectorBase, SequenceBase

_INVALID, _RUNNING = Status.INVALID, Status.RUNNING
_SUCCESS, _FAILURE = Status.SUCCESS, Status.FAILURE


class LeanSequence(SequenceBase):
    """Ticks children in order until one does not succeed."""

    def __init__(self, name: str, memory: bool, children: Iterable[Behaviour] = ()) -> None:
        Composite.__init__(self, name, list(children))
        self.memory = memory

    def tick(self) -> Iterator[Behaviour]:
        """Tick the children that are due, then yield this node."""
        children, first = self.children, 0
        if is_new := self.status is not _RUNNING:
            for each in children:
                if each.children and each.status is not _INVALID:
                    each.stop(_INVALID)
        elif self.memory and self.current_child is not None:
            first = children.index(self.current_child)
        child: Behaviour | None = None
        for number in range(first, len(children)):
            child = self.current_child = children[number]
            yield from child.tick()
            status = child.status
            if status is _SUCCESS:
                continue
            if is_new or not self.memory:
                _reset(children, number + 1)
            if status is _RUNNING:
                self.status = _RUNNING
            else:
                self.stop(status)
            yield self
            return
        self.current_child = child
        self.stop(_SUCCESS)
        yield self

    def stop(self, new_status: Status = _INVALID) -> None:
        """End the round; halt the children that have not been, when INVALID."""
        _stop(self, new_status)


class LeanSelector(SelectorBase):
    """Ticks children in order until one does not fail."""

    def __init__(self, name: str, memory: bool, children: Iterable[Behaviour] = ()) -> None:
        Composite.__init__(self, name, list(children))
        self.memory = memory

    def tick(self) -> Iterator[Behaviour]:
        """Tick the children that are due, then yield this node."""
        children, first = self.children, 0
        if self.status is not _RUNNING:
            self.current_child = children[0] if children else None
        elif self.memory and self.current_child is not None:
            first = children.index(self.current_child)
        previous = self.current_child
        if self.memory:
            _reset(children, 0, first)
        for number in range(first, len(children)):
            child = children[number]
            yield from child.tick()
            status = child.status
            if status is not _SUCCESS and status is not _RUNNING:
                continue
            self.current_child = child
            if previous is not child:
                _reset(children, number + 1)
            if status is _SUCCESS:
                self.stop(_SUCCESS)
            else:
                self.status = _RUNNING
            yield self
            return
        self.stop(_FAILURE)
        self.current_child = children[-1] if children else None
        yield self

    def stop(self, new_status: Status = _INVALID) -> None:
        """End the round; halt the children that have not been, when INVALID."""
        _stop(self, new_status)


def _reset(children: list[Behaviour], first: int, end: int | None = None) -> None:
    for child in children[first:end]:
        if child.status is not _INVALID:
            child.stop(_INVALID)


def _stop(node: Composite, new_status: Status) -> None:
    if new_status is _INVALID:
        node.current_child = None
        _reset(node.children, 0)
    node.terminate(new_status)
    node.status = new_status
