"""`read`: turns unread utterances into acts.

All unread utterances are read together; the commit with their acts marks them as read. The parser's
acts are the result when there is no model; with one, they are a lower bound: acts of the kinds in
`veto` are always kept, and words in which the parser heard something are at least a remark. A
model's act must be licensed by the clauses of its quote (:mod:`treec_hearing.licence`). After
`patience` answers in a row that are nothing but remarks, where the parser hears more, the parser's
acts are the result. Clauses that no act reads are said back ("I did not get: …").

An utterance that says nothing but stop ("R2, stop!") needs neither: its act takes effect in the
same tick, as does a stop that the parser finds; everything else waits for the answer. Where the
parser fails, or there is neither parser nor answer, the word "stop" anywhere in an utterance is a
stop.

SUCCESS: nothing is unread; or a stop was committed before the answer came, so that the tree can
react in this tick.

FAILURE: neither parser nor model could read some of the utterances. They are marked as read all the
same (as a `remark` if the reading has that kind), so that they are not retried forever.

RUNNING: waiting for an answer.

Memory: the request in flight and the acts committed before its answer, kept over a SUCCESS.

Halting: the request is cancelled; unread utterances stay unread, and acts that were committed
already are not committed again. A new utterance replaces the request in flight; all are read
together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treec.extensions import registry
from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class ReadNode(NodeBase):
    """Reads the utterances that have not been read yet."""

    read: str


def build(at: NodePlace, node: ReadNode) -> Behaviour:
    """The reading, of the class that the package treec-hearing declares."""
    make: Any = registry().load(registry().kinds["reading"].asks)
    made: Behaviour = make(at.path, at.runtime, at.frame, at.find("reading", node.read))
    return made


NODE = NodeSpec(
    key="read",
    model=ReadNode,
    build=build,
    refers="reading",
    drawing=Drawing("ask", icon="M2 3H14V11H8.2L4.8 14V11H2Z"),
)
