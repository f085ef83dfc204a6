"""The node `plan` in a decision test: it asks as in a recorded moment, but executes nothing.

A graph that replaces a failed one is checked from the state in which that one began. The world does
not hold this state: it is reconstructed from the run, or given in the case.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from typing import Any

from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.view import View
from treec.nodes.runtime import NodeError, Runtime
from treec.source.scope import Scope
from treec.team.events import SubtaskAdded
from treec.world.events import Commit, Event, flat
from treec.world.journal import Record
from treec_asking.asking import AskingNode, History, NodeContext, RecordedDecision
from treec_dag_plan.arms.arm_graph import ArmGraph, apply_changes
from treec_dag_plan.arms.pairs import PairError
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.arms.schedule.problem import ScheduleError
from treec_dag_plan.arms.stages import StagedGraph
from treec_dag_plan.arms.world_logic import FactValue, Key, State
from treec_dag_plan.decisions.standalone_plan import GIVEN, StandalonePlan, graph_lines
from treec_dag_plan.events import PlanFailed, Planned
from treec_dag_plan.files import DrawnUpPlan
from treec_dag_plan.nodes.plan import Plan
from treec_dag_plan.nodes.plan_executor import PlanExecutor, facts_now

BEGAN = "began"
"""Key of a case: the facts that differed when the replaced plan was made; no value: false."""

NOBODY = "nobody"

Fact = Mapping[str, object]


class PlanCase(Plan):
    """Has a plan made where ``node`` of a tree stands. ``written`` is what it says, line by line.

    SUCCESS: there is a plan. FAILURE: there is none. RUNNING: it is asked for.
    """

    GIVEN = GIVEN
    FROM_RUN = (BEGAN,)
    OUTCOMES = ("plan", "stages")
    UNORDERED = ("plan",)
    IN_TREE = True

    def __init__(
        self,
        node: Plan,
        entry: Entry[DrawnUpPlan],
        runtime: Runtime,
        scope: Scope,
        args: Mapping[str, object],
        began: Sequence[Fact] = (),
    ) -> None:
        super().__init__(node.path, runtime, scope, entry, args, node.agents, node.options)
        self.written: Sequence[str] = ()
        self._began: Sequence[Fact] | None = began

    @property
    def form(self) -> str:
        """The decision's name: ``plan`` for a graph, or ``stages``."""
        return "plan" if self.entry.model.answers == "graph" else "stages"

    def work(self) -> Status:
        """Restore the previous plan and ask."""
        try:
            self._take_up()
        except (ScheduleError, PairError) as error:
            return self.fail(f"the plan that there was cannot be done any more: {error}")
        return super().work()

    def start(self, task: str) -> State:
        """Return the state in which a new plan begins. Raises NodeError, ScheduleError."""
        self._take_up()
        plan = self._plan()
        if plan is not None and plan.task == task and self._executor is not None:
            self._why = "it has failed"
        return self._judged_from(task)[0]

    def start_of_plan(self) -> State:
        """Return the initial state of the plan of a resumed run."""
        plan = self._plan()
        assert plan is not None
        return self._task(plan.task).world.start

    def _take_up(self) -> None:
        """Restore the current plan, which may have failed."""
        began, self._began = self._began, None
        plan = self._plan()
        if began is None or plan is None or plan.status != "running":
            return
        graph = self._arm_graph(plan.task, plan.text, plan.arms)
        start = apply_changes(facts_now(self.runtime), dict(map(_change, began)))
        self._executor = PlanExecutor(self.runtime, self.path, graph, start, self.options.tries)
        self._executor.text = plan.text

    def _begin(self, draft: StagedGraph, graph: ArmGraph, by: str, because: str) -> Status:
        """Record the plan instead of executing it."""
        self.written = plan_lines(draft.text, draft.arms, draft.before)
        self.by = by
        return Status.SUCCESS

    def decision(self, records: Sequence[Record]) -> tuple[dict[str, Any] | None, str]:
        """What is written."""
        return ({self.form: list(self.written)} if self.written else None), self.by

    # Cases and recorded runs

    @classmethod
    def for_case(cls, entry: Entry[DrawnUpPlan], around: NodeContext) -> AskingNode[Any]:
        """Build the leaf in its tree's world, else without a world."""
        runtime, scope, given = around.runtime, around.scope, dict(around.given)
        began: Any = given.pop(BEGAN, None) or ()
        if around.node is not None:
            return cls(around.node, entry, runtime, scope, {**around.args, **given}, began)
        return StandalonePlan(entry.name, runtime, scope, entry, given)

    @classmethod
    def decision_in(cls, record: Record) -> RecordedDecision | None:
        """Return the plan of a record, or why there is none."""
        done = record.event
        if isinstance(done, PlanFailed):
            return RecordedDecision(done.node, NOBODY, {"failed": done.reason})
        planned = _planned_event(done)
        if planned is None:  # of something else, or some of it is done again
            return None
        new = {event.id for event in flat(done) if isinstance(event, SubtaskAdded)}
        before = {node for node, subtask in planned.nodes.items() if subtask not in new}
        lines = list(plan_lines(planned.text, planned.arms, before))
        return RecordedDecision(
            planned.node, planned.by, {"stages" if planned.arms else "plan": lines}
        )

    @classmethod
    def given_at(cls, node: Plan, history: History) -> Mapping[str, object]:
        """Return the facts that differed when the node's current plan was made."""
        start: State | None = None
        for number, record in enumerate(history.before):
            plan = _planned_event(record.event)
            if plan is not None and plan.node != history.path:
                plan = None
            resumed = isinstance(record.event, Commit) and record.event.purpose == "resume"
            if plan is None and not (resumed and start is not None):
                continue
            then = history.node_at(history.before[:number], record.t)
            facts = facts_now(then.runtime)
            began = [] if start is None else list(changed_facts(start, facts))
            again = cls(then, then.entry, then.runtime, then.scope, then.args, began)
            try:
                start = again.start(plan.task) if plan else again.start_of_plan()
            except (ScheduleError, PairError) as error:
                raise NodeError(str(error)) from error
        now = facts_now(node.runtime)
        return {BEGAN: [] if start is None else list(changed_facts(start, now))}

    @classmethod
    def world_of(cls, entry: Entry[DrawnUpPlan], views: Sequence[View]) -> View | None:
        """Return the first view with tasks."""
        return next((view for view in views if view.all("problem")), None)


def plan_lines(
    text: str, arms: Mapping[str, Sequence[str]], before: Container[str]
) -> Sequence[str]:
    """Render a graph as lines: its sub-tasks, or its stages if ``arms`` are fixed.

    ``before`` are nodes of what was done already.
    """
    graph, problems = read_graph(text)
    if graph is None:
        return [f"no graph: {problems[0].message}"]
    if not arms:
        return graph_lines(graph)
    stages: dict[tuple[str, ...], list[tuple[Sequence[str], str]]] = {}
    for node in graph.work():
        if node.id not in before:
            who = tuple(arms[node.id])
            told = f"{node.name} ({' and '.join(who)})"
            stages.setdefault(tuple(node.after), []).append((who, told))
    return [" and ".join(told for _, told in sorted(stage)) for stage in stages.values()]


def changed_facts(start: State, now: State) -> Iterator[Fact]:
    """Yield the facts that differed at a plan's start, in the format of cases."""
    for key in sorted({*start, *now}, key=lambda key: tuple(map(str, key))):
        if start.get(key) != now.get(key):
            told: dict[str, object] = {"fact": key[0], "args": list(key[1:])}
            yield {**told, "value": start[key]} if key in start else told


def _change(fact: Fact) -> tuple[Key, FactValue]:
    args = fact.get("args", ())
    assert isinstance(args, list | tuple)
    return (str(fact["fact"]), *map(str, args)), fact.get("value")  # type: ignore[return-value]


def _planned_event(event: Event) -> Planned | None:
    """Return the plan in an event, if any."""
    return next((one for one in flat(event) if isinstance(one, Planned)), None)
