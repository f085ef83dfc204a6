"""Missing folder of layouts.

`layouts` of a `plan` node names a folder of the library with a file SCENE.yaml for each scene.
Without it, geometry would be ignored.

Wrong:

    - plan: Task_Graph
      layouts: trees/layuots

Right:

    - plan: Task_Graph
      layouts: trees/layouts
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.tree_nodes import tree_nodes
from treec.files.view import View
from treec.source.diagnostics import Diagnostic
from treec_dag_plan.plan_node import PlanNode

CODE = "TC609"


def check(view: View) -> Iterator[Diagnostic]:
    """Report folders of layouts that do not exist."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            if not isinstance(at.node, PlanNode) or at.node.layouts is None:
                continue
            if not view.library.file(at.node.layouts, entry).is_dir():
                message = f"no folder '{at.node.layouts}'"
                help = "write its path from the library's folder"
                yield Diagnostic(CODE, "error", at.span("layouts"), message, help)
