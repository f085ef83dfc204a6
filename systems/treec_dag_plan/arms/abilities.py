"""Which arms can do which nodes of a graph, and how long they take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treec_dag_plan.arms import finding_kinds as kinds
from treec_dag_plan.arms.check_orders import Orders
from treec_dag_plan.arms.commands import CommandMeaning
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.schedule.deadlock import explain_infeasible
from treec_dag_plan.arms.schedule.problem import problem_of
from treec_dag_plan.arms.schedule.team import ArmTeam
from treec_dag_plan.arms.world import ArmWorld
from treec_kitchen.graph_findings import GraphFinding


def team_of(
    graph: TaskGraph,
    world: ArmWorld,
    meanings: Mapping[str, CommandMeaning],
    arms: Sequence[str] | None = None,
) -> ArmTeam:
    """Return the arms with their abilities and durations for each node.

    An arm can do a node if its type, its skills and the conditions on it allow it in a state in
    which the node's turn comes.
    """
    orders = Orders(graph, world, meanings)
    arms = world.arms if arms is None else tuple(arms)
    times: dict[str, dict[str, float | None]] = {}
    for number, node in enumerate(orders.nodes):
        meaning = meanings[node.id]
        able = arms if orders.can is None else orders.alone[number]
        times[node.id] = {
            arm: meaning.takes(world, (arm,)) if arm in able else None for arm in arms
        }
    return ArmTeam(tuple(arms), {}, times)


def find_misfits(
    graph: TaskGraph, world: ArmWorld, meanings: Mapping[str, CommandMeaning]
) -> Iterator[GraphFinding]:
    """Yield the nodes and holds that no arm can do, else why these arms cannot do the graph."""
    orders = Orders(graph, world, meanings)
    if orders.can is None:
        return
    wrong = False
    for number, node in enumerate(orders.nodes):
        if not orders.alone[number]:
            wrong = True
            reasons = tuple(_reasons(orders, number))
            yield kinds.NO_ARM.at(node.id, name=node.name, reasons=reasons)
    for pair in orders.pairs:
        number = next(n for n, node in enumerate(orders.nodes) if node.id == pair.occupy)
        if orders.alone[number] and len(orders.can[number]) < pair.arms:
            wrong = True
            yield kinds.NO_ARM_FOR_HOLD.at(
                pair.occupy, pair.release, thing=pair.thing, release=pair.release
            )
    if wrong:
        return
    stuck = explain_infeasible(problem_of(graph, world.arms, team_of(graph, world, meanings)))
    if stuck is not None:
        node_id, why = stuck.reasons[0]
        yield kinds.STUCK_ARMS.at(node_id, why=why)


def _reasons(orders: Orders, number: int) -> Iterator[str]:
    """Why each arm cannot do a node."""
    world, meaning = orders.world, orders.meant[number]
    if len(meaning.skill.arms) > 1:
        yield "no arms that suit together"
        return
    for arm in world.arms:
        lack = meaning.lack(world, (arm,))
        yield lack if lack is not None else f"{arm}: {orders.misfits[number, arm]}"
