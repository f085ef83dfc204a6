"""`force_failure`: SUCCESS becomes FAILURE.

SUCCESS: never.

FAILURE: the node returned SUCCESS or FAILURE.

RUNNING: the node returned RUNNING.

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


class SuccessIsFailure(Converter):
    """py_trees' SuccessIsFailure, with a cheap tick."""

    py_trees: ClassVar[str] = "py_trees.decorators:SuccessIsFailure"
    turns: ClassVar = {"SUCCESS": ("FAILURE", "success is failure")}


def force_failure(name: str, child: Behaviour) -> SuccessIsFailure:
    """The modifier around a node."""
    return SuccessIsFailure(name, child)


def build(at: NodePlace, value: bool, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return force_failure(child.name, child)


MODIFIER = ModifierSpec(
    key="force_failure",
    order=100,
    type=bool,
    field=Field(False, description="SUCCESS becomes FAILURE."),
    build=build,
    contradicts={
        "force_success": "failures become successes, so it has no effect",
        "invert": "together they mean 'force_success': write that",
        "repeat": "a node that never succeeds is never repeated",
    },
    resume="children",
    swap="open",
    drawing=Drawing("modifier", icon="M3.5 3.5L12.5 12.5M12.5 3.5L3.5 12.5"),
    xml=Xml(tags=(XmlTag("ForceFailure", ("btcpp",)), XmlTag("SuccessIsFailure", ("py_trees",)))),
)
