"""A decision test of a plan outside of a tree: it is asked for and checked, but not executed.

The plan of a task with a file is checked in the task's world. Without a file only the plan's format
and commands are checked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.view import View, world_of
from treec.graph import descendants
from treec.nodes.asked import OFFLINE
from treec.nodes.runtime import NodeError, Runtime
from treec.source.diagnostics import did_you_mean
from treec.source.scope import Scope
from treec.source.text import SourceFile
from treec.world.journal import Record
from treec_asking.prompt import Question
from treec_dag_plan.arms.check import check_graph
from treec_dag_plan.arms.find_problem import AD_HOC, find_problem
from treec_dag_plan.arms.finding_kinds import NEARLY_A_COMMAND, NOT_A_COMMAND
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.problem import (
    AllocationProblem,
    ProblemError,
    make_problem,
    skills_of,
)
from treec_dag_plan.arms.prompt_words import command_lines, prompt_words
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.arms.read_names import read_name, same_command
from treec_dag_plan.arms.validate import validate
from treec_dag_plan.arms.validate_read import StageStep, read_plan
from treec_dag_plan.arms.world import ArmWorldError, SkillModel
from treec_dag_plan.files import DrawnUpPlan
from treec_dag_plan.nodes.plan_graph import START, find_plan, judge, plan_text
from treec_kitchen.draft import DraftLeaf, DraftRefused, draft_question, offline_draft
from treec_kitchen.graph_findings import GraphFinding, file_finding

GIVEN = ("task", "constraints", "objects", "description", "done", "holding", "wrong")
"""The variables that an example or a case may give; for a task with a file `task` is enough."""


class StandalonePlan(DraftLeaf[Sequence[str]]):
    """Has a plan made. ``written`` is what it says, line by line.

    SUCCESS: there is a plan that may be done. FAILURE: there is none. RUNNING: it is asked for.
    """

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[DrawnUpPlan],
        given: Mapping[str, object],
    ) -> None:
        super().__init__(name, runtime, scope, entry, given)
        self.written: Sequence[str] = ()
        self._problem: AllocationProblem | None = None

    def work(self) -> Status:
        """Send the request, or process its response."""
        self._problem = _problem(self.runtime.view, str(self.args.get("task", "")))
        return self.ask() if self.exchange is None else self.look(self.exchange)

    def question(self) -> Question:
        """Return the question for the given task."""
        words = {**_words(self.runtime.view, self._problem), **self.args}
        return draft_question(self.runtime, self.entry, self.scope, words)

    def find_data(self, text: str) -> Mapping[str, Any] | None:
        """Return the data of a plan in a fence or in prose."""
        return find_plan(text, START[self.entry.model.answers])

    def parse(self, data: Mapping[str, Any]) -> Sequence[str]:
        """The plan's lines. Raises Refused, with findings."""
        return self._judge(plan_text(data, START[self.entry.model.answers]))

    def accept(self, parsed: Sequence[str], by: str) -> Status:
        """Record the plan."""
        self.written, self.by = parsed, by
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        """The plan that the task's file names."""
        task = self.args.get("task", "")
        names = {"task": task, "reference": _reference(self._problem)}
        text = offline_draft(self.runtime, self.entry, names, self.scope)
        if not text:
            reason = because or "there is no model to make one"
            return self.fail(f"no plan for '{task}': {reason}")
        try:
            return self.accept(self._judge(text), OFFLINE)
        except DraftRefused as error:
            return self.fail(f"the plan of the task's file: {error}")

    def _judge(self, text: str) -> Sequence[str]:
        """A plan's lines, if nothing is wrong with it. Raises Refused."""
        problem = self._problem
        if self.entry.model.answers == "stages":
            return stage_lines(_stages(text, self.runtime.view, problem))
        if problem is not None:
            return graph_lines(judge(text, problem, problem.world.start, {})[1])
        return graph_lines(_graph(text, _skills(self.runtime.view)))

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """What is written, as ``plan`` or as ``stages``."""
        form = "stages" if self.entry.model.answers == "stages" else "plan"
        return ({form: list(self.written)} if self.written else None), self.by


def graph_lines(graph: TaskGraph) -> list[str]:
    """A graph's sub-tasks, each with what comes right before it; numbers and edges that follow from
    others are left out, since they say nothing of their own.
    """
    names: dict[str, str] = {}
    for node in graph.work():
        number = sum(known.name == node.name for known in graph.work() if known.id in names) + 1
        arms = f" ({node.arms} arms)" if node.arms > 1 else ""
        names[node.id] = f"{node.name}{arms}{f' ({number})' if number > 1 else ''}"
    lines = []
    for node in graph.work():
        before = [id for id in dict.fromkeys(node.after) if id in names]
        above = descendants(graph.after, *before)
        direct = [one for one in before if one not in above]
        after = f", after {' and '.join(sorted(names[id] for id in direct))}" if direct else ""
        lines.append(f"{names[node.id]}{after}")
    return lines


def stage_lines(steps: Sequence[StageStep]) -> list[str]:
    """A line for each stage: what is done in it, and by which arms."""
    reason = (
        " and ".join(
            f"{part.name} ({' and '.join(part.arms)})"
            for part in sorted(step.parts, key=lambda part: part.arms)
        )
        for step in steps
    )
    return [line or "nothing" for line in reason]


def _problem(view: View, task: str) -> AllocationProblem | None:
    """Return the task's problem in any scene; None if no file describes it."""
    library = view.library
    for scene in dict.fromkeys(e.model.scene for e in library.of_kind("problem")):
        world = world_of(library, scene)
        entry = find_problem(world, task) if world is not None else None
        if entry is not None and entry.name != AD_HOC:
            try:
                return make_problem(library, entry)
            except ProblemError as error:
                raise NodeError(str(error)) from None
    return None


def _words(view: View, problem: AllocationProblem | None) -> dict[str, object]:
    if problem is not None:
        return prompt_words(problem)
    commands = command_lines(_skills(view))
    return {"constraints": [], "objects": [], "description": "", "commands": commands}


def _skills(view: View) -> tuple[SkillModel, ...]:
    try:
        return skills_of(view)
    except ArmWorldError as error:
        raise NodeError(str(error)) from None


def _reference(problem: AllocationProblem | None) -> str:
    if problem is None or problem.model.graph is None:
        return ""
    try:
        return problem.view.library.file(problem.model.graph, problem.entry).read_text("utf-8")
    except OSError as error:
        raise NodeError(f"{problem.model.graph} cannot be read: {error.strerror}") from None


def _graph(text: str, skills: Sequence[SkillModel]) -> TaskGraph:
    """A graph, held to its form and to the commands that there are. Raises Refused."""
    file = SourceFile("plan.yaml", text)
    reading = read_parts(file)
    checked = check_graph(reading)
    if reading.graph is None or not checked.good:
        raise DraftRefused(checked.errors, file)
    names = (node.name for node in reading.graph.work())
    wrong = list(_unknown(names, skills))
    if wrong:
        raise DraftRefused(wrong)
    return reading.graph


def _stages(text: str, view: View, problem: AllocationProblem | None) -> Sequence[StageStep]:
    """Stages, held to their form, and to the world of their task where that is known."""
    file = SourceFile("plan.yaml", text)
    reading = read_plan(file, None, tuple(view.agents))
    if not reading.sound:
        raise DraftRefused(reading.errors, file)
    if problem is None:
        names = (part.name for step in reading.steps for part in step.parts)
        wrong = list(_unknown(names, _skills(view)))
    else:
        violation = validate(reading.steps, problem.world).violation
        found = None if violation is None else violation.finding(reading.steps, file)
        wrong = [] if found is None else [file_finding(found)]
    if wrong:
        raise DraftRefused(wrong)
    return reading.steps


def _unknown(names: Iterator[str], skills: Sequence[SkillModel]) -> Iterator[GraphFinding]:
    """Sub-tasks that no command is, or that name too many or too few objects."""
    for name in names:
        read = read_name(name)
        fitting = [skill for skill in skills if same_command(skill.command, read.command)]
        if any(len(skill.objects) == len(read.objects) for skill in fitting):
            continue
        near = did_you_mean(read.command, [skill.command for skill in skills])
        yield (NEARLY_A_COMMAND if near else NOT_A_COMMAND).at(name=name, near=near)
