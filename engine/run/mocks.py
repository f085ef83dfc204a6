"""Nodes that a run replaces by scripted statuses: ``--mock 'PATTERN=RS'``.

What is mocked does nothing and has no children; everything around it runs as it is. The journal
says which mocks a run has, and shows them in its tree as probes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from py_trees.behaviour import Behaviour

from treec.nodes.probe import LETTERS, Probe
from treec.run.graft import set_children
from treec.run.node_patterns import fits, no_node
from treec.run.status_recorder import path_of, walk

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


def put_mocks(root: Behaviour, mocks: Sequence[NodeMock]) -> Behaviour:
    """Replace nodes of a tree that was not ticked yet; the outer one where one is in another.

    Returns the root, which may be a mock. Raises InvalidMock if a mock fits no node.
    """
    paths = [path_of(node) for node, _ in walk(root)]
    for mock in mocks:
        if not any(map(mock.fits, paths)):
            raise InvalidMock(f"--mock: {no_node(mock.pattern, root)}")

    def put(node: Behaviour) -> Behaviour:
        path = path_of(node)
        found = next((mock for mock in mocks if mock.fits(path)), None)
        if found is not None:
            probe = Probe(node.name, found.script)
            probe.path = path  # type: ignore[attr-defined]
            return probe
        children = [put(child) for child in node.children]
        by = {old: new for old, new in zip(node.children, children, strict=True) if old is not new}
        if by:
            set_children(node, children, by)
        return node

    return put(root)
