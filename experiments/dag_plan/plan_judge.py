"""Check a model's plan, a graph or stages, in the world of the task.

Findings are returned to the model with their lines, and counted by kind.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from experiments.dag_plan.written_plans import Scheduler
from treec.source.rules import find_rule
from treec.source.text import SourceFile
from treec_dag_plan.arms.check import check_graph
from treec_dag_plan.arms.commands import action_of
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.arms.stages import crowded_stages
from treec_dag_plan.arms.validate import PlanViolation, validate
from treec_dag_plan.arms.validate_read import read_plan, steps_of
from treec_kitchen.draft import MOST_SHOWN, DraftRefused
from treec_kitchen.graph_findings import GraphFinding

AS_IT_IS = ""
"""The schedule of stages that a model wrote itself."""
NO_PLAN = "no plan in the answer"
NO_COMMAND = "words that are not a sub-task of the task's world"
NOT_POSSIBLE = "a stage that cannot be done"
GOAL_MISSED = "the goal is missed"
TWO_AT_ONCE = "more than one sub-task in a stage of TP-S"
STUCK = "the schedule ends in a deadlock"


@dataclass(frozen=True, slots=True)
class PlanError:
    """A fault of a plan: its kind, and the text for the model."""

    cause: str
    text: str


@dataclass(frozen=True, slots=True)
class PlanVerdict:
    """An answer's faults; of a valid one the number of stages by scheduler, or why it failed."""

    findings: tuple[PlanError, ...] = ()
    stages: Mapping[str, int] = field(default_factory=dict)
    failed: Mapping[str, PlanError] = field(default_factory=dict)
    """Schedulers whose plan for a valid graph misses the goal."""

    @property
    def good(self) -> bool:
        """Whether there is nothing to send back."""
        return not self.findings


def judge_graph(
    text: str,
    problem: AllocationProblem,
    schedules: Sequence[tuple[str, Scheduler]],
    *,
    numbered: bool = True,
) -> PlanVerdict:
    """Check a task graph; schedule a valid one and validate each schedule.

    `numbered`: findings name the lines of the text.
    """
    file = SourceFile("plan.yaml", text)
    reading = read_parts(file)
    checked = check_graph(reading, problem.world)
    if reading.graph is None or not checked.good:
        return PlanVerdict(_errors(checked.errors, file if numbered else None))
    stages: dict[str, int] = {}
    failed: dict[str, PlanError] = {}
    for name, method in schedules:
        count, wrong = _schedule(reading.graph, method, problem)
        if wrong is None:
            stages[name] = count
        else:
            failed[name] = wrong
    return PlanVerdict((), stages, failed)


def _schedule(
    graph: TaskGraph, method: Scheduler, problem: AllocationProblem
) -> tuple[int, PlanError | None]:
    try:
        plan = method(graph, None)
    except ValueError as error:
        return 0, PlanError(STUCK, str(error))
    violation = validate(steps_of(plan, graph), problem.world).violation
    found = None if violation is None else PlanError(_cause(violation, problem), str(violation))
    return len(plan), found


def judge_stages(
    text: str, problem: AllocationProblem, *, at_once: int | None = None
) -> PlanVerdict:
    """Validate the stages that a model wrote."""
    file = SourceFile("plan.yaml", text)
    reading = read_plan(file, None, problem.world.arms)
    if not reading.sound:
        return PlanVerdict(_errors(reading.errors, file))
    crowded = next(crowded_stages(reading.steps, at_once), None)
    if crowded is not None:
        return PlanVerdict((PlanError(TWO_AT_ONCE, crowded.message),))
    violation = validate(reading.steps, problem.world).violation
    if violation is None:
        return PlanVerdict((), {AS_IT_IS: len(reading.steps)})
    span = None if violation.part is None else violation.part.span
    line = "" if span is None else f"line {span.line}, "
    return PlanVerdict((PlanError(_cause(violation, problem), f"{line}{violation}"),))


def no_plan(error: Exception) -> PlanVerdict:
    """The verdict on an answer in which no plan was found."""
    lines = error.lines if isinstance(error, DraftRefused) else (str(error),)
    return PlanVerdict(tuple(PlanError(NO_PLAN, text) for text in lines))


def _errors(errors: Sequence[GraphFinding], file: SourceFile | None) -> tuple[PlanError, ...]:
    """The first errors in words, each with its rule's title."""
    found = []
    for error in errors[:MOST_SHOWN]:
        rule = find_rule(error.code)
        title = f"{error.code} {rule.title}" if rule is not None else error.code
        found.append(PlanError(title, error.words(file)))
    return tuple(found)


def _cause(violation: PlanViolation, problem: AllocationProblem) -> str:
    if not violation.stage:
        return GOAL_MISSED
    if isinstance(action_of(problem.world, violation.name, violation.arms), GraphFinding):
        return NO_COMMAND
    return NOT_POSSIBLE
