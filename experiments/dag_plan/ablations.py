"""DAG-Plan with a part left out: without reflection, without examples, without node types.

Without reflection: the first answers of the same samples. Without examples and without node types
the model is asked again, with a prompt that lacks them. What it does not say of types is taken from
the commands before the graph is checked, and findings name nodes instead of lines then. Without
node types in scheduling, no model is needed: the paper's rule knows of no hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import yaml

from experiments.dag_plan.methods import paper_rule
from experiments.dag_plan.rates import MethodRates, format_shares
from experiments.dag_plan.written_plans import EvaluationInputError
from treec.files.entry import Entry
from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ArmPlan
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.read_names import fold, read_name
from treec_dag_plan.files import DrawnUpPlan
from treec_testing.decisions.situation import with_model

WITHOUT_EXAMPLES = "DAG-Plan without examples"
WITHOUT_TYPES = "DAG-Plan without node types"
ABLATIONS = (WITHOUT_EXAMPLES, WITHOUT_TYPES)
"""Methods that are asked for with prompts of their own."""
NOTE = (
    "The paper prints no ablations. Of reflection it says that task 8 went from 0.8 to 1.0 by it",
    "(section 4.2); of examples and node types nothing that these could be held against.",
)
_RULE = re.compile(r"^ *\d+\. `type` .*?(?=^ *\d+\. )", re.MULTILINE | re.DOTALL)
_TYPE_LINE = re.compile(r"^ *type: .*\n", re.MULTILINE)
_IN_COMMAND = re.compile(r"\(type: [^;)]*; ")


def blind_rule(graph: TaskGraph, layout: ArmLayout | None) -> ArmPlan:
    """Schedule by DAG-Plan's rule as if no node had a type, so that no arm is known to hold."""
    nodes = (n if n.type == "complete" else replace(n, type="operate") for n in graph.nodes)
    return paper_rule(replace(graph, nodes=tuple(nodes)), layout)


BLIND = ("the paper's rule, without node types", blind_rule)


def changed_prompt(entry: Entry[DrawnUpPlan], method: str) -> Entry[DrawnUpPlan]:
    """Return DAG-Plan's prompt as a method needs it. Raises EvaluationInputError."""
    model = entry.model
    if method == WITHOUT_EXAMPLES:
        return with_model(entry, model.model_copy(update={"examples": []}))
    if method != WITHOUT_TYPES:
        return entry
    text, count = _RULE.subn("", model.instructions or "")
    if not count:
        raise EvaluationInputError(f"{entry.path}: no rule about `type` to leave out")
    text = text.replace(", of type complete,", ",")
    examples = [
        one.model_copy(
            update={
                "answer": one.answer.model_copy(
                    update={"plan": _TYPE_LINE.sub("", one.answer.plan)}
                )
            }
        )
        for one in model.examples
    ]
    return with_model(entry, model.model_copy(update={"instructions": text, "examples": examples}))


def changed_words(words: Mapping[str, object], method: str) -> dict[str, Any]:
    """Return the variables of the prompt as a method needs them: commands without their types."""
    found: dict[str, Any] = dict(words)
    if method == WITHOUT_TYPES:
        found["commands"] = [_IN_COMMAND.sub("(", line) for line in found["commands"]]
    return found


def with_types(text: str, problem: AllocationProblem) -> str:
    """Write into a graph the types that its commands have; what cannot be read stays as it is."""
    try:
        data = yaml.safe_load(text)
    except yaml.YAMLError:
        return text
    nodes = data.get("nodes", data) if isinstance(data, dict) else None
    if not isinstance(nodes, dict):
        return text
    types = {fold(skill.command): skill.type for skill in reversed(problem.world.skills)}
    for node in nodes.values():
        if isinstance(node, dict):
            command = fold(read_name(str(node.get("name", ""))).command)
            ends = "complete" in command and not node.get("arm_num")
            node.setdefault("type", "complete" if ends else types.get(command, "operate"))
    return yaml.safe_dump(data, sort_keys=False, allow_unicode=True)


@dataclass(frozen=True)
class AblationRow:
    """A variant's success rates per task; None for a task without answers."""

    name: str
    success: tuple[float | None, ...]


def ablation_rows(rates: Sequence[MethodRates]) -> Iterator[AblationRow]:
    """The rows of the table: DAG-Plan, its first answers, and with parts left out."""
    for one in rates:
        if one.method == "DAG-Plan":
            yield AblationRow("DAG-Plan", one.rates(one.right))
            yield AblationRow("without reflection", one.rates(one.at_first))
            break
    for one in rates:
        if one.method in ABLATIONS:
            yield AblationRow(one.method.removeprefix("DAG-Plan "), one.rates(one.right))


def lines(rates: Sequence[MethodRates], tasks: Sequence[int]) -> Iterator[str]:
    """Render the table."""
    rows = [*ablation_rows(rates)]
    width = max(len(row.name) for row in rows)
    heads = "  ".join(f"{f'T{task}':>4}" for task in tasks)
    yield f"{'ablations':{width}}  {heads}   mean"
    yield from (f"{row.name:{width}}  {format_shares(row.success)}" for row in rows)
