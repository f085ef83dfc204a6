"""Render a plan as a table of text, or as the data of a chart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treec_dag_plan.arms.model import TaskGraph
    from treec_dag_plan.arms.plan import ArmPlan
    from treec_dag_plan.render.plan_chart import PlanChart

NOTHING = "-"
UNIT = 0.001
"""The least makespan in seconds."""


def plan_lines(name: str, graph: TaskGraph, plan: ArmPlan) -> Iterator[str]:
    """Render a plan as a table with its length and bound."""
    names = {node.id: node.name for node in graph.nodes}
    if plan.slots:
        rows = [
            (f"{s.start:g}", f"{s.end:g}", ", ".join(s.arms), f"{s.node}: {names[s.node]}")
            for s in plan.slots
        ]
        yield from _table(("from, s", "to, s", "arms", "node"), rows)
    else:
        stages = [
            (str(number), *(_cell(stage.arms.get(arm), names) for arm in plan.arms))
            for number, stage in enumerate(plan.stages, 1)
        ]
        yield from _table(("stage", *plan.arms), stages)
    yield ""
    yield f"{name}: {verdict(plan)}"


def verdict(plan: ArmPlan) -> str:
    """Describe a plan's length and its bound."""
    took = f"found in {plan.seconds:.2g} s ({plan.method})"
    if plan.makespan is not None and plan.makespan_bound is not None:
        gap = 100 * (plan.makespan - plan.makespan_bound) / max(UNIT, plan.makespan_bound)
        how = f"none ends before {plan.makespan_bound:g} s (gap {gap:.1f} %)"
        how = "no plan ends sooner" if plan.optimal else how
        return f"all is done after {plan.makespan:g} s, {how}; {took}"
    count = f"{len(plan)} stage{'' if len(plan) == 1 else 's'}"
    gap = 100 * (len(plan) - plan.lower_bound) / max(1, plan.lower_bound)
    how = f"none has fewer than {plan.lower_bound} (gap {gap:.1f} %)"
    how = "no plan has fewer" if plan.optimal else how
    return f"{count}, {how}; {took}"


def _cell(id: str | None, names: dict[str, str]) -> str:
    return NOTHING if id is None else f"{id}: {names[id]}"


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    from treec.render.measure import cells

    lines = [head, *rows]
    widths = [max(cells(line[column]) for line in lines) for column in range(len(head))]
    for line in lines:
        padded = (
            cell + " " * (width - cells(cell)) for cell, width in zip(line, widths, strict=True)
        )
        yield "  ".join(padded).rstrip()


def chart_of(name: str, graph: TaskGraph, plan: ArmPlan) -> PlanChart:
    """Build a plan's chart."""
    from treec_dag_plan.arms.pairs import pairs_of
    from treec_dag_plan.render.plan_chart import ChartBar, PlanChart, holds_of

    by_id = graph.by_id
    found: list[tuple[str, str, float, float]] = []
    if plan.slots:
        found = [(arm, s.node, s.start, s.end) for s in plan.slots for arm in s.arms]
    else:
        for number, stage in enumerate(plan.stages):
            found += [
                (arm, id, float(number), number + 1.0) for arm, id in stage.arms.items() if id
            ]
    boxes = tuple(
        ChartBar(arm, start, end, by_id[id].name, by_id[id].type, f"{id}: {by_id[id].name}")
        for arm, id, start, end in found
    )
    pairs = [(pair.thing, pair.occupy, pair.release) for pair in pairs_of(graph)]
    held = holds_of(boxes, pairs, [id for _, id, _, _ in found])
    title = f"{name}: {verdict(plan).partition(';')[0]}"
    return PlanChart(title, plan.arms, boxes, held, "s" if plan.slots else "stage")
