"""What a drawing says of each node type and modifier: its label and its second line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from tests.run.test_resume_every_node import CASES
from tests.support import golden
from treec.files.nodes import NodeBase, child_nodes, type_key
from treec.files.tree import TreeFile
from treec.render.from_files import node_detail, node_label


def lines(node: NodeBase | list[Any], place: str = "") -> Iterator[str]:
    """A node and those below it, each with its place: in a list, in a mapping, of a modifier."""
    if isinstance(node, NodeBase):
        key = type_key(node) or "sequence"
        yield "; ".join(filter(None, (f"{place}{key}", node_label(node, key), node_detail(node))))
    for child in child_nodes(node):
        own = "- " if child.in_list else f"{child.case}: " if child.case else ""
        yield from lines(child.node, f"{child.modifier.key} " if child.modifier else own)


def test_labels() -> None:
    found: list[str] = []
    for name, case in CASES.items():
        model = TreeFile.model_validate({"tree": name, **yaml.safe_load(case.text)})
        found += lines(model.root)
    once = dict.fromkeys(line for line in found if "log; log: " not in line)
    golden.check(Path(__file__).with_name("labels.txt"), "\n".join(once) + "\n")
