"""`invert`: SUCCESS and FAILURE change places.

SUCCESS: the node returned FAILURE.

FAILURE: the node returned SUCCESS.

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


class Inverter(Converter):
    """py_trees' Inverter, with a cheap tick."""

    py_trees: ClassVar[str] = "py_trees.decorators:Inverter"
    turns: ClassVar = {
        "SUCCESS": ("FAILURE", "success -> failure"),
        "FAILURE": ("SUCCESS", "failure -> success"),
    }


def invert(name: str, child: Behaviour) -> Inverter:
    """The modifier around a node."""
    return Inverter(name, child)


def build(at: NodePlace, value: bool, child: Behaviour) -> Behaviour:
    """The node in its modifier."""
    return invert(child.name, child)


MODIFIER = ModifierSpec(
    key="invert",
    order=80,
    type=bool,
    field=Field(False, description="SUCCESS becomes FAILURE, and FAILURE SUCCESS."),
    build=build,
    changes=True,
    resume="children",
    swap="open",
    drawing=Drawing("modifier", "¬", "M2.5 6.2H13.5V11"),
    xml=Xml(tags=(XmlTag("Inverter"),)),
)
