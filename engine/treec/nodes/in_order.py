"""Nodes that tick their children in order; children may be skipped.

Sequence and selector are py_trees' as they are, with a cheap tick; :class:`InOrder` has what both
lack: a tick of its own for each child, a place that is kept, and an order that is drawn.

Their own ``tick`` formats a debug line, looks at each child's every yielded node, and resets all
children before a round; ``stop`` makes a generator that nobody uses. What is ticked and halted, and
when, is the same, as are all statuses after a tick: leaves that are not reached in a round are
reset at its end, and the others take the status of their own tick.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Control, ParentNode

if TYPE_CHECKING:
    from py_trees.composites import Composite
    from py_trees.composites import Selector as SelectorBase
    from py_trees.composites import Sequence as SequenceBase
else:
    from treec.nodes.base import Composite, SelectorBase, SequenceBase

_INVALID, _RUNNING = Status.INVALID, Status.RUNNING
_SUCCESS, _FAILURE = Status.SUCCESS, Status.FAILURE


class LeanSequence(ParentNode, SequenceBase):
    """Ticks children in order until one does not succeed."""

    def __init__(self, name: str, memory: bool, children: Iterable[Behaviour] = ()) -> None:
        Composite.__init__(self, name, list(children))
        self.memory = memory
        self._at = 0
        self._is_new = self._is_skipped = True

    def begin(self) -> Behaviour | None:
        """Tick the first child, or the one that is running."""
        children, first = self.children, 0
        self._is_new = self.status is not _RUNNING
        if not self._is_new and self.memory and self.current_child is not None:
            first = children.index(self.current_child)
        self._at = first
        if self._is_new or not self.memory:
            self._is_skipped = bool(children)
        if first < len(children):
            self.current_child = child = children[first]
            if self._is_new and child.children:
                _restart(child)
            return child
        self.current_child = None
        self.stop(_SUCCESS)
        return None

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the next one if it has succeeded."""
        status = child.status
        self._at = at = self._at + 1
        children = self.children
        if status is _SUCCESS or status is _INVALID:
            if status is _SUCCESS:
                self._is_skipped = False
            if at < len(children):
                self.current_child = child = children[at]
                if child.children and self._is_new:
                    _restart(child)
                return child
            self.stop(_INVALID if self._is_skipped else _SUCCESS)
            return None
        if self._is_new or not self.memory:
            _reset(children, at)
        if status is _RUNNING:
            self.status = _RUNNING
        else:
            self.stop(status)
        return None

    def stop(self, new_status: Status = _INVALID) -> None:
        """End the round; halt the children that have not been, when INVALID."""
        _stop(self, new_status)


class LeanSelector(ParentNode, SelectorBase):
    """Ticks children in order until one does not fail."""

    def __init__(self, name: str, memory: bool, children: Iterable[Behaviour] = ()) -> None:
        Composite.__init__(self, name, list(children))
        self.memory = memory
        self._at = 0
        self._is_skipped = True
        self._previous: Behaviour | None = None

    def begin(self) -> Behaviour | None:
        """Tick the first child, or the one that is running."""
        children, first = self.children, 0
        if self.status is not _RUNNING:
            self.current_child = children[0] if children else None
        elif self.memory and self.current_child is not None:
            first = children.index(self.current_child)
        self._previous = self.current_child
        if self.memory:
            _reset(children, 0, first)
        self._at = first
        if self.status is not _RUNNING or not self.memory:
            self._is_skipped = bool(children)
        if first < len(children):
            return children[first]
        self._fail()
        return None

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the next one if it has failed."""
        status = child.status
        self._at = at = self._at + 1
        children = self.children
        if status is not _SUCCESS and status is not _RUNNING:
            if status is _FAILURE:
                self._is_skipped = False
            if at < len(children):
                return children[at]
            self._fail()
            return None
        self.current_child = child
        if self._previous is not child:
            _reset(children, at)
        if status is _SUCCESS:
            self.stop(_SUCCESS)
        else:
            self.status = _RUNNING
        return None

    def _fail(self) -> None:
        self.stop(_INVALID if self._is_skipped else _FAILURE)
        self.current_child = self.children[-1] if self.children else None

    def stop(self, new_status: Status = _INVALID) -> None:
        """End the round; halt the children that have not been, when INVALID."""
        _stop(self, new_status)


class InOrder(Control):
    """Ticks children in order until one ends otherwise than with ``goes_on``."""

    def __init__(
        self,
        name: str,
        children: Sequence[Behaviour],
        goes_on: Status,
        yields: bool = True,
        keeps: bool = False,
        seed: str | None = None,
    ) -> None:
        """``yields``: after a child that ended at once the next one begins in the next tick.

        ``keeps``: a round that did not end with ``goes_on`` goes on at the same child later.
        ``seed``: each round has an order of its own, drawn with this.
        """
        super().__init__(name, children)
        self._goes_on = goes_on
        self._yields, self._keeps, self._seed = yields, keeps, seed
        self._order: list[Behaviour] = []
        self._round = self._at = 0
        self._was_running = self._is_skipped = False

    def begin(self) -> Behaviour | None:
        """Tick the current child."""
        is_new, current = self.status is not _RUNNING, self.current_child
        if is_new and not self._keeps:
            current = None
        if current is None:
            self._round += self._seed is not None
            self._order = []
        order = self._order = self._order or self._drawn()
        if current is None:
            self._at = 0
        elif order[self._at : self._at + 1] != [current]:  # another list of children
            self._at = order.index(current)
        if is_new or current is None:
            _reset(order, self._at)
            self.initialise()
            self._is_skipped = bool(order) and self._at == 0
        return self._next()

    def after(self, child: Behaviour) -> Behaviour | None:
        """Tick the next one; if it yields, not after a child that has ended at once."""
        if child.status is not self._goes_on and child.status is not _INVALID:
            return super().after(child)
        self._at += 1
        gives_back = self._yields and child.status is self._goes_on and not self._was_running
        self._is_skipped = self._is_skipped and child.status is _INVALID
        following = self._next()
        if following is None or not gives_back:
            return following
        self.wake()
        self.status = _RUNNING
        return None

    def _next(self) -> Behaviour | None:
        if self._at < len(self._order):
            self.current_child = child = self._order[self._at]
            self._was_running = child.status is _RUNNING
            return child
        self.current_child = None
        self.stop(_INVALID if self._is_skipped else self._goes_on)
        return None

    def _drawn(self) -> list[Behaviour]:
        """The children in this round's order; one that comes or goes leaves that of the others."""
        if self._seed is None:
            return self.children
        draw = f"{self._seed} {self._round}"
        return sorted(self.children, key=lambda child: Random(f"{draw} {child.name}").random())

    def replace_children(self, by: Mapping[Behaviour, Behaviour]) -> None:
        """Draw the order of these."""
        self._order = []

    def stop(self, new_status: Status) -> None:  # type: ignore[override]  # no default
        """End the round; keep the place if it is to be kept."""
        current = self.current_child
        super().stop(new_status)
        if self._keeps:
            self.current_child = current

    @property
    def memory(self) -> object:
        """The number of the current child; where the order is drawn, after that of the round."""
        is_there = self.current_child is not None and (self._keeps or self.status is _RUNNING)
        at = self._at if is_there else 0
        return (self._round, at) if self._round else at or None

    def recall(self, memory: object) -> bool:
        """Go on with that child."""
        match memory:
            case (int(round), int(at)):
                self._round = round
            case _:
                at = memory if isinstance(memory, int) else 0
        self._order = self._drawn()
        self.current_child = self._order[at] if at < len(self._order) else None
        return True


def _restart(child: Behaviour) -> None:
    """Reset a node that is ticked next in a new round, unless its leaf's own tick does that."""
    inner = child
    while getattr(inner, "turns", None) is not None:  # a converter, which keeps nothing
        inner = inner.children[0]
    if inner.children and child.status is not _INVALID:
        child.stop(_INVALID)


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
