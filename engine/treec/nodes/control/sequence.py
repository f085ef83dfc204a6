"""A sequence: its children in order, until one fails.

SUCCESS: every child has returned SUCCESS; also when there is no child. Children that succeed
within one tick follow each other in that tick.

FAILURE: a child returned FAILURE. The children after it are not ticked.

RUNNING: a child returned RUNNING. The children after it are not ticked. With `yields: true` also
when a child that was not running returned SUCCESS and is not the last: the next child starts in the
next tick, which is requested at once, so that guards above are looked at in between
(BehaviorTree.CPP's AsyncSequence).

Memory: the running child, at which the next tick continues; those before it are not ticked again.
Nothing is kept over rounds: after SUCCESS, FAILURE or a halt the sequence starts with its first
child. With `shuffle: true` each round has an order of its own, drawn with the run's seed, the
node's path, the number of the round and the name of each child, so that a resumed run goes on in
it, and a child that is added to the file leaves the others in theirs.

Halting: when halted, the running child is halted. The sequence never halts a child by itself,
since at most one child is running, and it is the one being ticked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pydantic import Field

from treec.files.node_spec import Data, Drawing, NodeSpec, Xml, XmlReader, XmlTag, XmlWriter
from treec.files.nodes import Node, NodeBase
from treec.nodes.base import Status

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes import in_order
    from treec.nodes.control.selector import SelectorNode
    from treec.nodes.node_place import NodePlace

OPTIONS = ("shuffle", "yields")
SHUFFLE = Field(False, description="In an order drawn with the run's seed, anew for each round.")
YIELDS = Field(False, description="RUNNING between children that end at once.")


class SequenceNode(NodeBase):
    """Ticks children in order until one fails; resumes at the running child."""

    sequence: list[Node]
    shuffle: bool = SHUFFLE
    yields: bool = YIELDS


def sequence(name: str, children: Sequence[Behaviour]) -> in_order.LeanSequence:
    """py_trees' sequence with memory, with a cheap tick."""
    from treec.nodes import in_order

    return in_order.LeanSequence(name=name, memory=True, children=children)


def build(at: NodePlace, node: SequenceNode) -> Behaviour:
    """The node with its children."""
    children = at.children(node.sequence, "sequence")
    if node.shuffle or node.yields:
        return in_own_order(at, node, children, Status.SUCCESS)
    return sequence(at.name, children)


def in_own_order(
    at: NodePlace, node: SequenceNode | SelectorNode, children: Sequence[Behaviour], goes_on: Status
) -> Behaviour:
    """A node of the same kind that yields or has its children shuffled."""
    from treec.nodes import in_order

    seed = f"{at.runtime.seed} {at.path}" if node.shuffle else None
    return in_order.InOrder(at.name, children, goes_on, node.yields, seed=seed)


def options(node: SequenceNode | SelectorNode) -> str:
    """What it does besides, for a picture."""
    return ", ".join(key for key in OPTIONS if getattr(node, key))


def write_with_options(data: Data, to: XmlWriter, key: str, tag: str) -> Any:
    """BehaviorTree.CPP's element of one that yields, or treec's own; None without options."""
    given = {option: True for option in OPTIONS if data.get(option)}
    if not given:
        return None
    children = to.nodes(data[key], key)
    if to.target == "btcpp" and given == {"yields": True}:
        return to.other(tag, {}, *children)
    return to.added(key, given, *children)


def read_with_options(key: str, tag: str) -> Mapping[str, Callable[[XmlReader], Data]]:
    """What reads those elements."""

    def read(element: XmlReader) -> Data:
        given = {option: True for option in OPTIONS if element.value(option)}
        return {key: element.nodes(), **given}

    return {tag: lambda element: {"yields": True, **read(element)}, "": read}


def read_try(element: XmlReader) -> Data | None:
    """`TryCatch` of BehaviorTree.CPP: its last child follows a failure of the others."""
    if element.size < 2:
        return None
    *tried, handler = element.nodes()
    node = {"sequence": tried, "on_failure": handler}
    halts = element.attributes.get("catch_on_halt", "false").lower() in ("true", "1")
    return {**node, "on_halted": handler} if halts else node


NODE = NodeSpec(
    key="sequence",
    model=SequenceNode,
    build=build,
    waits=False,
    in_order=lambda node: "" if node.shuffle else "all",
    resume="position",
    swap="list",
    detail=options,
    drawing=Drawing("control", "→", "M2 8H14M9.5 3.5L14 8L9.5 12.5"),
    xml=Xml(
        tags=(
            XmlTag("Sequence", ("btcpp",)),
            XmlTag("Sequence", ("py_trees",), with_={"memory": "true"}),
        ),
        children=("sequence",),
        write=lambda data, to: write_with_options(data, to, "sequence", "AsyncSequence"),
        read={"TryCatch": read_try, **read_with_options("sequence", "AsyncSequence")},
    ),
)
