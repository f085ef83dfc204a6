"""Asks a model for a task graph: the prompt, the form of the answer, what is wrong with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from treec.ask.transport import Answer
from treec.files.entry import Entry
from treec.files.prompts import PlanFile
from treec.nodes.asking import Asking, answer_json, closed, messages, parse_answer
from treec.nodes.observation import Observation, observe
from treec.nodes.runtime import Runtime
from treec.source.diagnostics import Diagnostic
from treec.source.scope import MappingScope, Scope
from treec.source.template import Template
from treec.source.text import SourceFile
from treec.systems.dag_plan.arms.check import check_graph
from treec.systems.dag_plan.arms.model import TaskGraph
from treec.systems.dag_plan.arms.problem import Problem
from treec.systems.dag_plan.arms.read import read_parts
from treec.systems.dag_plan.arms.world_logic import State

SCHEMA = closed({"reasoning": {"type": "string"}, "plan": {"type": "string"}})
MOST_TOLD = 8
"""How many findings a model is told at once."""

LONGEST = 400_000
_FENCE = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
STAGES = re.compile(r"^stages:", re.MULTILINE)
"""How a plan of stages begins, which is asked for to compare with."""
_NODES = re.compile(r"^nodes:", re.MULTILINE)
_NOTHING: Mapping[str, object] = {
    "task": "",
    "constraints": [],
    "objects": [],
    "description": "",
    "commands": [],
    "done": [],
    "holding": [],
    "wrong": "",
}


class Refused(ValueError):
    """An answer that is no graph which may be done; the findings are for whoever wrote it."""

    def __init__(self, findings: Sequence[str]) -> None:
        super().__init__("; ".join(findings))
        self.findings = tuple(findings)


@dataclass(frozen=True)
class So:
    """How far a graph that failed has come: what is done, what hands hold, and what went wrong."""

    done: tuple[str, ...] = ()
    holding: tuple[str, ...] = ()
    wrong: str = ""


def ask_for_plan(
    runtime: Runtime,
    entry: Entry[PlanFile],
    path: str,
    scope: Scope,
    words: Mapping[str, object],
    so: So,
) -> Asking:
    """Ask for a graph, the first or one after a graph that failed; `words` are the task's."""
    given: dict[str, object] = {
        **words,
        "done": list(so.done),
        "holding": list(so.holding),
        "wrong": so.wrong,
    }
    seen = observe((*entry.model.sees, *entry.model.recalls), scope)
    prompt = messages(
        runtime,
        entry,
        MappingScope(given, parent=scope),
        {"commands": given["commands"]},
        answer_json,
        lambda example: {**_NOTHING, "commands": given["commands"], **example},
        lines=True,
    )
    observation = Observation({**seen.values, **given}, seen.key)
    return Asking(runtime, entry, path, prompt, SCHEMA, observation)


def read_answer(
    answer: Answer, problem: Problem, start: State, held: Mapping[str, str]
) -> tuple[str, TaskGraph]:
    """The graph in an answer and its text, when nothing is wrong with it. Raises Refused.

    `start` is what it is judged from, `held` what each hand holds by now.
    """
    return judge(plan_text(answer), problem, start, held)


def judge(
    text: str, problem: Problem, start: State, held: Mapping[str, str]
) -> tuple[str, TaskGraph]:
    """A graph's text, held against the task. Raises Refused."""
    file = SourceFile("plan.yaml", text)
    reading = read_parts(file)
    checked = check_graph(reading, replace(problem.world, start=start))
    if reading.graph is None or not checked.good:
        errors = [problem for problem in checked.problems if problem.severity == "error"]
        raise Refused([finding(error, file) for error in errors[:MOST_TOLD]])
    lost = [
        f'{arm} holds "{thing}"' for arm, thing in held.items() if not _held(reading.graph, thing)
    ]
    if lost:
        told = "the graph must have the node that has taken it, and one that puts it down"
        raise Refused([f"{' and '.join(lost)}: {told}"])
    return text, reading.graph


def _held(graph: TaskGraph, thing: str) -> bool:
    kinds = {node.type for node in graph.nodes if thing in node.objects}
    return {"occupy", "release"} <= kinds


def finding(error: Diagnostic, file: SourceFile) -> str:
    """A finding with the line that it is about, as a model can find it in its own answer."""
    line = file.text.split("\n")[error.span.line - 1].strip()[:100]
    help = f" ({error.help})" if error.help else ""
    return f"line {error.span.line}, '{line}': {error.message}{help}"


def reflection(entry: Entry[PlanFile], findings: Sequence[str], scope: Scope) -> str:
    """What is said of a graph that is wrong."""
    if entry.model.reflection is None:
        return "; ".join(findings) + "."
    inner = MappingScope({"findings": list(findings)}, parent=scope)
    return Template.parse(entry.model.reflection).render(inner).strip()


def plan_text(answer: Answer, begins: re.Pattern[str] = _NODES) -> str:
    """The plan: of a JSON object, in a fence, or from the line `nodes:` on. Raises Refused."""
    if len(answer.text) > LONGEST:
        raise Refused([f"the answer has {len(answer.text):,} characters: a graph is shorter"])
    try:
        text = str(parse_answer(answer, SCHEMA)["plan"])
    except ValueError as error:
        text = answer.text
        if not begins.search(text):
            raise Refused([str(error)]) from None
    fenced = [part for part in _FENCE.findall(text) if begins.search(part)]
    text = fenced[-1] if fenced else text
    found = begins.search(text)
    return (text[found.start() :] if found else text).rstrip() + "\n"
