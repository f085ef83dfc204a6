"""Nodes that a run replaces by scripted statuses: ``--mock 'PATTERN=RS'``.

What is mocked does nothing and has no children; everything around it runs as it is. The journal
says which mocks a run has, and shows them in its tree as probes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.foreign import set_up_nodes
from treec.nodes.leaves.probe import LETTERS, Probe
from treec.run.events import Debugged
from treec.run.graft import set_children
from treec.run.loop import halt_node
from treec.run.node_patterns import fits, no_node
from treec.run.status_recorder import path_of, walk
from treec.world.journal import Record

FORM = "a mock is written PATTERN=STATUSES, such as '*/drive=RRS': S success, F failure, R running"


class InvalidMock(ValueError):
    """A mock that cannot be read, or that no node fits; the message says what would be right."""


@dataclass(frozen=True, slots=True)
class NodeMock:
    """The nodes whose paths fit a pattern, and their statuses: one for each tick, over and over."""

    pattern: str
    script: str

    def fits(self, path: str) -> bool:
        """Whether a node of this path is mocked."""
        return fits(self.pattern, path)


def read_mocks(texts: Sequence[str]) -> tuple[NodeMock, ...]:
    """The mocks as they were written. Raises InvalidMock."""
    return tuple(map(_read, texts))


def _read(text: str) -> NodeMock:
    pattern, equals, script = (part.strip() for part in text.rpartition("="))
    if not equals or not pattern:
        raise InvalidMock(f"{text!r}: {FORM}")
    if not script or set(script) - LETTERS.keys():
        raise InvalidMock(f"{text!r}: {script!r} is not of the letters S, F and R; {FORM}")
    return NodeMock(pattern, script)


def mocks_after(mocks: Sequence[str], records: Iterable[Record]) -> tuple[str, ...]:
    """The mocks of a run after these records: some were put in or taken out while it went on."""
    found = list(mocks)
    for record in records:
        match record.event:
            case Debugged("mock", about):
                found.append(about)
            case Debugged("unmock", about) if about in found:
                found.remove(about)
    return tuple(found)


@dataclass
class MockedNode:
    """A node in whose place a mock is; ``is_ready``: whether it was set up before."""

    node: Behaviour
    is_ready: bool = False


Mocked = dict[str, MockedNode]
"""The nodes that are mocked in a tree, by their paths."""


def put_mocks(
    root: Behaviour, mocks: Sequence[NodeMock], mocked: Mocked | None = None
) -> Behaviour:
    """Replace nodes of a tree that was not ticked yet; the outer one where one is in another.

    Returns the root, which may be a mock; ``mocked`` gets what was replaced. Raises InvalidMock if
    a mock fits no node.
    """
    paths = [path_of(node) for node, _ in walk(root)]
    for mock in mocks:
        if not any(map(mock.fits, paths)):
            raise InvalidMock(f"--mock: {no_node(mock.pattern, root)}")

    def put(node: Behaviour) -> Behaviour:
        found = next((mock for mock in mocks if mock.fits(path_of(node))), None)
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


def change_mocks(root: Behaviour, mocks: Sequence[NodeMock], mocked: Mocked) -> Behaviour:
    """Put nodes that are mocked no longer back into a running tree, and mocks into it.

    What is replaced is halted, all else goes on. Returns the root. Raises NodeSetupFailed; then
    nothing has changed.
    """
    gone = [path for path in mocked if not any(mock.fits(path) for mock in mocks)]
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
        found = next((mock for mock in mocks if mock.fits(path)), None)
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


def _probe(node: Behaviour, mock: NodeMock) -> Probe:
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
