"""`plan`: asks for a task graph, checks it and assigns its nodes to agents until all are done.

For a task that no file describes a model states the `goal` first; without one nothing is planned.
The node's file says what a model is asked; a graph with findings is sent back with them. Without a
model, or without a valid answer, the graph of `offline` is used. Each node of the graph becomes a
subtask in the queue of a free agent when it is due; the assignment is made anew whenever something
has changed. What failed is retried, by another agent first; what was undone is repeated; if a graph
cannot be finished, a new one is requested with the reason.

A plan of stages (`answers: stages` in its file) is executed as written: a stage begins when the
previous one has ended, and each sub-task is for the arms that the plan names.

SUCCESS: all subtasks are done, and the goal holds.

FAILURE: there is no valid graph, or the last one has failed, too.

RUNNING: there is no task yet, an answer is awaited, or the graph is being done.

Memory: the request in flight; when subtasks were begun. The graph itself stands in the world.

Halting: the request is cancelled; what agents are at and have in their queues stays theirs.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from py_trees.common import Status

from treec.files.entry import Entry
from treec.frozen import frozen
from treec.nodes.asked import OFFLINE
from treec.nodes.base import WakeUp
from treec.nodes.node_place import NodePlace
from treec.nodes.place import CompileError
from treec.nodes.runtime import NodeError, Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.source.values import resolve
from treec_asking.prompt import Question
from treec_dag_plan.arms.arm_graph import ArmGraph, apply_changes, match_finished
from treec_dag_plan.arms.find_problem import (
    AD_HOC,
    NO_GOAL,
    describe_unknown_task,
    find_problem,
)
from treec_dag_plan.arms.layout import ArmLayout, read_layout
from treec_dag_plan.arms.missing_things import describe_missing
from treec_dag_plan.arms.pairs import PairError
from treec_dag_plan.arms.problem import AllocationProblem, ProblemError, problem_in_view
from treec_dag_plan.arms.prompt_words import prompt_words
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.arms.schedule.problem import ScheduleError
from treec_dag_plan.arms.stages import Held, StagedGraph
from treec_dag_plan.arms.world_logic import State
from treec_dag_plan.events import (
    GoalStated,
    PlanFailed,
    PlanState,
    goals_of,
    plans_of,
)
from treec_dag_plan.files import DrawnUpPlan, GoalPlan, wrong_form
from treec_dag_plan.nodes.goal import GoalLeaf
from treec_dag_plan.nodes.plan_executor import (
    GoalUnknown,
    PlanExecutor,
    PlanInfeasible,
    facts_now,
)
from treec_dag_plan.nodes.plan_graph import START, find_plan, judge, plan_text
from treec_dag_plan.nodes.plan_stages import judge_stages
from treec_kitchen.draft import DraftLeaf, DraftRefused, draft_question, offline_draft

NOTHING = "nodes:\n  node_1: {name: task complete, arm_num: 0, edge: [], type: complete}\n"
"""The graph of a goal that holds already."""


@frozen
class Options:
    """The options of a `plan` node."""

    layouts: str | None = None
    tries: int = 3
    again: int = 2
    waits: float = 300.0


class Plan(DraftLeaf[StagedGraph]):
    """Asks for a graph and executes it."""

    def __init__(
        self,
        name: str,
        runtime: Runtime,
        scope: Scope,
        entry: Entry[DrawnUpPlan],
        args: Mapping[str, object],
        agents: Expression,
        options: Options,
        goal: Entry[GoalPlan] | None = None,
    ) -> None:
        super().__init__(name, runtime, scope, entry, args)
        self.goal = goal
        self._goal_leaf: GoalLeaf | None = None
        self.agents = agents
        self.options = options
        self._task_now = ""  # the task of this tick
        self._why = ""  # why the previous graph failed
        self._problem: AllocationProblem | None = None
        self._executor: PlanExecutor | None = None
        self._seen = -1
        self._patience = WakeUp(runtime.clock, runtime.wake)

    def work(self) -> Status:
        """Ask for a graph, or continue with the current one."""
        task = str(resolve(self.args.get("task", ""), self.scope) or "").strip()
        if not task:
            return Status.RUNNING
        self._task_now = task
        plan = self._plan()
        if plan is not None and plan.task != task:
            plan = None
        if self.exchange is not None:
            return self.look(self.exchange)
        if plan is None:
            if self._needs_goal(task):
                return self._state_goal(task)
            return self._ask("")
        if plan.status == "done":
            return Status.SUCCESS
        if plan.status == "failed":
            return self._fail(plan.reason)
        return self._go_on(task, plan)

    def _plan(self) -> PlanState | None:
        return plans_of(self.runtime.world.state).get(self.path)

    # The goal

    def _needs_goal(self, task: str) -> bool:
        """Whether a goal must be stated first: no file describes the task."""
        goal = goals_of(self.runtime.world.state).get(task)
        if self.goal is None or not self.asks or (goal is not None and not goal.missing):
            return False
        return find_problem(self.runtime.view, task).name == AD_HOC

    def _state_goal(self, task: str) -> Status:
        """Ask for the goal; without one nothing is planned."""
        leaf = self._goal_leaf
        if leaf is None or leaf.args != {"task": task}:
            assert self.goal is not None
            args = {"task": task}
            leaf = self._goal_leaf = GoalLeaf(self.path, self.runtime, self.scope, self.goal, args)
        leaf.tick_once()
        if leaf.status is Status.RUNNING:
            return Status.RUNNING
        self._goal_leaf = None
        if leaf.stated is None:
            why = f"no goal was stated ({leaf.feedback_message})"
            if cannot := describe_missing(self.runtime.view, task):
                return self._give_up(f"{cannot}; {why}")
            return self._give_up(f"{why}, and {describe_unknown_task(self.runtime.view, task)}")
        conditions, missing = tuple(leaf.stated.conditions), tuple(leaf.stated.missing)
        event = GoalStated(self.path, task, conditions, missing, leaf.by)
        self.runtime.world.emit(event, self.path)
        if missing:
            return self._give_up(f"cannot be done: there is no {', no '.join(map(_bare, missing))}")
        problem = self._task(task)
        if problem.world.is_goal(facts_now(self.runtime)):
            return self._take(StagedGraph(NOTHING, {}, {}), leaf.by, "the goal holds already")
        return self._ask("")

    def terminate(self, new_status: Status) -> None:
        """Cancel the requests and the timer when halted."""
        self._patience.cancel()
        if self._goal_leaf is not None:
            self._goal_leaf.cancel()
            self._goal_leaf = None
        super().terminate(new_status)

    # The task

    def _task(self, task: str) -> AllocationProblem:
        view = self.runtime.view
        known = self._problem
        goal = goals_of(self.runtime.world.state).get(task)
        entry = find_problem(view, task, goal.conditions if goal and goal.conditions else NO_GOAL)
        if known is None or known.view is not view or known.model != entry.model:
            try:
                known = self._problem = problem_in_view(view, entry)
            except ProblemError as error:
                raise NodeError(str(error)) from None
        return known

    def _layout(self) -> ArmLayout | None:
        """Return the scene's layout from the node's folder of layouts, if there is one."""
        view = self.runtime.view
        if self.options.layouts is None or not view.scenes:
            return None
        scene = view.scenes[0]
        path = view.library.file(f"{self.options.layouts}/{scene.name}.yaml", scene)
        if not path.is_file():
            return None
        layout, problems = read_layout(path)
        if layout is None:
            raise NodeError(f"{path}: {problems[0].message}")
        return layout

    def _arms(self) -> list[str]:
        found = self.agents.evaluate(self.scope)
        arms = [str(agent) for agent in found] if isinstance(found, list | tuple) else []
        if not arms:
            raise NodeError(f"{self.entry.name}: 'agents' is empty")
        return arms

    # Getting a graph

    def _ask(self, why: str) -> Status:
        """Ask for a graph; `why`: why the previous one failed."""
        self._why = why
        if why:
            self.drop_kept()
        self._task(self._task_now)  # an invalid task is reported at once
        return self.ask()

    def question(self) -> Question:
        """Return the question for the task in the current state."""
        problem = self._task(self._task_now)
        start, _ = self._judged_from(self._task_now)  # what a graph is made for, it is judged from
        words = prompt_words(replace(problem, world=replace(problem.world, start=start)))
        executor = self._executor
        if executor is not None and self._why:
            words = {**words, "done": executor.done_words(), "holding": executor.describe_held()}
            words["wrong"] = self._why
        return draft_question(self.runtime, self.entry, self.scope, words)

    def find_data(self, text: str) -> Mapping[str, Any] | None:
        """Return the data of a plan in a fence or in prose."""
        return find_plan(text, START[self.entry.model.answers])

    def parse(self, data: Mapping[str, Any]) -> StagedGraph:
        """What is to be done. Raises Refused, with findings."""
        return self._judge(plan_text(data, START[self.entry.model.answers]))

    def accept(self, parsed: StagedGraph, by: str) -> Status:
        """Take the plan, if there is a way to do it."""
        return self._take(parsed, by, "")

    def offline(self, because: str) -> Status:
        """Use the offline graph, but only once: it would fail again."""
        task = self._task_now
        because = because or "no model is there to make one"
        problem = self._task(task)
        text = ""
        if not self._why:
            known = {"task": task, "reference": self._reference(problem)}
            text = offline_draft(self.runtime, self.entry, known, self.scope)
        if not text:
            if self._why:
                reason = f"the graph has failed: {self._why}. No other was made: {because}"
            elif problem.entry.name == AD_HOC and (
                cannot := describe_missing(self.runtime.view, task)
            ):
                reason = cannot
            elif problem.entry.name == AD_HOC:
                reason = f"{because}, and {describe_unknown_task(self.runtime.view, task)}"
            else:
                reason = f"{because}, and the file of '{problem.entry.name}' has no graph"
            return self._give_up(reason)
        try:
            draft = self._judge(text)
        except DraftRefused as error:
            return self._give_up(f"the graph of the task's file: {error}")
        return self._take(draft, OFFLINE, because)

    def _reference(self, problem: AllocationProblem) -> str:
        """Return the text of the graph in the task's file; '' if there is none."""
        if problem.model.graph is None:
            return ""
        try:
            return problem.view.library.file(problem.model.graph, problem.entry).read_text("utf-8")
        except OSError as error:
            raise NodeError(f"{problem.model.graph} cannot be read: {error.strerror}") from None

    def _judge(self, text: str) -> StagedGraph:
        """What a plan says is to be done. Raises Refused."""
        task = self._task_now
        start, held = self._judged_from(task)
        model = self.entry.model
        if model.answers == "stages":
            return judge_stages(text, self._task(task), start, self._holds(), model.at_once)
        judge(text, self._task(task), start, held)
        return StagedGraph(text, {}, {})

    def _holds(self) -> list[Held]:
        """Return the open holds of the previous plan, which new stages continue."""
        return [] if self._executor is None or not self._why else [*self._executor.holds().values()]

    def _judged_from(self, task: str) -> tuple[State, Mapping[str, str]]:
        """Return the state that a graph is checked from: the start with unexpected changes.

        Stages are checked from the current state, because they continue the previous plan.
        """
        now = facts_now(self.runtime)
        if self._executor is None or not self._why or self.entry.model.answers == "stages":
            return now, {}
        executor = self._executor
        changes = executor.graph.unexpected_facts(executor.done(), executor.start, now)
        return apply_changes(executor.start, changes), executor.held_objects()

    def _take(self, draft: StagedGraph, by: str, because: str) -> Status:
        """Accept a graph if it can be scheduled."""
        try:
            graph = self._arm_graph(self._task_now, draft.text, draft.arms)
        except (ScheduleError, PairError) as error:
            return self._give_up(str(error))
        return self._begin(draft, graph, by, because)

    def _begin(self, draft: StagedGraph, graph: ArmGraph, by: str, because: str) -> Status:
        """Add subtasks for a graph's nodes, except those that are done already."""
        task = self._task_now
        start, _ = self._judged_from(task)
        before = self._executor
        if before is None or not self._why:
            taken = {}
        elif self.entry.model.answers == "stages":
            taken = dict(zip(draft.before, before.holds(), strict=True))
        else:
            taken = match_finished(graph, before.describe_finished().items())
        executor = PlanExecutor(self.runtime, self.path, graph, start, self.options.tries)
        left = [] if before is None or not self._why else before.unfinished()
        executor.plan(task, draft.text, by, because or self._why, taken, left)
        self._executor = executor
        self._why = ""
        return Status.RUNNING

    def _arm_graph(self, task: str, text: str, arms: Mapping[str, tuple[str, ...]]) -> ArmGraph:
        graph, problems = read_graph(text)
        if graph is None:
            raise NodeError(f"the graph cannot be read: {problems[0].message}")
        return ArmGraph(self._task(task), graph, self._arms(), self._layout(), arms)

    def _wait_for_arms(self, reason: str) -> None:
        """Wait for arms that are out, but not for ever. Raises PlanInfeasible."""
        if not reason:
            self._patience.cancel()
        elif self._patience.due is None:
            self._patience.set(self.runtime.clock.now() + self.options.waits)
        elif self._patience.is_due:
            self._patience.cancel()
            raise PlanInfeasible(f"{reason} (waited {self.options.waits:g} s)")

    def _give_up(self, reason: str) -> Status:
        self.runtime.world.emit(PlanFailed(self.path, self._task_now, reason), self.path)
        return self._fail(reason)

    def _fail(self, reason: str) -> Status:
        """Fail with a reason's first sentence: the event has told all of it."""
        return self.fail(reason.partition(". ")[0])

    # Doing it

    def _go_on(self, task: str, plan: PlanState) -> Status:
        executor = self._executor
        if executor is None or executor.text != plan.text:  # a resumed run
            problem = self._task(task)
            graph = self._arm_graph(task, plan.text, plan.arms)
            executor = self._executor = PlanExecutor(
                self.runtime, self.path, graph, problem.world.start, self.options.tries
            )
            executor.text = plan.text
        version = self.runtime.world.version
        if version == self._seen and not self._patience.is_due:
            return Status.RUNNING
        self._seen = version
        try:
            finished = executor.go_on()
            self._wait_for_arms(executor.waits_for)
        except GoalUnknown as error:
            return self._give_up(str(error))
        except PlanInfeasible as error:
            if plan.number > self.options.again:
                return self._give_up(str(error))
            return self._ask(str(error))
        return Status.SUCCESS if finished else Status.RUNNING


def find_plan_file(at: NodePlace, name: str, forms: Collection[str]) -> Entry[Any]:
    """A plan file that asks for one of these. Raises CompileError."""
    entry = at.find("plan", name)
    if entry.model.answers not in forms:
        raise CompileError(f"{at.path}: {wrong_form(entry, forms)}", at.place.span)
    return entry


def _bare(name: str) -> str:
    """A thing without its article."""
    return re.sub(r"^(an?|the|any|some)\s+", "", name, flags=re.IGNORECASE)
