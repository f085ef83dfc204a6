"""Builds nodes of the classes that a library or an extension has."""

from __future__ import annotations

from py_trees.behaviour import Behaviour

from treec.extensions import ExtensionError
from treec.files.nodes import PythonNode
from treec.foreign import ForeignError, guard
from treec.nodes.base import Status
from treec.nodes.foreign import GuardedNode
from treec.nodes.leaf import WorldLeaf
from treec.nodes.node_place import NodePlace
from treec.nodes.place import CompileError
from treec.nodes.python import find_node_class, wire
from treec.nodes.runtime import Runtime
from treec.source.scope import Scope


def build_node_class(at: NodePlace, node: PythonNode) -> Behaviour:
    """A behaviour class that an extension declares by its ports. Raises CompileError."""
    key, values = next(iter((node.model_extra or {}).items()), ("", {}))
    own = at.runtime.view.library.settings.nodes
    try:
        found = find_node_class(key, own)
        if found is not None:
            module = own.get(key, key).partition(":")[0]
            guarded = GuardedNode(at.runtime, at.path)
            ports = wire(at.frame, values or {}, at.runtime, guarded.note, module, at.path)
            children = at.children(node.children, "children")
            with guard(module, CompileError):
                made = found(at.path, ports, children) if children else found(at.path, ports)
                if not isinstance(made, Behaviour):
                    why = f"{at.path}: '{key}' is not a py_trees behaviour"
                    raise CompileError(why, at.place.span)
                guarded.take(made)
                setattr(made, "span", at.place.span)  # noqa: B010 (where it raises, if it does)
            return made
    except (ForeignError, ExtensionError) as error:
        raise CompileError(f"{at.path}: the node '{key}': {error}", at.place.span) from error
    why = f"unknown node '{key}'"
    if at.runtime.is_mocked(at.path):  # its children are of no use without it
        return UnknownNode(at.path, at.runtime, at.frame, why)
    raise CompileError(f"{at.path}: {why}", at.place.span)


class UnknownNode(WorldLeaf):
    """Stands for a node of an unknown type until a mock takes its place, and after that."""

    def __init__(self, name: str, runtime: Runtime, scope: Scope, why: str) -> None:
        super().__init__(name, runtime, scope)
        self.why = why

    def work(self) -> Status:
        """Fail."""
        return self.fail(self.why)
