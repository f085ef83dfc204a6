"""Continue the unchanged nodes of a running tree in the tree that edited files give.

The two trees are compared by path. A node whose definition (see :mod:`treec.compile.definition`)
has not changed is kept as it is, with its memory, wherever the nodes above it are kept or can go on
at a running child. All others are stopped, and the new ones begin. What keeps a node although nodes
below it change is said by its type: ``swap`` and ``resume`` in :mod:`treec.files.node_spec`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from py_trees.behaviour import Behaviour
from py_trees.behaviours import Failure
from py_trees.common import Status
from py_trees.composites import Composite
from py_trees.decorators import Decorator

from treec.compile.definition import NodeDefinition, definition_of
from treec.nodes.leaves.take import Take
from treec.run.loop import halt_node
from treec.run.mocks import is_in_progress, set_children
from treec.run.status_recorder import path_of, walk
from treec_asking.decide import Decision

_log = logging.getLogger("treec.loop")


class HotSwap:
    """What goes on of an old tree in a new one. Nothing is changed before :meth:`apply`."""

    def __init__(self, old: Behaviour, new: Behaviour) -> None:
        self._old = old
        self._new = new
        self._known = {path_of(node): node for node in old.iterate() if definition_of(node)}
        self._kept: dict[Behaviour, Behaviour] = {}
        """The old nodes that are kept, by the new ones in whose place they stand."""
        self._plan(new, True)
        whole = {n for node in self._kept.values() if not _is_open(node) for n in _all(node)}
        self._staying = {*self._kept.values(), *whole}
        replaced = [new for new, old in self._kept.items() if not _is_open(old)]
        unused = {*self._kept, *(n for node in replaced for n in _all(node))}
        self.fresh: list[Behaviour] = [node for node in new.iterate() if node not in unused]
        """The new nodes that will be part of the tree."""
        self.stopped: list[Behaviour] = [
            node for node in _all(old) if node not in self._staying and _is_at_work(node)
        ]
        """What is at work and will be stopped: leaves, and decisions that wait for an answer."""

    def _plan(self, new: Behaviour, can_go_on: bool) -> None:
        old = self._known.get(path_of(new)) if can_go_on and definition_of(new) else None
        if old is not None and _same(old, new):
            self._kept[new] = old
            if not _is_open(new):
                return
            below = True
        else:
            below = _is_list(new) or _resume(new) in ("child", "below")
        for child in new.children:
            may = _resume(new) != "child" or child is new.children[0]
            self._plan(child, below and may)

    def apply(self) -> Behaviour:
        """Stop what does not go on, and return the root of the tree that does."""
        gone = [node for node in _all(self._old) if node not in self._staying]
        for node in gone:
            self._detach(node)
        for node in gone:
            if node.status is not Status.INVALID:
                halt_node(node)
            _shut_down(node)
        root = self._assemble(self._new)
        root.parent = None
        return root

    def goes_on(self, agent: str) -> bool:
        """Whether a robot stays at the subtask that it has taken; after :meth:`apply`."""
        return not self.stopped or any(
            isinstance(node, Take) and node.agent_name == agent and is_in_progress(node)
            for node in self._staying
        )

    def _detach(self, node: Behaviour) -> None:
        """Take the children that stay from a node that is stopped."""
        for child in node.children:
            if child in self._staying:
                child.parent = None
        if isinstance(node, Decorator):
            if node.decorated in self._staying:
                node.decorated = Failure("gone")
                node.children = [node.decorated]
        else:
            node.children = [child for child in node.children if child not in self._staying]

    def _assemble(self, new: Behaviour) -> Behaviour:
        kept = self._kept.get(new)
        if kept is not None and not _is_open(kept):
            return kept
        node = new if kept is None else kept
        before = {path_of(child): child for child in node.children}
        children = [self._assemble(child) for child in new.children]
        by = {
            known: child
            for child in children
            if (known := before.get(path_of(child))) is not None and known is not child
        }
        set_children(node, children, by)
        if kept is None:
            _begin_at(node, [child for child in children if child in self._staying])
        elif isinstance(kept, Decision):
            kept.entry = new.entry  # type: ignore[attr-defined]  # the same, on other lines
        return node


def _begin_at(node: Behaviour, kept: Sequence[Behaviour]) -> None:
    """Let a new node go on where its running children are, if it has any."""
    running = [child for child in kept if child.status is Status.RUNNING]
    if not running or _resume(node) == "below":  # it begins, and ticks its child
        return
    node.status = Status.RUNNING
    if isinstance(node, Composite):
        node.current_child = running[0]


def _made_as(node: Behaviour) -> NodeDefinition:
    """A node's definition; that of one which another node has made says nothing."""
    return definition_of(node) or NodeDefinition(None)


def _resume(node: Behaviour) -> str:
    return _made_as(node).resume


def _is_list(node: Behaviour) -> bool:
    return _made_as(node).swap == "list"


def _is_open(node: Behaviour) -> bool:
    return _made_as(node).swap != "whole"


def _same(old: Behaviour, new: Behaviour) -> bool:
    if type(old) is not type(new) or definition_of(old) != definition_of(new):
        return False
    if _is_list(new):
        return True
    if _is_open(new):
        return list(map(path_of, old.children)) == list(map(path_of, new.children))
    return _shape(old) == _shape(new)


def _shape(node: Behaviour) -> list[object]:
    """The definitions of a node and of all below it that the files define."""
    return [(path_of(one), type(one), found) for one in _all(node) if (found := definition_of(one))]


def _is_at_work(node: Behaviour) -> bool:
    """Whether it is running by itself, and not because a child is."""
    below = any(child.status is Status.RUNNING for child in node.children)
    return node.status is Status.RUNNING and not below


def _all(node: Behaviour) -> Iterator[Behaviour]:
    """A node and all below it, parents first."""
    return (one for one, _ in walk(node))


def _shut_down(node: Behaviour) -> None:
    try:
        node.shutdown()
    except Exception as error:  # the others must be shut down, too
        _log.warning("%s could not be shut down: %s", path_of(node), error)
