"""The ports of a tree or Python node, or the arguments of others, and the node's `with`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treec.check.base import Loc
from treec.check.python_nodes import find_python_node
from treec.check.tree_nodes import Port, TreeNodeAt, parse_port, ports_of
from treec.files.entry import AnyEntry
from treec.files.nodes import PythonNode, node_spec
from treec.files.types import Named, parse_type
from treec.files.view import View
from treec.frozen import frozen

AGENT = Port("in", Named("Agent"))


@frozen
class PortWiring:
    """The ports or arguments of one node, and the values that it is given."""

    what: str
    """For messages: the tree 'robot_worker'."""
    one: str
    """What one of them is called: port, argument."""
    ports: Mapping[str, Port]
    optional: frozenset[str]
    given: Mapping[str, Any]
    loc: Loc
    """The path of ``given`` below the node."""


def find_wiring(view: View, at: TreeNodeAt) -> PortWiring | None:
    """Return a node's wiring; None if it has none, or its ports are unknown."""
    key = at.key
    if isinstance(at.node, PythonNode):
        return _python(view, at, str(key))
    spec = node_spec(key)
    kind = spec.refers if spec is not None else ""
    if not kind or not hasattr(at.node, "with_"):
        return None
    name = getattr(at.node, str(key))
    target = view.find(kind, name)
    if target is None:
        return None
    given = at.node.with_  # type: ignore[union-attr]
    expected, optional = required_arguments(target)
    if expected is None:
        return None
    one = "port" if kind == "tree" else "argument"
    return PortWiring(f"the {kind} '{name}'", one, expected, optional, given, ("with",))


def required_arguments(entry: AnyEntry) -> tuple[Mapping[str, Port] | None, frozenset[str]]:
    """Return the ports or arguments of an entry, and the names of those that are optional."""
    if entry.kind == "tree":
        ports = ports_of(entry)
        if len(ports) < len(entry.model.ports):
            return None, frozenset()  # an invalid port is reported where it is declared
        outs = (name for name, port in ports.items() if port.direction == "out")
        return ports, frozenset((*outs, *entry.model.defaults))
    if not hasattr(entry.model, "args"):
        return None, frozenset()
    ports = {}
    for name, text in entry.model.args.items():
        try:
            ports[name] = Port("in", parse_type(text))
        except ValueError:
            return None, frozenset()
    if entry.kind == "program":  # somebody does it
        ports.setdefault("agent", AGENT)
    return ports, frozenset()


def _python(view: View, at: TreeNodeAt, key: str) -> PortWiring | None:
    found = find_python_node(key, view.library)
    if found is None or found.ports is None:
        return None
    body = (at.node.model_extra or {}).get(key)  # type: ignore[union-attr]
    ports = {}
    for name, text in found.ports.items():
        try:
            ports[name] = parse_port(text)
        except ValueError:
            return None
    given = body if isinstance(body, Mapping) else {}
    return PortWiring(f"the node '{key}'", "port", ports, frozenset(), given, (key,))
