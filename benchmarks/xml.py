"""The same trees for py_trees' own XML parser."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import py_trees
from py_trees.common import Status
from py_trees.parsers.behaviour_tree_xml import parse_behaviour_tree_xml
from py_trees.ports import BehaviourWithPorts, PortInformation

TAGS = {
    "sequence": "Sequence",
    "reactive_sequence": 'Sequence memory="false"',
    "sequence_with_memory": "Sequence",
    "selector": "Selector",
    "reactive_selector": 'Selector memory="false"',
    "parallel": 'Parallel policy="success_on_all"',
    "inverter": "Inverter",
    "force_success": "FailureIsSuccess",
    "force_failure": "SuccessIsFailure",
    "keep_running_until_failure": "SuccessIsRunning",
    "run_once": "PassThrough",  # the parser cannot give OneShot its policy
    "retry": 'Retry num_failures="{attempts}"',
    "repeat": 'Repeat num_success="{cycles}"',
}
"""The nearest node that the parser knows for each node of a golden trace."""


class ScriptedLeaf(BehaviourWithPorts):
    """A leaf with a script, given as the parser gives plain values: to the constructor."""

    INPUT_PORTS: ClassVar[dict[str, PortInformation]] = {}
    OUTPUT_PORTS: ClassVar[dict[str, PortInformation]] = {}

    def __init__(self, name: str, script: str, behaviour_class_name: str | None = None) -> None:
        super().__init__(name=name, behaviour_class_name=behaviour_class_name)
        self.script = script

    def update(self) -> Status:
        """Never ticked here."""
        return Status.RUNNING


def xml_file(path: Path, tree: Mapping[str, Any]) -> Path:
    """A vector's tree in XML."""
    text = f'<root main_tree_to_execute="M"><BehaviorTree ID="M">{_xml(tree)}</BehaviorTree></root>'
    path.write_text(text, encoding="utf-8")
    return path


def _xml(node: Mapping[str, Any]) -> str:
    kind = node["node"]
    if kind == "probe":
        return f'<ScriptedLeaf name="{node["name"]}" script="{node["script"]}"/>'
    tag = TAGS[kind].format(**node)
    inside = "".join(map(_xml, node["children"]))
    return f"<{tag}>{inside}</{tag.partition(' ')[0]}>"


def parse(path: Path) -> py_trees.behaviour.Behaviour:
    """Build the tree; the blackboard is global and is emptied first."""
    py_trees.blackboard.Blackboard.clear()
    return parse_behaviour_tree_xml(str(path), node_registry={"ScriptedLeaf": ScriptedLeaf})
