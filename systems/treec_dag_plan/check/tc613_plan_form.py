"""Node `plan` with a file that asks a model for something else.

The node carries out plans that answer `graph` or `stages`; its key `goal` names one that answers
`goal`.

Wrong:

    plan: Task_Goal

Right:

    plan: Task_Graph
    goal: Task_Goal
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.tree_nodes import tree_nodes
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion
from treec_dag_plan.files import DRAWN_UP, wrong_form
from treec_dag_plan.plan_node import PlanNode

CODE = "TC613"


def check(view: View) -> Iterator[Diagnostic]:
    """Report nodes whose files answer another form."""
    for entry in entries(view, "tree"):
        for at in tree_nodes(entry):
            if not isinstance(at.node, PlanNode):
                continue
            for key, forms in (("plan", DRAWN_UP), ("goal", ("goal",))):
                name = getattr(at.node, key)
                plan = view.find("plan", name) if name is not None else None
                if plan is None or plan.model.answers in forms:
                    continue
                fitting = [e.name for e in entries(view, "plan") if e.model.answers in forms]
                help = suggestion(name, fitting, "files that do")
                yield Diagnostic(CODE, "error", at.span(key), wrong_form(plan, forms), help)
