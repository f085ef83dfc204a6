"""Node classes in Python: declared by an extension or a library, wired by ports, checked the same.

An extension names a class as the ``ports`` of a NodeType, a library names it in its ``treec.toml``
(``[nodes]``); a tree uses it by that name::

    - speak_slowly: {text: $text}

The class is an ordinary py_trees behaviour. It says in ``ports`` what it takes and gives, and is
made with its name and a :class:`NodePorts`::

    class SpeakSlowly(py_trees.behaviour.Behaviour):
        ports = {"text": "in text", "done": "out bool"}

        def __init__(self, name, ports):
            super().__init__(name)
            self.io = ports
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import cast

from py_trees.behaviour import Behaviour

from treec.extensions import registry
from treec.nodes.frame import Cell, Frame, Wired
from treec.nodes.runtime import load
from treec.source.errors import UndefinedName


class NodePorts:
    """Reads and writes what a node's ports are wired to."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame

    def get(self, name: str) -> object:
        """The value at a port. Raises UndefinedName for a port that is not wired."""
        if name not in self._frame.cells:
            raise UndefinedName(name, self._frame.cells)
        return self._frame.lookup(name)

    def set(self, name: str, value: object) -> None:
        """Write through an out port. Raises UndefinedName when it is not wired to a variable."""
        if name not in self._frame.cells or not self._frame.set(name, value):
            raise UndefinedName(name, self._frame.cells)


def wire(outer: Frame, values: Mapping[str, object]) -> NodePorts:
    """The ports of a node wired to values of the tree around it."""
    cells: dict[str, Cell | Wired] = {name: Wired(value, outer) for name, value in values.items()}
    return NodePorts(Frame(outer, outer.team, cells))


NodeClass = Callable[[str, NodePorts], Behaviour]


def find_node_class(name: str, own: Mapping[str, str] = MappingProxyType({})) -> NodeClass | None:
    """The class that an extension declares under a name, or the library itself in ``own``.

    Raises ExtensionError when an extension's class cannot be imported, and whatever the import of
    the library's own class raises.
    """
    node = registry().nodes.get(name)
    if node is not None and node.ports:
        return cast(NodeClass, registry().load(node.ports))
    return cast(NodeClass, load(own[name])) if name in own else None
