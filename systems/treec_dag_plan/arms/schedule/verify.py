"""Hold a plan against its graph and team, whichever method made it.

Shares nothing with the methods: begins and ends of nodes are followed in the order of time.
"""

from __future__ import annotations

from collections.abc import Iterator

from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.pairs import pairs_of
from treec_dag_plan.arms.plan import ArmPlan, Slot
from treec_dag_plan.arms.schedule.problem import ScheduleError
from treec_dag_plan.arms.schedule.team import ArmTeam

CLOSE = 1e-6
"""Seconds by which a start may precede an end."""


def verify(graph: TaskGraph, plan: ArmPlan, team: ArmTeam | None = None) -> None:
    """Raise ScheduleError, at the node, for what these arms cannot do or what is left out."""
    slots = plan.slots or tuple(_slots(plan))
    work = {node.id for node in graph.work()}
    times = {slot.node: slot for slot in slots}
    for left_out in sorted(work - set(times)):
        raise ScheduleError(left_out, "the plan leaves it out")
    team = team or ArmTeam(plan.arms)
    busy = dict.fromkeys(plan.arms, 0.0)
    for slot in sorted(slots, key=lambda slot: (slot.start, slot.end)):
        node = graph.by_id[slot.node]
        if times[slot.node] is not slot:
            raise ScheduleError(slot.node, "the plan does it twice")
        late = [u for u in node.after if u in work and times[u].end > slot.start + CLOSE]
        if late:
            raise ScheduleError(slot.node, f"the plan begins it before {late[0]} is done")
        if len(slot.arms) < node.arms:
            raise ScheduleError(slot.node, f"it needs {node.arms} arms, and has {len(slot.arms)}")
        for arm in slot.arms:
            if team.takes(node, arm) is None:
                raise ScheduleError(slot.node, f"{arm} cannot do {node.name}")
            if busy[arm] > slot.start + CLOSE:
                raise ScheduleError(slot.node, f"{arm} is busy when it begins")
            busy[arm] = slot.end
    for pair in pairs_of(graph):
        hands = times[pair.occupy].arms
        begin, end = times[pair.occupy].end, times[pair.release].start
        for slot in slots:
            inside = begin - CLOSE <= slot.start < end - CLOSE
            if inside and slot.node not in pair.members and set(hands) & set(slot.arms):
                raise ScheduleError(slot.node, f"its arm holds {pair.thing}")
        if not set(hands) <= set(times[pair.release].arms):
            raise ScheduleError(pair.release, f"{' and '.join(hands)} held {pair.thing}")


def _slots(plan: ArmPlan) -> Iterator[Slot]:
    """The nodes of stages, each of one second."""
    for number, stage in enumerate(plan.stages):
        for id in stage.nodes:
            arms = tuple(arm for arm in plan.arms if stage.arms[arm] == id)
            yield Slot(id, arms, float(number), number + 1.0)
