"""Everything that is wrong with a task graph, at its lines.

Without a task, the graph by itself: its form, its end, its holds. With a task, also whether its
commands and objects are there, whether every order that its edges allow can be done, and whether
all of them reach the goal (E.1, criterion 5).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from treec.graph import descendants, weak_components
from treec.source.diagnostics import Diagnostic
from treec.systems.dag_plan.arms import check_rules as rules
from treec.systems.dag_plan.arms.check_arms import stuck
from treec.systems.dag_plan.arms.check_goal import judge_orders
from treec.systems.dag_plan.arms.check_orders import Told
from treec.systems.dag_plan.arms.commands import CommandMeaning, Misread, meant
from treec.systems.dag_plan.arms.model import GraphNode, TaskGraph
from treec.systems.dag_plan.arms.pairs import find_pairs
from treec.systems.dag_plan.arms.plan import ARMS
from treec.systems.dag_plan.arms.read import GraphReading
from treec.systems.dag_plan.arms.world import ArmWorld

_RULES = {
    "command": rules.COMMAND,
    "objects": rules.COMMAND,
    "thing": rules.THING,
    "type": rules.THING,
    "never": rules.THING,
    "arms": rules.ARMS,
}


@dataclass(frozen=True)
class GraphCheck:
    """The findings, and whether some orders were left unsearched."""

    problems: tuple[Diagnostic, ...]
    cut: bool = False
    """The search for a bad order was ended before it had seen all."""

    @property
    def good(self) -> bool:
        """Whether there is no error."""
        return not any(problem.severity == "error" for problem in self.problems)


def check_graph(
    reading: GraphReading, world: ArmWorld | None = None, told: Told | None = None
) -> GraphCheck:
    """Judge a graph that was read, for a task when its world is given.

    `told` hears how far the search for a bad order is, where that takes long.
    """
    problems = list(reading.problems)
    graph = reading.graph
    if graph is None:
        return GraphCheck(tuple(sorted(problems)))
    shaped = reading.sound
    problems += _ends(reading, graph)
    meanings: dict[str, CommandMeaning] = {}
    if world is not None:
        problems += _commands(reading, graph, world, meanings)
    if not shaped:
        return GraphCheck(tuple(sorted(problems)))
    edges: set[tuple[str, str]] = set()
    wrong = {
        node.id
        for node in graph.work()
        if node.id in meanings and meanings[node.id].skill.type != node.type
    }
    problems += _holds(reading, graph, world, wrong, edges)
    cut = False
    codes = {problem.code for problem in problems if problem.severity == "error"}
    if world is not None and not codes - {rules.LOOSE.code, rules.COMPLETE.code}:
        judged = judge_orders(reading, graph, world, meanings, told)
        problems += judged.problems
        edges |= judged.edges
        cut = judged.cut
    return GraphCheck(tuple(sorted(_without_followers(reading, problems, edges))), cut)


def _without_followers(
    reading: GraphReading, problems: Sequence[Diagnostic], edges: Collection[tuple[str, str]]
) -> Iterator[Diagnostic]:
    """The findings, without those of loose nodes that the edge of another finding is about."""
    right = {reading.span(first, "") for first, _ in edges}
    for problem in problems:
        if problem.code != rules.LOOSE.code or problem.span not in right:
            yield problem


def _ends(reading: GraphReading, graph: TaskGraph) -> Iterator[Diagnostic]:
    """The node of type complete, and whether it waits for all the others."""
    ends = [node for node in graph.nodes if node.type == "complete"]
    if not ends and not reading.whole:
        return  # what could not be read may be it
    if not ends:
        yield rules.COMPLETE.at(
            reading.span(graph.nodes[-1].id, ""),
            "there is no node of type complete",
            "add one after this, with arm_num: 0 and the last sub-tasks as its edges",
        )
        return
    for node in ends[1:]:
        message = f"{node.id} is a second node of type complete"
        help = f"{ends[0].id} is one already: give that all the edges"
        yield rules.COMPLETE.at(reading.span(node.id, "type"), message, help)
    end = ends[0]
    for node in graph.nodes:
        if end.id in node.after and node.type != "complete":
            yield rules.COMPLETE.at(
                reading.edges[(node.id, end.id)],
                f"{node.id} waits for {end.id}, with which the task is complete",
                "remove this edge",
            )
    if not reading.whole:
        return  # what nothing seems to wait for may be waited for by what could not be read
    needed = descendants(graph.after, end.id)
    together = next(part for part in weak_components(graph.after) if end.id in part)
    for node in graph.work():
        if node.id in needed:
            continue
        if graph.next[node.id]:
            continue  # it is told of the last that waits for it
        if node.id not in together:
            message = f"{node.id} is not connected with the rest of the graph"
        else:
            message = f"nothing waits for {node.id}"
        help = f"write {node.id} among the edges of {end.id}, or of what needs it, or remove it"
        yield rules.LOOSE.at(reading.span(node.id, ""), message, help)


def _commands(
    reading: GraphReading, graph: TaskGraph, world: ArmWorld, meanings: dict[str, CommandMeaning]
) -> Iterator[Diagnostic]:
    """Nodes whose names mean nothing in the world; the others' meanings are filled in."""
    for node in graph.work():
        if not node.command or not all(node.objects) or not node.objects:
            continue  # the reader has said so
        found = meant(world, node.command, node.objects, node.arms)
        if isinstance(found, Misread):
            yield _misread(reading, node, found)
            continue
        meanings[node.id] = found
        if found.skill.type != node.type:
            yield rules.TYPE.at(
                reading.span(node.id, "type"),
                f"{node.id} is of type {node.type}, and {node.command} is of type "
                f"{found.skill.type}",
                f"write type: {found.skill.type}",
            )


def _misread(reading: GraphReading, node: GraphNode, found: Misread) -> Diagnostic:
    span = reading.span(node.id, "name")
    places = reading.objects.get(node.id, ())
    if found.place is not None and found.place < len(places):
        span = places[found.place]
    elif found.problem == "arms":
        span = reading.span(node.id, "arm_num")
    return _RULES[found.problem].at(span, found.message, found.help)


def _holds(
    reading: GraphReading,
    graph: TaskGraph,
    world: ArmWorld | None,
    wrong: Collection[str],
    edges: set[tuple[str, str]],
) -> Iterator[Diagnostic]:
    """What is held for ever, used or put down without being held, or too much at once.

    Nothing is said of nodes of a `wrong` type and of the things that they are about. The edges that
    are asked for are added to `edges`, and each is asked for once.
    """
    pairs, faults = find_pairs(graph)
    things = {thing for id in wrong for thing in graph.by_id[id].objects[:1]}
    for fault in faults:
        if fault.node in wrong or things.intersection(graph.by_id[fault.node].objects):
            continue
        if fault.edge is not None:
            if fault.edge in edges:
                continue
            edges.add(fault.edge)
        span = reading.span(fault.node, "name")
        yield rules.HOLD.at(span, fault.message, fault.help)
    if faults:
        return
    arms = len(world.arms) if world is not None else len(ARMS)
    most = max((node.arms for node in graph.work()), default=0)
    if most > arms:
        for node in graph.work():
            if node.arms > arms:
                message = f"{node.id} needs {node.arms} arms, and there are {arms}"
                yield rules.ARMS.at(reading.span(node.id, "arm_num"), message)
        return
    deadlock = stuck(graph, pairs, arms)
    if deadlock is not None:
        held = ", ".join(deadlock.held)
        yield rules.TOO_MANY.at(
            reading.span(deadlock.node, ""),
            f"no order can be done with {arms} arms: {deadlock.node} needs "
            f"{'an arm' if deadlock.needs == 1 else f'{deadlock.needs} arms'} more while they "
            f"hold {held or 'nothing'}",
            "let something be put down before: take away an edge that makes it wait",
        )
