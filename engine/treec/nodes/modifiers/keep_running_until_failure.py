"""`keep_running_until_failure`: the node over and over until it fails.

SUCCESS: never.

FAILURE: the node returned FAILURE.

RUNNING: the node returned RUNNING or SUCCESS. After SUCCESS it is begun again at the next tick
that comes; none is asked for, as in BehaviorTree.CPP.

Memory: none.

Halting: when halted, the running node is halted. It never halts the node of its own accord.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from pydantic import Field

from treec.files.node_spec import Drawing, ModifierSpec, Xml, XmlTag
from treec.nodes.base import Converter

if TYPE_CHECKING:
    from py_trees.behaviour import Behaviour

    from treec.nodes.node_place import NodePlace


class SuccessIsRunning(Converter):
    """py_trees' SuccessIsRunning, with a cheap tick."""

    py_trees: ClassVar[str] = "py_trees.decorators:SuccessIsRunning"
    turns: ClassVar = {
        "SUCCESS": ("RUNNING", "success is running"),
        "INVALID": ("RUNNING", "skipped is running"),
    }


def keep_running_until_failure(name: str, child: Behaviour) -> SuccessIsRunning:
    """The modifier around a node."""
    return SuccessIsRunning(name, child)


def build(at: NodePlace, value: bool, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return keep_running_until_failure(child.name, child)


_LOOPS = (
    "M8 8C6.5 5.6 5.3 5 4.2 5A3 3 0 0 0 4.2 11C5.3 11 6.5 10.4 8 8"
    "C9.5 5.6 10.7 5 11.8 5A3 3 0 0 1 11.8 11C10.7 11 9.5 10.4 8 8"
)

MODIFIER = ModifierSpec(
    key="keep_running_until_failure",
    order=120,
    type=bool,
    field=Field(False, description="SUCCESS becomes RUNNING."),
    build=build,
    waits=True,
    contradicts={"repeat": "a node that never succeeds is never repeated"},
    resume="children",
    swap="open",
    drawing=Drawing("modifier", "∞", _LOOPS),
    xml=Xml(
        tags=(
            XmlTag("KeepRunningUntilFailure", ("btcpp",)),
            XmlTag("SuccessIsRunning", ("py_trees",)),
        )
    ),
)
