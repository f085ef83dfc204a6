"""A task graph in execution: its nodes as actions in the world, and which effects still hold."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType

from treec_dag_plan.arms.abilities import team_of
from treec_dag_plan.arms.commands import CommandMeaning, interpret
from treec_dag_plan.arms.dispatch import Dispatcher
from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.pairs import Pair, pairs_of
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.schedule.geometry import geometry_of
from treec_dag_plan.arms.schedule.problem import ScheduleError, problem_of
from treec_dag_plan.arms.schedule.team import ArmTeam
from treec_dag_plan.arms.world import GroundAction
from treec_dag_plan.arms.world_logic import FactValue, Key, State


class ArmGraph:
    """A task's graph for some of its agents. Raises ScheduleError."""

    def __init__(
        self,
        problem: AllocationProblem,
        graph: TaskGraph,
        arms: Sequence[str],
        layout: ArmLayout | None = None,
        fixed: Mapping[str, Sequence[str]] = MappingProxyType({}),
    ) -> None:
        """`fixed`: node → the arms that must do it."""
        self.problem = problem
        self.world = problem.world
        self.graph = graph
        self.arms = tuple(arms)
        self.nodes: Mapping[str, GraphNode] = {node.id: node for node in graph.work()}
        self.meanings: dict[str, CommandMeaning] = {}
        for node in self.nodes.values():
            found = interpret(self.world, node.command, node.objects, node.arms)
            if not isinstance(found, CommandMeaning):
                raise ScheduleError(node.id, found.message)
            self.meanings[node.id] = found
        self.fixed = {node: tuple(who) for node, who in fixed.items()}
        unlike = not self.world.alike
        team = team_of(graph, self.world, self.meanings, self.arms) if unlike else None
        numbers = problem_of(graph, self.arms, _fix(team, self.arms, self.fixed))
        geometry = None
        if layout is not None:
            geometry = geometry_of(numbers, layout.with_things_at(problem.moved_things))
        self.dispatcher = Dispatcher(numbers, self.takes, geometry)

    @cached_property
    def pairs(self) -> tuple[Pair, ...]:
        """The graph's holds."""
        return pairs_of(self.graph)

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The nodes in topological order."""
        numbers = self.dispatcher.problem
        return tuple(numbers.ids[v] for v in numbers.order)

    def action(self, node: str, arms: Sequence[str]) -> GroundAction:
        """A node done by these arms."""
        return self.meanings[node].action(self.world, arms)

    def takes(self, node: str, arms: Sequence[str]) -> float:
        """Return a node's duration in seconds: that of the slowest arm."""
        return self.meanings[node].takes(self.world, arms)

    def in_roles(self, node: str, arms: Sequence[str]) -> tuple[str, ...]:
        """Return the arms in the order of the parts that they play, the leading one first."""
        return self.world.in_roles(self.meanings[node].skill_of(self.world, arms), arms)

    def refusal(self, node: str, arms: Sequence[str], state: State) -> str | None:
        """Why these arms cannot begin a node in this state; None if they can."""
        if len(arms) != len(self.meanings[node].skill.arms):
            return f"it takes {len(self.meanings[node].skill.arms)} arms"
        return self.world.refusal(self.action(node, arms), state)

    def steps(self, node: str, arms: Sequence[str] = ()) -> str:
        """Return a node as a step for the leading arm, with the skill that these arms have for it.

        Helping arms are `helper`, `helper_2`, and so on; objects have the names of `things`.
        """
        found = self.meanings[node]
        skill = found.skill_of(self.world, arms)
        others = [f"helper_{n}" if n > 1 else "helper" for n in range(1, len(skill.arms))]
        given = dict(zip(skill.arms[1:], others, strict=True))
        given.update(zip(skill.objects, found.skill.objects, strict=True))
        return f"{skill.name}({', '.join(given[a] for a in skill.types if a != skill.arms[0])})"

    def things(self, node: str) -> dict[str, object]:
        """Return the objects of a node, by their names in its step."""
        found = self.meanings[node]
        return dict(zip(found.skill.objects, found.objects, strict=True))

    def expected(
        self, done: Mapping[str, tuple[str, ...]], start: State
    ) -> tuple[dict[Key, FactValue], dict[Key, str]]:
        """Return the state expected after these nodes, and fact → the node that set it last."""
        state = dict(start)
        by: dict[Key, str] = {}
        for node in self._in_turn(done):
            action = self.action(node, done[node])
            by.update(dict.fromkeys(action.changes(state), node))
            state = action.apply(state)
        return state, by

    def _in_turn(self, done: Container[str]) -> Iterator[str]:
        """Yield finished nodes in topological order, those of open holds last."""
        held = {node for pair in self.pairs if pair.release not in done for node in pair.members}
        left = [node for node in self.order if node in done]
        while left:
            can = [node for node in left if not any(o in left for o in self.nodes[node].after)]
            node = next((one for one in can if one not in held), can[0])
            left.remove(node)
            yield node

    def undone(
        self,
        done: Mapping[str, tuple[str, ...]],
        start: State,
        now: State,
        running: Mapping[str, tuple[str, ...]],
    ) -> list[str]:
        """Return finished nodes whose effect was undone, with the finished nodes of their holds.

        Facts that running nodes are changing are not compared.
        """
        expected, by = self.expected(done, start)
        moving = {  # before it has happened, or just after
            key
            for node, arms in running.items()
            for state in (expected, now)
            for key in self.action(node, arms).changes(state)
        }
        found = {
            node
            for key, node in by.items()
            if expected.get(key) != now.get(key) and key not in moving
        }
        for pair in self.pairs:
            if found & {*pair.members}:
                found.update(node for node in pair.members if node in done)
        return [node for node in self.order if node in found]

    def unexpected_facts(
        self, done: Mapping[str, tuple[str, ...]], start: State, now: State
    ) -> dict[Key, FactValue]:
        """Return the facts that differ from the expected state, with their current values."""
        expected, _ = self.expected(done, start)
        keys = {*expected, *now}
        return {key: now.get(key) for key in sorted(keys) if expected.get(key) != now.get(key)}


def _fix(
    team: ArmTeam | None, arms: tuple[str, ...], fixed: Mapping[str, tuple[str, ...]]
) -> ArmTeam | None:
    """Return the team, with only the fixed arms for the fixed nodes."""
    if not fixed:
        return team
    only = {node: {"": None, **dict.fromkeys(who, 1.0)} for node, who in fixed.items()}
    return ArmTeam(arms, {}, {**({} if team is None else team.times), **only})


def apply_changes(start: State, changes: Mapping[Key, FactValue]) -> dict[Key, FactValue]:
    """Return a state with some facts changed; None and False remove a fact."""
    state = {**start, **changes}
    return {key: value for key, value in state.items() if value is not None and value is not False}


def match_finished(graph: ArmGraph, done: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Match nodes of a new graph with finished (subtask, words): node → subtask.

    Each subtask is matched once, to a node whose predecessors are matched, too.
    """
    left: dict[str, list[str]] = {}
    for subtask, words in done:
        left.setdefault(words, []).append(subtask)
    found: dict[str, str] = {}
    for id in graph.order:
        node = graph.nodes[id]
        before = [other for other in node.after if other in graph.nodes]
        if left.get(node.name) and all(other in found for other in before):
            found[id] = left[node.name].pop(0)
    return found
