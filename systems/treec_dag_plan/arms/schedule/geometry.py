"""Targets of nodes, and which two nodes can be done concurrently.

A node's target is where the hand moves to: the object taken, cut, poured into or opened, or the
destination of a put. An object is where the layout has it, or where the last put among the node's
predecessors left it, so targets do not depend on the schedule. Positions are in metres, in the
layout's frame.
"""

from __future__ import annotations

from functools import cached_property

from treec.frozen import frozen
from treec_dag_plan.arms.layout import ArmLayout, Point, distance
from treec_dag_plan.arms.model import GraphNode
from treec_dag_plan.arms.pairs import tool_of
from treec_dag_plan.arms.schedule.problem import ScheduleError, SchedulingProblem, bits


@frozen(slots=False)
class Geometry:
    """`where`: node → target; `hands`: the arms' initial positions, in their order."""

    layout: ArmLayout
    where: tuple[Point, ...]
    hands: tuple[Point, ...]

    def beside(self, u: int, v: int) -> bool:
        """Whether an arm may do u while an arm to its right does v."""
        return bool(self.right_of[u] >> v & 1)

    def distance(self, a: Point, b: Point) -> float:
        """Return the distance between two points in metres."""
        return distance(a, b)

    @cached_property
    def right_of(self) -> tuple[int, ...]:
        """Node → the nodes that an arm further right may do meanwhile, as bits."""
        return tuple(
            sum(
                1 << v
                for v, b in enumerate(self.where)
                if u != v and self.layout.conflict(a, b) is None
            )
            for u, a in enumerate(self.where)
        )

    @cached_property
    def left_of(self) -> tuple[int, ...]:
        """Node → the nodes that an arm further left may do meanwhile, as bits."""
        found = [0] * len(self.where)
        for u, mask in enumerate(self.right_of):
            for v in bits(mask):
                found[v] |= 1 << u
        return tuple(found)

    @cached_property
    def together(self) -> tuple[int, ...]:
        """Node → the nodes that may be done concurrently on either side, as bits."""
        return tuple(a | b for a, b in zip(self.right_of, self.left_of, strict=True))


def geometry_of(problem: SchedulingProblem, layout: ArmLayout) -> Geometry:
    """Compute the nodes' targets. Raises ScheduleError for an object without a position."""
    by_id = problem.graph.by_id
    nodes = [by_id[id] for id in problem.ids]
    place = {v: number for number, v in enumerate(problem.order)}
    puts: dict[str, list[int]] = {}
    for v, node in enumerate(nodes):
        if node.type == "release" and node.objects:
            puts.setdefault(node.objects[0], []).append(v)
    where: list[Point] = [()] * problem.size
    for v in problem.order:
        thing = target_of(nodes[v])
        laid = [u for u in puts.get(thing, ()) if problem.before[v] >> u & 1]
        if laid:
            where[v] = where[max(laid, key=place.__getitem__)]
            continue
        found = layout.objects.get(thing)
        if found is None:
            raise ScheduleError(nodes[v].id, f"the layout does not place '{thing}'")
        where[v] = found
    missing = [arm for arm in problem.arms if arm not in layout.hands]
    if missing:
        raise ScheduleError(
            problem.ids[0] if problem.ids else "", f"the layout has no hand '{missing[0]}'"
        )
    return Geometry(layout, tuple(where), tuple(layout.hands[arm] for arm in problem.arms))


def target_of(node: GraphNode) -> str:
    """Return the object that the hand moves to."""
    if not node.objects:
        return ""
    if node.type == "release":
        return node.objects[-1]
    if node.type == "tool use":
        tool = tool_of(node)
        return next((thing for thing in node.objects if thing != tool), tool)
    return node.objects[0]
