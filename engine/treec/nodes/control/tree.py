"""`tree`: an instance of another tree, with its ports wired.

SUCCESS: its root returned SUCCESS.

FAILURE: its root returned FAILURE.

RUNNING: its root returned RUNNING; always if it has `then: repeat`.

Memory: its variables. Every instance has its own; they are kept over rounds.

Halting: when halted, its root is halted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field

from treec.files.fields import Value
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class TreeNode(NodeBase):
    """Inserts another tree, its ports wired by `with`."""

    tree: str
    with_: dict[str, Value] = Field({}, alias="with")


def build(at: NodePlace, node: TreeNode) -> Behaviour:
    """The tree's root."""
    return at.tree(node.tree, node.with_)


_BOXES = "M6 2H10V5H6ZM1.8 11H5.2V14H1.8ZM10.8 11H14.2V14H10.8ZM8 5V8M3.5 11V8H12.5V11"

NODE = NodeSpec(
    key="tree",
    model=TreeNode,
    build=build,
    refers="tree",
    waits=False,
    drawing=Drawing("part", icon=_BOXES),
)
