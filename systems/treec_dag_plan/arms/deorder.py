"""Turn a sequence of actions into a task graph that allows every order that is safe.

A node waits for those that set what it reads, for those that read what it changes, and for those
that set the same fact to something else. Arms are left out: which arm does what is decided later.
Edges without which every order still reaches the goal are then removed, as far as a search over
all orders can show it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from treec.source.text import SourceFile
from treec_dag_plan.arms.check import GraphCheck, check_graph
from treec_dag_plan.arms.check_orders import Orders
from treec_dag_plan.arms.commands import interpret_all
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.read import read_parts
from treec_dag_plan.arms.stages import graph_text
from treec_dag_plan.arms.world import ArmWorld, GroundAction
from treec_dag_plan.arms.world_logic import FactValue, Key

STEPS = 300_000
"""Maximum number of simulated sub-tasks for the removal of edges."""
TRIAL = 15_000
"""The same for one edge."""


class _TracedState(dict[Key, FactValue]):
    """A state that records which facts are read."""

    def __init__(self, facts: Mapping[Key, FactValue]) -> None:
        super().__init__(facts)
        self.read: set[Key] = set()

    def get(self, key: Key, default: FactValue = None) -> FactValue:  # type: ignore[override]
        self.read.add(key)
        return super().get(key, default)

    def __getitem__(self, key: Key) -> FactValue:
        self.read.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.read.add(key)  # type: ignore[arg-type]
        return super().__contains__(key)


def deorder(world: ArmWorld, actions: Sequence[GroundAction]) -> GraphCheck:
    """Return the graph of a sequence that reaches the goal, checked in its world."""
    before = _dependencies(world, actions)
    checked = _check(world, actions, before)
    if not checked.good:  # a fact about an arm matters: keep the order
        before = [(1 << node) - 1 for node in range(len(actions))]
        checked = _check(world, actions, before)
    if checked.graph is None or not checked.good or checked.cut:
        return checked
    fewer = _check(world, actions, _relax(world, actions, checked.graph, before))
    return fewer if fewer.good and not fewer.cut else checked


def _dependencies(world: ArmWorld, actions: Sequence[GroundAction]) -> list[int]:
    """Node → the earlier nodes that it must wait for, as bits, with what these wait for."""
    state = dict(world.start)
    before = [0] * len(actions)
    setter: dict[Key, int] = {}  # who gave a fact its value
    writers: dict[Key, dict[int, FactValue]] = {}
    readers: dict[Key, set[int]] = {}
    holders: dict[str, list[int]] = {}  # thing → the nodes of its open hold
    for node, action in enumerate(actions):
        traced = _TracedState(state)
        action.allowed(traced)
        changes = {key: value or None for key, value in action.changes(traced).items()}
        after: set[int] = set()
        for key in _shared(world, traced.read):
            after |= {setter[key]} if key in setter else set()
            readers.setdefault(key, set()).add(node)
        for key in _shared(world, changes):
            after |= readers.get(key, set())
            known = writers.setdefault(key, {})
            after |= {other for other, value in known.items() if value != changes[key]}
            known[node] = changes[key]
            if state.get(key) != changes[key]:
                setter[key] = node
        for thing in _held_things(action):
            after |= {*holders.get(thing, ())}
            holders.setdefault(thing, []).append(node)
            if action.skill.type == "release":
                del holders[thing]
        for other in after - {node}:
            before[node] |= 1 << other | before[other]
        action.change(state)
    return before


def _shared(world: ArmWorld, keys: set[Key] | Mapping[Key, FactValue]) -> Iterator[Key]:
    """The facts that are not about an arm."""
    return (key for key in keys if not any(arg in world.arms for arg in key[1:]))


def _held_things(action: GroundAction) -> tuple[str, ...]:
    """What an action takes, uses or releases."""
    skill = action.skill
    if skill.type == "operate" or not skill.objects:
        return ()
    return (action.names[skill.tool or skill.objects[0]],)


def _check(world: ArmWorld, actions: Sequence[GroundAction], before: Sequence[int]) -> GraphCheck:
    return check_graph(read_parts(SourceFile("plan.yaml", _text(actions, before))), world)


def _text(actions: Sequence[GroundAction], before: Sequence[int]) -> str:
    nodes: list[GraphNode] = []
    last = (1 << len(actions)) - 1
    for number, action in enumerate(actions):
        last &= ~before[number]
        name, arms = action.words, len(action.skill.arms)
        edges = _direct(before, before[number])
        kind = action.skill.type
        nodes.append(GraphNode(f"node_{number + 1}", name, "", (), arms, edges, kind))
    end = f"node_{len(actions) + 1}"
    nodes.append(GraphNode(end, "task complete", "", (), 0, _direct(before, last), "complete"))
    return graph_text(nodes)


def _direct(before: Sequence[int], nodes: int) -> tuple[str, ...]:
    """The ids of those of the nodes that no other of them waits for."""
    numbers = [number for number in range(len(before)) if nodes >> number & 1]
    implied = 0
    for number in numbers:
        implied |= before[number]
    return tuple(f"node_{number + 1}" for number in numbers if not implied >> number & 1)


def _relax(
    world: ArmWorld, actions: Sequence[GroundAction], graph: TaskGraph, before: Sequence[int]
) -> list[int]:
    """Remove edges without which all orders are still possible and reach the goal.

    `before` is transitive, and stays so: only edges that follow from no others are removed.
    """
    orders = Orders(graph, world, interpret_all(world, graph))
    found, spent = list(before), 0
    for node in reversed(range(len(actions))):
        for other in reversed(range(node)):
            if not found[node] >> other & 1 or orders.hold[node] == orders.hold[other] is not None:
                continue
            between = found[node] & ~(1 << other)
            if any(between >> n & 1 and found[n] >> other & 1 for n in range(other + 1, node)):
                continue
            trial = list(found)
            trial[node] = between
            search = orders.search(trial, TRIAL)
            spent += search.steps
            if search.good and not search.cut:
                found = trial
            if spent > STEPS:
                return found
    return found
