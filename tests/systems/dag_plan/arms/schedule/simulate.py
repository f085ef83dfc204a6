"""A plan held against what arms can do, without anything that schedulers share."""

from __future__ import annotations

from collections.abc import Sequence

from treec_dag_plan.arms.layout import ArmLayout
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.plan import PlanStage, Slot


def problems(
    graph: TaskGraph, stages: Sequence[PlanStage], layout: ArmLayout | None = None
) -> list[str]:
    """What is wrong with a plan; nothing when it can be done and does everything."""
    by_id = graph.by_id
    work = {node.id for node in graph.work()}
    done: set[str] = set()
    hands: dict[str, str | None] = dict.fromkeys(stages[0].arms) if stages else {}
    places = dict(layout.objects) if layout else {}
    found = []
    for number, stage in enumerate(stages, 1):
        if list(stage.arms) != list(hands):
            found.append(f"{number}: other arms")
        before = set(done)
        taken = {arm: id for arm, id in stage.arms.items() if id is not None}
        for id in dict.fromkeys(taken.values()):
            arms = [arm for arm, other in taken.items() if other == id]
            node = by_id[id]
            if id in done or id not in work:
                found.append(f"{number}: {id} again, or no work")
            missing = [b for b in node.after if b in work and b not in before]
            if missing:
                found.append(f"{number}: {id} before {missing}")
            found += [f"{number}: {wrong}" for wrong in _at_hand(node, arms, hands)]
            done.add(id)
        if layout is not None:
            order = list(stage.arms)
            busy = sorted(taken, key=order.index)
            for place, left in enumerate(busy):
                for right in busy[place + 1 :]:
                    if taken[left] != taken[right]:
                        a, b = (places[_target(by_id[taken[arm]])] for arm in (left, right))
                        if layout.conflict(a, b):
                            found.append(f"{number}: {layout.conflict(a, b)}")
        for arm, id in taken.items():
            node = by_id[id]
            if node.type == "occupy":
                hands[arm] = node.objects[0]
            elif node.type == "release":
                hands[arm] = None
                if layout is not None:
                    places[node.objects[0]] = places[node.objects[-1]]
    if done != work:
        found.append(f"not done: {sorted(work - done)}")
    found += [f"at the end {arm} holds {thing}" for arm, thing in hands.items() if thing]
    return found


def _at_hand(node: GraphNode, arms: Sequence[str], hands: dict[str, str | None]) -> list[str]:
    holds = [hands[arm] for arm in arms]
    if node.type in ("occupy", "operate"):
        wrong = [] if not any(holds) else [f"{node.id} with a full hand"]
        if node.type == "occupy" and node.objects[0] in hands.values():
            wrong.append(f"{node.id}: it is held already")
        return wrong + ([] if len(arms) == max(1, node.arms) else [f"{node.id}: {len(arms)} arms"])
    tool = node.objects[-1] if "with" in node.command.split() else node.objects[0]
    holders = [arm for arm, thing in hands.items() if thing == tool]
    if not holders or not set(holders) <= set(arms):
        return [f"{node.id}: {tool} is not in the hands {list(arms)}"]
    return [] if len(arms) == max(node.arms, len(holders)) else [f"{node.id}: {len(arms)} arms"]


def _target(node: GraphNode) -> str:
    if node.type == "tool use":
        return node.objects[0 if "with" in node.command.split() else -1]
    return node.objects[-1] if node.type == "release" else node.objects[0]


def slot_problems(graph: TaskGraph, slots: Sequence[Slot]) -> list[str]:
    """The same for a plan in seconds: begins and ends in order of time, ends first."""
    by_id = graph.by_id
    work = {node.id for node in graph.work()}
    done: set[str] = set()
    busy: set[str] = set()
    holding: dict[str, str] = {}
    found = []
    events = [(slot.end, 0, slot) for slot in slots] + [(slot.start, 1, slot) for slot in slots]
    for _, begins, slot in sorted(events, key=lambda event: (round(event[0], 6), event[1])):
        node = by_id[slot.node]
        if begins:
            late = [b for b in node.after if b in work and b not in done]
            if late or busy & set(slot.arms):
                found.append(f"{node.id} begins before {late} or with a busy arm")
            hands: dict[str, str | None] = {arm: holding.get(arm) for arm in slot.arms}
            hands.update(holding)
            found += _at_hand(node, slot.arms, hands)
            busy |= set(slot.arms)
            if node.type == "occupy":
                holding.update(dict.fromkeys(slot.arms, node.objects[0]))
        else:
            busy -= set(slot.arms)
            done.add(node.id)
            if node.type == "release":
                for arm in slot.arms:
                    holding.pop(arm, None)
    if done != work or len(slots) != len(work):
        found.append("not everything is done once")
    return found
