"""`force_success`: FAILURE becomes SUCCESS.

SUCCESS: the node returned SUCCESS or FAILURE.

FAILURE: never.

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


class FailureIsSuccess(Converter):
    """py_trees' FailureIsSuccess, with a cheap tick."""

    py_trees: ClassVar[str] = "py_trees.decorators:FailureIsSuccess"
    turns: ClassVar = {"FAILURE": ("SUCCESS", "failure is success")}


def force_success(name: str, child: Behaviour) -> FailureIsSuccess:
    """The modifier around a node."""
    return FailureIsSuccess(name, child)


def build(at: NodePlace, value: bool, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return force_success(child.name, child)


MODIFIER = ModifierSpec(
    key="force_success",
    order=90,
    type=bool,
    field=Field(False, description="FAILURE becomes SUCCESS."),
    build=build,
    changes=True,
    contradicts={
        "invert": "together they mean 'force_failure': write that",
        "retry": "a node that never fails is never retried",
    },
    resume="children",
    swap="open",
    drawing=Drawing("modifier", icon="M2.5 8.5L6.3 12.3L13.5 4"),
    xml=Xml(tags=(XmlTag("ForceSuccess", ("btcpp",)), XmlTag("FailureIsSuccess", ("py_trees",)))),
)
