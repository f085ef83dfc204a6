"""The question for a goal, before a task in free words is planned.

A model states facts that shall hold at the end, or what the task needs and the scene does not have.
Its answer is checked against the task's world, and returned with the findings.

SUCCESS: a goal is stated, or things are missing. FAILURE: there is no valid answer. RUNNING: an
answer is awaited.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.view import View
from treec.frozen import frozen
from treec.nodes.runtime import NodeError
from treec.world.journal import Record
from treec_asking.asking import NodeContext
from treec_asking.prompt import Question, object_schema
from treec_dag_plan.arms.find_problem import find_problem
from treec_dag_plan.arms.goals import check_goal, fact_lines
from treec_dag_plan.arms.problem import AllocationProblem, ProblemError, problem_in_view
from treec_dag_plan.arms.prompt_words import prompt_words
from treec_dag_plan.files import GoalPlan
from treec_kitchen.draft import DraftLeaf, DraftRefused, draft_question

_TEXTS: Mapping[str, object] = {"type": "array", "items": {"type": "string"}, "maxItems": 40}
SCHEMA = object_schema({"reasoning": {"type": "string"}, "goal": _TEXTS, "missing": _TEXTS})


@frozen
class StatedGoal:
    """Conditions that shall hold at the end, or the things without which there is none."""

    conditions: Sequence[str]
    missing: Sequence[str] = ()


class GoalLeaf(DraftLeaf[StatedGoal]):
    """Asks for the goal of its argument `task`."""

    GIVEN = ("task", "constraints", "objects", "description")
    OUTCOMES = ("goal", "missing")
    UNORDERED = ("goal", "missing")
    stated: StatedGoal | None = None

    def work(self) -> Status:
        """Send the request, or process its response."""
        return self.ask() if self.exchange is None else self.look(self.exchange)

    @property
    def problem(self) -> AllocationProblem:
        """The task in the scene's world."""
        view = self.runtime.view
        try:
            return problem_in_view(view, find_problem(view, str(self.args.get("task", ""))))
        except ProblemError as error:
            raise NodeError(str(error)) from None

    def question(self) -> Question:
        """Return the question for the task."""
        problem = self.problem
        words = {**prompt_words(problem), "facts": fact_lines(problem), **self.args}
        return draft_question(self.runtime, self.entry, self.scope, words, SCHEMA)

    def parse(self, data: Mapping[str, Any]) -> StatedGoal:
        """Check a goal. Raises DraftRefused."""
        missing = [text.strip() for text in data["missing"] if text.strip()]
        problem, objects = self.problem, self.args.get("objects")
        if isinstance(objects, list | tuple):  # an example's, of any type
            names = {str(name): str(name) for name in objects}
            problem = replace(problem, world=replace(problem.world, names=names, things={}))
        conditions, findings = check_goal(problem, data["goal"], missing)
        if findings:
            raise DraftRefused(findings)
        return StatedGoal(conditions, tuple(missing))

    def accept(self, parsed: StatedGoal, by: str) -> Status:
        """Keep the goal."""
        self.stated, self.by = parsed, by
        return Status.SUCCESS

    def offline(self, because: str) -> Status:
        """FAILURE: goals are stated by models only."""
        return self.fail(because or "no model is there to state one")

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """Return the conditions, or what is missing."""
        if self.stated is None:
            return None, self.by
        lists = {"goal": self.stated.conditions, "missing": self.stated.missing}
        return {name: list(found) for name, found in lists.items()}, self.by

    @classmethod
    def for_case(cls, entry: Entry[GoalPlan], around: NodeContext) -> GoalLeaf:
        """Build the leaf for a decision test."""
        args = {**around.args, **around.given}
        return cls(entry.name, around.runtime, around.scope, entry, args)

    @classmethod
    def world_of(cls, entry: Entry[GoalPlan], views: Sequence[View]) -> View | None:
        """Return the first view with tasks."""
        return next((view for view in views if view.all("problem")), None)
