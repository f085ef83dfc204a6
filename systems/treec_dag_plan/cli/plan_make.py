"""``treec plan make``: a task graph from a classical planner, without any model."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop
from treec_dag_plan.cli.plan_common import TaskOption, open_problem, show


def command(
    task: TaskOption,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Graph file (default: print the graph).")
    ] = None,
    seconds: Annotated[
        float, typer.Option("--seconds", min=1.0, help="Time limit of the planner's search.")
    ] = 10.0,
    library: LibraryOption = None,
) -> int:
    """Plan a task with Fast Downward. Exit status 0 with a graph, 1 if there is none.

    The planner's sequence becomes a graph that allows every order that is safe, checked as by
    'treec plan check --task'.
    """
    from treec_dag_plan.arms.deorder import deorder
    from treec_dag_plan.arms.planner import NoPlanFound, PlannerMissing, find_sequence
    from treec_dag_plan.arms.stages import graph_text

    problem = open_problem(task, library)
    try:
        checked = deorder(problem.world, find_sequence(problem, seconds))
    except PlannerMissing as error:
        raise Stop(str(error)) from None
    except NoPlanFound as error:
        raise Stop(f"{problem.entry.name}: {error}", 1) from None
    graph = checked.graph
    if graph is None or not checked.good:
        show(checked.problems, None)
        raise Stop(
            f"{problem.entry.name}: the planner's sequence is not a valid graph for these arms", 1
        )
    text = graph_text(graph.nodes)
    count = f"{sum(1 for _ in graph.work())} sub-tasks"
    orders = "some orders were checked" if checked.cut else "every order reaches the goal"
    if output is None:
        print(text, end="")
    else:
        try:
            output.write_text(text, "utf-8")
        except OSError as error:
            raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output or problem.entry.name}: {count}, {orders}", file=sys.stderr)
    return 0
