"""Read a plan: ours with node ids, or that of DAG-Plan's baselines in words (E.2, E.3).

    {"stages": [{"left": "node_3", "right": null}, …]}         ours, with the graph beside it

    stages:                                                      the baselines' (E.2, E.3)
      stage_1: {name: 'open "x" (left) and grasp "y" (right)'}
      stage_2: {name: 'grasp "pot" (both)'}
      stage_3: {name: 'put "y" into "x" (right) and None (left)'}

A node listed with both arms, and `(both)`, is one sub-task for both arms. The baselines' hand
states and descriptions are ignored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from treec.frozen import frozen
from treec.source.diagnostics import Diagnostic, did_you_mean, suggestion
from treec.source.text import SourceFile, Span
from treec.source.yaml import Mapping, Scalar, YamlNode, read_documents, read_file
from treec.source.yaml import Sequence as ListNode
from treec_dag_plan.arms.check_rules import PLAN
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.plan import ARMS, ArmPlan
from treec_dag_plan.arms.read_edges import node_id
from treec_dag_plan.arms.read_names import QUOTED
from treec_kitchen.graph_findings import GraphFinding, file_finding

_SIDE = re.compile(r"\(\s*([^()]*?)\s*\)")
_JOIN = re.compile(r"^[\s,;]*(?:and\b)?[\s,;]*", re.IGNORECASE)
_BOTH = ("both", "both arms", "both hands", "left and right", "right and left", "dual")
_NOTHING = ("", "none", "null", "nothing", "idle", "wait")


@frozen
class PlanPart:
    """A sub-task of a stage: its arms and words; `node`: its id in a graph."""

    arms: tuple[str, ...]
    name: str
    span: Span | None = None
    node: str | None = None


@frozen
class StageStep:
    """A stage: its label in the plan, and its sub-tasks."""

    label: str
    parts: tuple[PlanPart, ...]
    span: Span | None = None


@frozen(slots=False)
class PlanReading:
    """The stages of a plan, or what is wrong with it."""

    steps: tuple[StageStep, ...]
    problems: tuple[Diagnostic, ...]
    source: SourceFile | None

    @property
    def errors(self) -> list[GraphFinding]:
        """The problems that are errors."""
        return [file_finding(found) for found in self.problems if found.severity == "error"]

    @property
    def sound(self) -> bool:
        """Whether there is no error."""
        return not self.errors


def steps_of(plan: ArmPlan, graph: TaskGraph) -> tuple[StageStep, ...]:
    """Return the stages of a schedule."""
    names = {node.id: node.name for node in graph.nodes}
    steps = []
    for number, stage in enumerate(plan.stages, 1):
        arms = {id: [a for a, other in stage.arms.items() if other == id] for id in stage.nodes}
        parts = (PlanPart(tuple(arms[id]), names[id], None, id) for id in stage.nodes)
        steps.append(StageStep(f"stage {number}", tuple(parts)))
    return tuple(steps)


def read_plan(
    source: Path | SourceFile | str, graph: TaskGraph | None = None, arms: Sequence[str] = ARMS
) -> PlanReading:
    """Read a plan from a file or a text; `graph` resolves its node ids."""
    if isinstance(source, Path):
        file, problems = read_file(source, source.as_posix())
        if file is None:
            return PlanReading((), tuple(problems), None)
    else:
        file = source if isinstance(source, SourceFile) else SourceFile("plan.yaml", source)
    documents, problems = read_documents(file)
    if not documents:
        if not problems:
            problems = [_wrong(file.span(0), "this file is empty")]
        return PlanReading((), tuple(problems), file)
    reader = _PlanReader(graph, tuple(arms), list(problems))
    steps = reader.root(documents[0].root)
    return PlanReading(steps, tuple(sorted(reader.problems)), file)


def _wrong(span: Span, message: str, help: str | None = None) -> Diagnostic:
    return PLAN.at(span, message, help or "'treec explain TC732' shows both forms")


class _PlanReader:
    def __init__(
        self, graph: TaskGraph | None, arms: tuple[str, ...], problems: list[Diagnostic]
    ) -> None:
        self.graph = graph
        self.arms = arms
        self.problems = problems

    def root(self, root: YamlNode) -> tuple[StageStep, ...]:
        stages = root.get("stages") if isinstance(root, Mapping) else root
        if stages is None and isinstance(root, Mapping) and root.get("stage_1") is not None:
            stages = root  # the baselines' stages without the word above them
        found: list[StageStep | None] = []
        if isinstance(stages, ListNode):
            for number, item in enumerate(stages.items, 1):
                found.append(self._stage(f"stage {number}", item, item.span))
        elif isinstance(stages, Mapping):
            for number, (key, item) in enumerate(stages.entries, 1):
                label = re.sub(r"[_\s]+", " ", key.text).strip() or f"stage {number}"
                found.append(self._stage(label, item, key.span))
        else:
            self.problems.append(
                _wrong(root.span, "a plan has 'stages'", "write 'stages:' above them")
            )
        return tuple(step for step in found if step is not None)

    def _stage(self, label: str, node: YamlNode, span: Span) -> StageStep | None:
        if isinstance(node, Mapping) and node.get("name") is None:
            return StageStep(label, tuple(self._by_arms(label, node)), span)
        name = node.get("name") if isinstance(node, Mapping) else node
        if not isinstance(name, Scalar) or not isinstance(name.value, str):
            self.problems.append(_wrong(span, f"{label} has neither arms nor a name"))
            return None
        return StageStep(label, tuple(self._by_words(label, name)), span)

    def _by_arms(self, label: str, node: Mapping) -> Iterator[PlanPart]:
        """Read our format: a node's id or a sub-task's words for each arm."""
        work: dict[str, list[str]] = {}
        spans: dict[str, Span] = {}
        for key, value in node.entries:
            if key.text not in self.arms:
                help = suggestion(key.text, self.arms, "arms")
                self.problems.append(_wrong(key.span, f"unknown arm '{key.text}'", help))
            elif not isinstance(value, Scalar):
                self.problems.append(_wrong(value.span, f"{label}: a node's id is wanted here"))
            elif value.value is not None and value.text.strip().lower() not in _NOTHING:
                work.setdefault(value.text.strip(), []).append(key.text)
                spans.setdefault(value.text.strip(), value.span)
        for text, arms in work.items():
            by_id = {} if self.graph is None else self.graph.by_id
            known = by_id.get(text) or by_id.get(node_id(text))
            if known is not None:
                yield PlanPart(tuple(arms), known.name, spans[text], known.id)
            elif re.search(r"\W", text):
                yield PlanPart(tuple(arms), text, spans[text])
            else:
                near = did_you_mean(node_id(text), by_id)
                help = f"did you mean {near}?" if near else f"nodes: {', '.join([*by_id][:8])}, …"
                message = f"{label}: unknown node '{text}'"
                if self.graph is None:
                    message = f"{label}: what '{text}' is stands in a graph"
                    help = "specify the graph with --graph"
                self.problems.append(_wrong(spans[text], message, help))

    def _by_words(self, label: str, name: Scalar) -> Iterator[PlanPart]:
        """Read the baselines' format: sub-tasks in words, each with its arm in parentheses."""
        text = name.text
        masked = QUOTED.sub(lambda match: "·" * len(match[0]), text)
        begin = 0
        for match in _SIDE.finditer(masked):
            skipped = _JOIN.match(masked[begin : match.start()])
            at = begin + (skipped.end() if skipped else 0)
            words = text[at : match.start()].strip()
            begin = match.end()
            arms = self._side(match[1].strip().casefold())
            if arms is None:
                help = f"write ({self.arms[0]}), ({self.arms[-1]}) or (both)"
                span = name.at(match.start(), match.end() - match.start())
                self.problems.append(_wrong(span, f"{label}: unknown arm '{match[1]}'", help))
            elif words.casefold() not in _NOTHING:
                yield PlanPart(arms, words, name.at(at, max(len(words), 1)))
        rest = text[begin:].strip(" .,;")
        if rest.casefold() not in _NOTHING:
            at = begin + text[begin:].index(rest)
            rest = rest[4:] if rest.casefold().startswith("and ") else rest
            help = f"write the arm behind it: {rest} ({self.arms[-1]})"
            span = name.at(at, len(text[at:].rstrip()))
            self.problems.append(_wrong(span, f"{label} does not say which arm does this", help))

    def _side(self, words: str) -> tuple[str, ...] | None:
        if words in _BOTH:
            return self.arms[:2]
        words = re.sub(r"\b(?:arm|hand)\b", "", words).strip()
        return (words,) if words in self.arms else None
