"""`ask`: a decision that chooses one of its options.

While what it sees equals the observation it last acted on, it is RUNNING and ticks nothing.
Otherwise it takes a snapshot of what it sees and chooses a child: by the `always` rules; else by
the model (RUNNING until the answer comes); without a model, or when its last answer was refused, by
the offers to it and its `offline` rules. The model gets the options and offers whose conditions
hold. Unless `ask: always`, it is not asked where one of them is left, or where the prompt is that
of its last answer and the child did not fail. The chosen child is ticked in the same tick.

The rules decide also where a model gets nowhere: after `patience` choices in a row that differ from
theirs and from which no work came (:mod:`treec_asking.override_policy`), and at once if its choice
has changed nothing and what was said is still to be answered, or its `only_when` does not hold.

SUCCESS: the chosen child returned SUCCESS.

FAILURE: the chosen child returned FAILURE; or no valid answer came, no rule holds, and there is no
`fallback`.

RUNNING: the child is running, the answer has not come, or nothing has changed; also when the child
returned SUCCESS, if the answer that chose it was about an older state: it chooses again.

Memory: the observation it last acted on, kept over rounds; the running child and the request in
flight, within a round. While the child runs nothing is asked, but when the user says something new,
an `always` rule that holds takes effect at once. With `reactive: true` a
change in what it sees asks again while the child runs: the same choice never restarts it, and
another choice stops it before the new child is ticked.

Where `ahead` holds, the decisions and actions below are asked at the same time; requests that the
choice makes unnecessary are cancelled. See :mod:`treec_asking.ahead`.

Halting: the request is cancelled and the running child is halted; the decision is made again in the
next round. When the user says something new, the request in flight is dropped and a new one
includes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.files.node_spec import Drawing, NodeSpec
from treec.files.nodes import NodeBase

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class AskNode(NodeBase):
    """Asks a decision, whose options are its children."""

    ask: str


def build(at: NodePlace, node: AskNode) -> Behaviour:
    """The decision with its options (``treec_asking.decide``)."""
    return at.behaviour("decision", node.ask)


NODE = NodeSpec(
    key="ask",
    model=AskNode,
    build=build,
    refers="decision",
    resume="children",
    swap="open",
    drawing=Drawing("ask", "◆", "M8 1.8L14.2 8L8 14.2L1.8 8Z", filled=True),
)
