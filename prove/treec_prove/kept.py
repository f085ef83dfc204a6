"""What a node of a tree remembers: it is saved and restored, and tells states apart.

Of nodes whose code is known, what they set anew before they read it is left out. Within a tick, two
ways that have come to the same leaf with the same rest of the tick go on alike.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.base import Leaf, WakeUp
from treec.nodes.control.parallel import Parallel, ParallelAll
from treec.nodes.in_order import LeanSelector, LeanSequence
from treec.nodes.leaves.check import Check
from treec.nodes.modifiers.force_failure import SuccessIsFailure
from treec.nodes.modifiers.force_success import FailureIsSuccess
from treec.nodes.modifiers.invert import Inverter


class KeptNode:
    """A node whose attributes are saved and restored, as far as they are other than at first."""

    def __init__(self, node: Behaviour) -> None:
        self.node, self.own = node, vars(node)
        self.wakes = [value for value in self.own.values() if isinstance(value, WakeUp)]
        self.open = {
            key: value.copy()
            for key, value in self.own.items()
            if isinstance(value, list | dict | set) and key != "children"
        }
        """Attributes that can change in place, as they were."""
        self.first = {
            key: value
            for key, value in self.own.items()
            if key not in self.open and key not in _FIXED and not callable(value)
        }
        self.count = len(self.own)
        anew = _ANEW.get(_own_class(node))
        self._is_read = _own_class(node.parent) not in _IN_ORDER
        self.is_known = isinstance(node, KnownLeaf) or anew is not None
        self._passing = _PASSING | (anew or frozenset())

    def _changed(self) -> dict[str, Any]:
        own = self.own
        found = {key: own[key] for key, value in self.first.items() if own[key] is not value}
        for key, value in self.open.items():
            if own[key] != value:
                found[key] = own[key]
        if len(own) != self.count:
            known = (*self.first, *self.open, *_FIXED)
            found |= {k: v for k, v in own.items() if k not in known and not callable(v)}
        return found

    def save(self) -> tuple[dict[str, Any], list[float | None]]:
        """What it remembers."""
        changed = self._changed()
        for key, value in changed.items():
            if isinstance(value, list | dict | set):
                changed[key] = value.copy()
        return changed, [wake.due for wake in self.wakes]

    def restore(self, saved: tuple[dict[str, Any], list[float | None]]) -> None:
        """Go on from there."""
        kept, dues = saved
        for key in self._changed():
            if key in self.open:
                self.own[key] = self.open[key].copy()
            elif key in self.first:
                self.own[key] = self.first[key]
            else:
                del self.own[key]
        for key, value in kept.items():
            self.own[key] = value.copy() if isinstance(value, list | dict | set) else value
        for wake, due in zip(self.wakes, dues, strict=True):
            wake.due = due

    def state(self, now: float) -> object:
        """What the next tick can tell."""
        node = self.node
        if self.is_known and node.status is not Status.RUNNING:
            return (self._round,)
        return (self._round, *self._told(now, self._passing))

    @property
    def _round(self) -> tuple[str, int]:
        """A node's status as far as the next tick can tell, and where it goes on.

        A result is of no account once the node above has ended its round, or if that never looks
        at it again; nor is the place of the last child outside of a round.
        """
        node = self.node
        status = node.status
        if status is not Status.RUNNING:
            above = node.parent
            is_open = self._is_read and above is not None and above.status is Status.RUNNING
            return (status.name if is_open else ""), -1
        current = getattr(node, "current_child", None)
        return status.name, -1 if current is None else node.children.index(current)

    def state_within(self, now: float, ticked: Collection[Behaviour]) -> object:
        """What the rest of a tick can tell, in which some nodes have begun and not ended."""
        node = self.node
        if node in ticked:
            current = getattr(node, "current_child", None)
            place = -1 if current is None else node.children.index(current)
            return (node.status, place, *self._told(now, _PASSING))
        if node.parent in ticked:
            return (node.status, self.state(now))
        return self.state(now)

    def _told(self, now: float, passing: Collection[str]) -> Iterator[object]:
        for key, value in self._changed().items():
            if key not in passing:
                yield key, round(value - now, 9) if type(value) is float else hashable(value)
        for wake in self.wakes:
            yield None if wake.due is None else max(0.0, round(wake.due - now, 9))


_FIXED = frozenset(
    ("children", "parent", "decorated", "name", "path", "definition", "runtime", "scope", "frame")
)
"""What a node is made with."""

_PASSING = frozenset({"status", "current_child", "feedback_message", "failure", "_due", "id"})
"""What a node has of a tick, or is told by its place among its siblings."""

_ANEW: dict[type, frozenset[str]] = {
    LeanSequence: frozenset({"_at", "_is_new"}),
    LeanSelector: frozenset({"_at", "_previous"}),
    Parallel: frozenset({"_skipped"}),
    ParallelAll: frozenset({"_skipped"}),
    Inverter: frozenset(),
    FailureIsSuccess: frozenset(),
    SuccessIsFailure: frozenset(),
    Check: frozenset(),
}
"""Classes that outside of a round keep nothing, and what they set at the beginning of each tick.

Their ticks keep nothing either but the node's attributes, and which node they tick: what remains of
a parallel's children is told by their statuses and by the one that is ticked.
"""


def _own_class(node: Behaviour | None) -> type:
    """A node's class; not the one that it becomes once py_trees' is below it."""
    kind = type(node)
    names = kind.__module__, kind.__qualname__
    return next((c for c in kind.__mro__[1:] if (c.__module__, c.__qualname__) == names), kind)


_IN_ORDER = frozenset((LeanSequence, LeanSelector, Inverter, FailureIsSuccess, SuccessIsFailure))
"""Classes that look at a child's result in the tick that it comes from, and never again."""


class KnownLeaf(Leaf):
    """A leaf that keeps nothing once it has ended."""


def hashable(value: object) -> object:
    """A value, or what stands for it where states are compared."""
    if isinstance(value, Mapping):
        return tuple((str(key), hashable(one)) for key, one in value.items())
    if isinstance(value, list | tuple):
        return tuple(hashable(one) for one in value)
    if isinstance(value, str | int | float | bool | Status) or value is None:
        return value
    if isinstance(value, Behaviour):
        return id(value)
    return getattr(value, "name", None) or type(value).__name__
