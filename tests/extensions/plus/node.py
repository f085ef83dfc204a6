"""The node `beep` as a behaviour. SUCCESS at once; it writes a line into the journal."""

from __future__ import annotations

from py_trees.behaviour import Behaviour

from tests.extensions.plus.files import BeepNode
from treec.compile.node import NodePlace
from treec.nodes.log import Log
from treec.source.template import TextTemplate


def build(at: NodePlace, node: BeepNode) -> Behaviour:
    """A leaf that logs its beeps."""
    at.expression(node.beep, "beep")
    return Log(at.path, at.runtime, at.frame, TextTemplate.parse(f"beep ×{{{{ {node.beep} }}}}"))
