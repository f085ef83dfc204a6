"""The task graphs of a run in its report."""

from __future__ import annotations

from collections.abc import Iterator

from treec.render.graph import Status
from treec.render.page import PagePart
from treec.run.timeline import Timeline
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.events import Planned
from treec_dag_plan.render.task_graph import task_graph
from treec_drawing.svg import render_svg


def graphs(times: Timeline) -> Iterator[PagePart]:
    """Yield each graph of a run with the status of its nodes."""
    plans = [(t, event) for t, event in times.schedules if isinstance(event, Planned)]
    for number, (t, plan) in enumerate(plans, 1):
        graph, _ = read_graph(plan.text)
        if graph is None:
            continue
        status, detail = _node_status(times, plan)
        svg = render_svg(task_graph(graph, f"The graph for: {plan.task}", status, detail))
        title = "The graph" if len(plans) == 1 else f"Graph {number}, from {t:g} s on"
        note = f"Made by {plan.by}" + (f": {plan.because}" if plan.because else "") + "."
        yield PagePart(title, svg=svg, note=note)


def _node_status(times: Timeline, plan: Planned) -> tuple[dict[str, Status], dict[str, str]]:
    status: dict[str, Status] = {}
    detail: dict[str, str] = {}
    for node, id in plan.nodes.items():
        spans = [span for span in times.spans if span.subtask == id]
        if not spans:
            continue
        last = spans[-1]
        ends: dict[str, Status] = {"done": "SUCCESS", "failed": "FAILURE"}
        status[node] = ends.get(last.ended, "RUNNING")
        who = dict.fromkeys(span.agent for span in spans if span.end == last.end)
        attempts = (
            f", {len({s.start for s in spans})} tries" if len({s.start for s in spans}) > 1 else ""
        )
        detail[node] = " and ".join(who) + f", {last.start:g} to {last.end:g} s{attempts}"
    return status, detail
