"""`do`: high-level actions, checked as a whole and committed as one record.

The actions come from the `always` rules, else from the model, else from the `offline` rules. They
are checked against their reasons and every contract of the system; one refusal refuses all of them,
and the model is asked again. After its last attempt the actions that their own reasons allow are
committed, each by itself, and the `offline` rules answer for what is left. They also answer where
the model's answer does nothing and they do something, and where it has only said or proposed
something `patience` times in a row and they do more. A file without `instructions` asks no model;
nor does one whose only action does nothing (unless `ask: always`).

SUCCESS: they are committed, or there was nothing to do.

FAILURE: the actions of the rules were refused, or after a model's last attempt the rules do nothing
about what the user said. The feedback message says so in words for people.

RUNNING: waiting for an answer, or for another one after a refusal.

Memory: the request in flight, within one round.

Halting: the request is cancelled; nothing is committed. When the user says something new, the
request in flight is dropped and a new one includes it; after any other change the answer is checked
in the world as it is then.
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


class DoNode(NodeBase):
    """Runs an action: its high-level actions are checked and committed together."""

    do: str
    with_: dict[str, Value] = Field({}, alias="with")


def build(at: NodePlace, node: DoNode) -> Behaviour:
    """The action (``treec_asking.act``)."""
    return at.behaviour("action", node.do, node.with_)


NODE = NodeSpec(
    key="do",
    model=DoNode,
    build=build,
    refers="action",
    drawing=Drawing(
        "action", icon="M2 4.5L3.6 6.1L6.4 2.8M9 4.5H14.2M2 11L3.6 12.6L6.4 9.3M9 11H14.2"
    ),
)
