"""What a node was made from, so that two compilations of edited files can be compared.

Two nodes at one path whose definitions are equal do the same: comments, the order of keys, and
what stands elsewhere in their file make no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from py_trees.behaviour import Behaviour
from pydantic import BaseModel

from treec.files.node_spec import Resume, Swap
from treec.files.nodes import NodeBase, has_nodes


@dataclass(frozen=True)
class NodeDefinition:
    """The node's own keys, the header of its tree with its wiring, and the files that it uses.

    How it goes on is that of its type (see :mod:`treec.files.node_spec`).
    """

    own: object
    header: object = None
    uses: tuple[object, ...] = ()
    kind: str = field(default="", compare=False)
    """What it is called in journals and pictures: its key, or the kind of file that it runs."""
    resume: Resume = field(default="anew", compare=False)
    swap: Swap = field(default="whole", compare=False)


def definition_of(node: Behaviour) -> NodeDefinition | None:
    """The definition of a compiled node; None for one that another node has made."""
    return getattr(node, "definition", None)


def own_keys(node: BaseModel) -> object:
    """A node's keys as data; the nodes below it are left out."""
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
