"""``treec plan check``: all problems of a task graph, with line and column."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat
from treec_dag_plan.cli.plan_common import StatusLine, open_problem, readable, show

if TYPE_CHECKING:
    from treec_dag_plan.arms.check import GraphCheck
    from treec_dag_plan.arms.graph_reading import GraphReading

CUT = "the edges allow too many orders: only some of them were checked"


def command(
    graph: Annotated[Path, typer.Argument(help="Task graph in DAG-Plan's format (YAML).")],
    task: Annotated[
        Path | None,
        typer.Option("--task", help="Task of the graph: NAME.problem.yaml, or its name."),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Check a task graph. Exit status 0 without errors, 1 with errors, 2 if it could not be read.

    Without a task, it checks the graph itself: form, edges and holds. With a task, also commands
    and objects, and that every order that the edges allow is possible and reaches the goal.
    """
    from treec_dag_plan.arms.check import check_graph
    from treec_dag_plan.arms.read import read_parts

    readable(graph)
    reading = read_parts(graph)
    world = None if task is None else open_problem(task, library).world
    line = StatusLine()
    checked = check_graph(
        reading, world, lambda done, of: line(f"orders: {100 * done // of} % looked at")
    )
    line.end()
    if output_format is OutputFormat.json:
        _json(checked)
    else:
        _text(graph, reading, checked, world is not None)
    return 0 if checked.good and reading.graph is not None else 1


def _json(checked: GraphCheck) -> None:
    import json

    from treec.source.diagnostics import to_json

    data = {
        "problems": [to_json(problem) for problem in checked.problems],
        "all_orders": not checked.cut,
    }
    print(json.dumps(data, indent=2, ensure_ascii=False))


def _text(path: Path, reading: GraphReading, checked: GraphCheck, whole: bool) -> None:
    if checked.problems:
        show(checked.problems, reading.source)
    else:
        nodes = list(reading.graph.work()) if reading.graph is not None else []
        note = "" if whole else ", by itself (--task says whether it reaches a goal)"
        count = f"{len(nodes)} sub-task{'' if len(nodes) == 1 else 's'}"
        print(f"{path}: {count}: nothing is wrong{note}")
    if checked.cut:
        print(CUT)
