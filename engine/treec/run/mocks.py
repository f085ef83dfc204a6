"""Nodes that a run replaces by scripted statuses: the fault `mock PATTERN=RS`.

What is mocked does nothing and has no children; everything around it runs as it is. The journal
says which mocks a run has, and shows them in its tree as probes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from py_trees.behaviour import Behaviour
from py_trees.common import Status
from py_trees.composites import Composite, Selector
from py_trees.composites import Sequence as SequenceNode
from py_trees.decorators import Decorator

from treec.nodes.base import Control
from treec.nodes.foreign import NodeSetupFailed, set_up_nodes
from treec.nodes.leaves.probe import Probe
from treec.nodes.leaves.take import Take
from treec.program.faults import Fault
from treec.run.loop import halt_node
from treec.run.node_patterns import fits, no_node
from treec.run.status_recorder import path_of, walk
from treec.team.events import AgentRequeued
from treec.world.events import Commit

if TYPE_CHECKING:
    from treec.run.run import Run


class InvalidMock(ValueError):
    """A mock that no node fits; the message says what would be right."""


def mocks_with(mocks: Sequence[Fault], fault: Fault) -> tuple[Fault, ...]:
    """The mocks after a fault, which may be one more or take some out."""
    if fault.word == "unmock":
        return tuple(mock for mock in mocks if mock.name != fault.name)
    return (*mocks, fault) if fault.word == "mock" else tuple(mocks)


@dataclass
class MockedNode:
    """A node in whose place a mock is; ``is_ready``: whether it was set up before."""

    node: Behaviour
    is_ready: bool = False


Mocked = dict[str, MockedNode]
"""The nodes that are mocked in a tree, by their paths."""


def put_mocks(root: Behaviour, mocks: Sequence[Fault], mocked: Mocked | None = None) -> Behaviour:
    """Replace nodes of a tree that was not ticked yet; the outer one where one is in another.

    Returns the root, which may be a mock; ``mocked`` gets what was replaced. Raises InvalidMock if
    a mock fits no node.
    """
    paths = [path_of(node) for node, _ in walk(root)]
    for mock in mocks:
        if not any(fits(mock.name, path) for path in paths):
            raise InvalidMock(no_node(mock.name, root))

    def put(node: Behaviour) -> Behaviour:
        found = next((mock for mock in mocks if fits(mock.name, path_of(node))), None)
        if found is not None:
            if mocked is not None:
                mocked[path_of(node)] = MockedNode(node)
            return _probe(node, found)
        children = [put(child) for child in node.children]
        by = {old: new for old, new in zip(node.children, children, strict=True) if old is not new}
        if by:
            set_children(node, children, by)
        return node

    return put(root)


def change_mocks(root: Behaviour, mocks: Sequence[Fault], mocked: Mocked) -> Behaviour:
    """Put nodes that are mocked no longer back into a running tree, and mocks into it.

    What is replaced is halted, all else goes on. Returns the root. Raises NodeSetupFailed; then
    nothing has changed.
    """
    gone = [path for path in mocked if not any(fits(mock.name, path) for mock in mocks)]
    for path in gone:
        if not mocked[path].is_ready:
            set_up_nodes(mocked[path].node.iterate())
            mocked[path].is_ready = True
    here = {path_of(node): node for node, _ in walk(root)}
    for path in gone:
        original = mocked.pop(path).node
        if path in here:  # else it is below another mock, or the tree has changed
            root = _replace(root, here[path], original)

    def put(node: Behaviour) -> None:
        nonlocal root
        path = path_of(node)
        found = next((mock for mock in mocks if fits(mock.name, path)), None)
        if path in mocked:
            return
        if found is not None:
            mocked[path] = MockedNode(node, is_ready=True)
            root = _replace(root, node, _probe(node, found))
            return
        for child in list(node.children):
            put(child)

    put(root)
    return root


def swap_mocks(run: Run, mocks: Sequence[Fault]) -> None:
    """Go on with other mocks; what is replaced is halted, and all else goes on as it is.

    Raises InvalidMock; then nothing has changed.
    """
    for mock in mocks:
        if mock not in run.mocks and not any(
            fits(mock.name, path_of(node)) for node, _ in walk(run.root)
        ):
            raise InvalidMock(no_node(mock.name, run.root))
    takes = [node for node in run.root.iterate() if isinstance(node, Take) and is_in_progress(node)]
    try:
        run.root = change_mocks(run.root, mocks, run.mocked)
    except NodeSetupFailed as error:
        raise InvalidMock(str(error)) from error
    run.mocks = tuple(mocks)
    gone = {node.agent_name for node in takes if not is_in_progress(node)}
    events = [
        AgentRequeued(one.name) for one in run.team.agents if one.name in gone and one.current
    ]
    if events:
        run.world.emit(Commit("reload", tuple(events)), "reload")
    run.loop.replace_tree(run.root)
    run.inbox.wake()


def _probe(node: Behaviour, mock: Fault) -> Probe:
    probe = Probe(node.name, mock.script)
    probe.path = path_of(node)  # type: ignore[attr-defined]
    return probe


def _replace(root: Behaviour, node: Behaviour, by: Behaviour) -> Behaviour:
    """Halt a node and put another in its place; returns the root."""
    parent = node.parent
    if node.status is not Status.INVALID:
        halt_node(node)
    if parent is None:
        by.parent = None
        return by
    children = [by if child is node else child for child in parent.children]
    set_children(parent, children, {node: by})
    node.parent = None
    return root


def set_children(
    node: Behaviour, children: Sequence[Behaviour], by: dict[Behaviour, Behaviour]
) -> None:
    """Give a node its children; ``by`` are those that take the place of another."""
    node.children = list(children)
    for child in children:
        child.parent = node
    if isinstance(node, Decorator):
        node.decorated = children[0]
    elif isinstance(node, Control):
        node.replace_children(by)
    if isinstance(node, Composite) and node.current_child is not None:
        current = by.get(node.current_child, node.current_child)
        node.current_child = current if current in node.children else None
        if node.current_child is None and isinstance(node, SequenceNode | Selector):
            node.status = Status.INVALID  # its running child is gone: it begins again


def is_in_progress(take: Behaviour) -> bool:
    """Whether what a `take` has begun is still running."""
    node: Behaviour | None = take
    if take.status is not Status.SUCCESS:
        return False
    while node is not None and node.status is Status.SUCCESS:
        node = node.parent
    return node is not None and node.status is Status.RUNNING
