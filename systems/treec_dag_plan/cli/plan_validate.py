"""``treec plan validate``: whether a plan can be executed and reaches the goal."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat
from treec_dag_plan.cli.plan_common import (
    TaskOption,
    open_graph,
    open_layout,
    open_problem,
    readable,
    show,
)

if TYPE_CHECKING:
    from treec.source.diagnostics import Diagnostic
    from treec_dag_plan.arms.model import TaskGraph
    from treec_dag_plan.arms.problem import AllocationProblem
    from treec_dag_plan.arms.validate import PlanValidation


def command(
    plan: Annotated[
        Path, typer.Argument(help="Plan: stages as JSON or YAML, or in the baselines' format.")
    ],
    task: TaskOption,
    graph: Annotated[
        Path | None,
        typer.Option(
            "--graph", help="Task graph that the plan's node ids refer to (default: the task's)."
        ),
    ] = None,
    layout: Annotated[
        Path | None,
        typer.Option(
            "--layout",
            help="Layout file: also check the reach of the arms and that they do not cross.",
        ),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Validate a plan. Exit status 0 if it is valid, 1 if not, 2 if it could not be read.

    Reports the first failure: its stage, its arm and the condition that does not hold. Subtasks of
    one stage run at the same time, so they must be possible in either order.
    """
    from treec_dag_plan.arms.validate import validate
    from treec_dag_plan.arms.validate_read import read_plan

    problem = open_problem(task, library)
    found = None if layout is None else open_layout(layout)
    readable(plan)
    reading = read_plan(plan, _graph(graph, problem), problem.world.arms)
    if not reading.sound:
        if output_format is OutputFormat.json:
            _json(None, reading.problems)
        else:
            show(reading.problems, reading.source)
        return 1
    result = validate(reading.steps, problem.world, found)
    wrong: tuple[Diagnostic, ...] = ()
    if result.violation is not None and reading.source is not None:
        wrong = (result.violation.finding(reading.steps, reading.source),)
    if output_format is OutputFormat.json:
        _json(result, wrong)
    elif wrong:
        show(wrong, reading.source)
    else:
        print(f"{plan}: {result.stages} stages, all can be done, and the goal is reached")
    return 0 if result.good else 1


def _graph(path: Path | None, problem: AllocationProblem) -> TaskGraph | None:
    """The graph named, or the task's own. Raises Stop."""
    from treec_dag_plan.arms.read import read_graph

    if path is not None:
        return open_graph(path)
    own = problem.model.graph
    path = None if own is None else problem.view.library.file(own, problem.entry)
    return None if path is None or not path.is_file() else read_graph(path)[0]


def _json(result: PlanValidation | None, problems: tuple[Diagnostic, ...]) -> None:
    import json

    from treec.source.diagnostics import to_json

    data: dict[str, object] = {"valid": False, "problems": [to_json(p) for p in problems]}
    if result is not None:
        data |= {"valid": result.good, "stages": result.stages}
        wrong = result.violation
        if wrong is not None:
            data["violation"] = {
                "stage": wrong.stage or None,
                "arms": list(wrong.arms),
                "sub_task": wrong.name or None,
                "reason": wrong.reason,
                "line": wrong.part.span.line if wrong.part and wrong.part.span else None,
            }
    print(json.dumps(data, indent=2, ensure_ascii=False))
