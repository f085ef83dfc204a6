"""A plan's node in the world of a recorded moment: it asks as it did then, and does nothing.

A graph that takes the place of one that has failed is judged from where that one began, which no
world tells: it is found by going through the run, or stands in the case.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.compile.build import Compiler
from treec.files.entry import Entry
from treec.files.prompts import PlanFile
from treec.files.view import View
from treec.nodes.runtime import Runtime
from treec.source.scope import Scope
from treec.systems.dag_plan.arms.going import Going, with_changes
from treec.systems.dag_plan.arms.pairs import PairError
from treec.systems.dag_plan.arms.read import read_graph
from treec.systems.dag_plan.arms.schedule.problem import CannotSchedule
from treec.systems.dag_plan.arms.stages import Staged
from treec.systems.dag_plan.arms.world_logic import FactValue, Key, State
from treec.systems.dag_plan.decisions.plan_paper import graph_lines
from treec.systems.dag_plan.nodes.plan import Plan
from treec.systems.dag_plan.nodes.plan_share import Share, facts_now

BEGAN = "began"
"""Beside its arguments, what a plan is given in a case: what was otherwise when the plan that it
takes the place of was made, as facts; without a value: it was not so.
"""

Fact = Mapping[str, object]


class PlanAgain(Plan):
    """Has a plan made where ``node`` of a tree stands. ``written`` is what it says, line by line.

    SUCCESS: there is a plan. FAILURE: there is none. RUNNING: it is asked for.
    """

    def __init__(
        self,
        node: Plan,
        entry: Entry[PlanFile],
        runtime: Runtime,
        scope: Scope,
        args: Mapping[str, object],
        began: Sequence[Fact] = (),
    ) -> None:
        super().__init__(node.path, runtime, scope, entry, args, node.agents, node.options)
        self.written: Sequence[str] = ()
        self.by = ""
        self._began: Sequence[Fact] | None = began

    @property
    def form(self) -> str:
        """What the decision is called: ``plan`` for a graph, or ``stages``."""
        return "plan" if self.entry.model.form == "graph" else "stages"

    def work(self) -> Status:
        """Ask as it did then, after what there was."""
        try:
            self._take_up()
        except (CannotSchedule, PairError) as error:
            return self.fail(f"the plan that there was cannot be done any more: {error}")
        return super().work()

    def start(self, task: str) -> State:
        """What is so when a plan that is made now begins. Raises NodeError, CannotSchedule."""
        self._take_up()
        plan = self._plan()
        if plan is not None and plan.task == task and self._share is not None:
            self._why = "it has failed"
        return self._judged_from(task)[0]

    def start_of_plan(self) -> State:
        """What its plan begins with in a run that was broken off and taken up again."""
        plan = self._plan()
        assert plan is not None
        return self._task(plan.task).world.start

    def _take_up(self) -> None:
        """Go on with the plan that there is, which may have failed."""
        began, self._began = self._began, None
        plan = self._plan()
        if began is None or plan is None or plan.status != "running":
            return
        going = self._going(plan.task, plan.text, plan.arms)
        start = with_changes(facts_now(self.runtime), dict(map(_change, began)))
        self._share = Share(self.runtime, self.path, going, start, self.options.tries)
        self._share.text = plan.text

    def _begin(self, task: str, made: Staged, going: Going, by: str, because: str) -> Status:
        """Write down what would be done."""
        self.written = plan_lines(made.text, made.arms, made.before)
        self.by = by
        return Status.SUCCESS


def plan_in_tree(view: View, runtime: Runtime, name: str) -> Plan | None:
    """The first node of a system's tree that has plans made by a file of this name."""
    assert view.system is not None
    root = view.find("tree", view.system.model.root)
    tree: Behaviour | None = None if root is None else Compiler(view, runtime).root(root)
    every = () if tree is None else tree.iterate()
    return next((n for n in every if isinstance(n, Plan) and n.entry.name == name), None)


def plan_lines(
    text: str, arms: Mapping[str, Sequence[str]], before: Container[str]
) -> Sequence[str]:
    """What a graph says is to be done: its sub-tasks, or where ``arms`` must do them, its stages.

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


def otherwise(start: State, now: State) -> Iterator[Fact]:
    """What was otherwise at a plan's start than it is now, as facts of a case."""
    for key in sorted({*start, *now}, key=lambda key: tuple(map(str, key))):
        if start.get(key) != now.get(key):
            told: dict[str, object] = {"fact": key[0], "args": list(key[1:])}
            yield {**told, "value": start[key]} if key in start else told


def _change(fact: Fact) -> tuple[Key, FactValue]:
    args = fact.get("args", ())
    assert isinstance(args, list | tuple)
    return (str(fact["fact"]), *map(str, args)), fact.get("value")  # type: ignore[return-value]
