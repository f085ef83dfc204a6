"""What a node was made from, so that two compilations of edited files can be compared.

Two nodes at one path whose definitions are equal do the same: comments, the order of keys, and
what stands elsewhere in their file make no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from py_trees.behaviour import Behaviour
from pydantic import BaseModel

from treec.files.node_spec import Resume, Swap
from treec.files.nodes import NodeBase, has_nodes


@dataclass(slots=True, eq=False)
class NodeDefinition:
    """The node's own keys, the header of its tree with its wiring, and the files that it uses.

    How it goes on is that of its type (see :mod:`treec.files.node_spec`).
    """

    own: object
    """The node as its file has it, of which its own keys are compared, or other data."""
    header: object = None
    uses: tuple[object, ...] = ()
    kind: str = ""
    """What it is called in journals and pictures: its key, or the kind of file that it runs."""
    resume: Resume = "anew"
    swap: Swap = "whole"

    def __eq__(self, other: object) -> bool:
        """Whether both do the same."""
        if not isinstance(other, NodeDefinition):
            return NotImplemented
        is_same = self.own is other.own or own_keys(self.own) == own_keys(other.own)
        return is_same and (self.header, self.uses) == (other.header, other.uses)


def definition_of(node: Behaviour) -> NodeDefinition | None:
    """The definition of a compiled node; None for one that another node has made."""
    return getattr(node, "definition", None)


def own_keys(node: object) -> object:
    """A node's keys as data, without the nodes below it; other data is as it is."""
    if not isinstance(node, BaseModel):
        return node
    declared = {name: getattr(node, name) for name in type(node).model_fields}
    keys = {**declared, **(node.model_extra or {})}
    return type(node).__name__, {name: _below(value) for name, value in keys.items()}


def _below(value: object) -> object:
    if isinstance(value, NodeBase):
        return "node"
    if isinstance(value, BaseModel):
        return own_keys(value)
    if isinstance(value, list | tuple):
        return "nodes" if has_nodes(value) else [_below(one) for one in value]
    if isinstance(value, Mapping):
        return {key: _below(one) for key, one in value.items()}
    return value
