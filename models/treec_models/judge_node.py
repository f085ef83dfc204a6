"""`judge`: asks typed questions about things, each when what it sees of one has changed.

A question leaves in the tick in which it comes up, and its answer is committed when it comes: the
tick waits for nothing. While it is under way the last answer stands; what it sees may change in
the meantime, and is asked about next.

SUCCESS: about each thing there is an answer to what is seen of it now, no older than `again`.

FAILURE: about one of them nobody gives an answer that is allowed. Its facts are unknown.

RUNNING: answers are still to come. With `keep_running_until_failure` it judges as long as it runs.

Memory: none in the node: what was judged is in the run's state, also for other nodes that ask the
same.

Halting: the requests in flight are cancelled. Answers still become unknown at their age.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class JudgeNode(NodeBase):
    """Asks a judge about each thing of which it sees something new."""

    judge: str


def build(at: NodePlace, node: JudgeNode) -> Behaviour:
    """The judge (:mod:`treec_models.judge`)."""
    from treec_models.judge import Judge

    return Judge(at.path, at.runtime, at.find("judge", node.judge))


_SCALES = "M8 2V14M4.5 14H11.5M2.5 4.5H13.5M2.5 4.5L1 9H5L3.5 4.5M12.5 4.5L11 9H15L13.5 4.5"

NODE = NodeSpec(
    key="judge",
    model=JudgeNode,
    build=build,
    refers="judge",
    drawing=Drawing("ask", "⚖", _SCALES),
)
