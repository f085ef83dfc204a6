"""``treec plan schedule``: assign the nodes of a task graph to arms, stage by stage."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import LibraryOption, Stop
from treec_dag_plan.cli.plan_common import (
    StatusLine,
    open_graph,
    open_layout,
    open_problem,
    print_findings,
    readable,
)

if TYPE_CHECKING:
    from treec.source.diagnostics import Diagnostic
    from treec_dag_plan.arms.layout import ArmLayout
    from treec_dag_plan.arms.model import TaskGraph
    from treec_dag_plan.arms.pairs import PairError
    from treec_dag_plan.arms.plan import ArmPlan
    from treec_dag_plan.arms.problem import AllocationProblem
    from treec_dag_plan.arms.schedule.deadlock import DeadlockReport
    from treec_dag_plan.arms.schedule.team import ArmTeam


SHORTEST = 0.1
"""Seconds of search at least."""


class Method(StrEnum):
    """Scheduling methods."""

    paper = "paper"
    shortest = "shortest"
    cp_sat = "cp-sat"


class OrderCheck(StrEnum):
    """Variants of the paper's check 1."""

    pair_any = "pair-any"
    pair_closure = "pair-closure"
    off = "off"


class ScheduleFormat(StrEnum):
    """Output formats."""

    text = "text"
    json = "json"
    svg = "svg"


class Objective(StrEnum):
    """What is minimized."""

    stages = "stages"
    makespan = "makespan"


def command(
    graph: Annotated[
        Path, typer.Argument(help="Task graph in DAG-Plan's format (YAML), or a recipe.")
    ],
    layout: Annotated[
        Path | None,
        typer.Option("--layout", help="Layout file: positions of objects and hands (YAML)."),
    ] = None,
    method: Annotated[
        Method,
        typer.Option(
            "--method", help="DAG-Plan's rule, a search for few stages, or OR-Tools' CP-SAT."
        ),
    ] = Method.shortest,
    check: Annotated[
        OrderCheck,
        typer.Option("--check", help="Variant of the paper's check 1, with --method paper."),
    ] = OrderCheck.pair_any,
    objective: Annotated[
        Objective | None,
        typer.Option(
            "--objective",
            help="Minimize the number of stages or the makespan in seconds (default: stages, "
            "of a recipe makespan).",
        ),
    ] = None,
    task: Annotated[
        Path | None,
        typer.Option(
            "--task", help="Task: its arms, what each of them can do, and durations in seconds."
        ),
    ] = None,
    team: Annotated[
        Path | None,
        typer.Option("--team", help="Team file: the arms, and durations of their subtasks (YAML)."),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=SHORTEST, help="Time limit, with the reading of the files."),
    ] = 30.0,
    output_format: Annotated[
        ScheduleFormat,
        typer.Option("--output-format", help="text for people, json for tools, or svg."),
    ] = ScheduleFormat.text,
    library: LibraryOption = None,
) -> int:
    """Schedule a task graph for several arms. Exit status 0 if it succeeded, 1 otherwise.

    In each stage an arm has at most one node; a node for both arms occupies both. Only the paper's
    method can end in a deadlock.
    """
    from treec_dag_plan.arms.pairs import PairError
    from treec_dag_plan.arms.schedule.cp_sat import NoSolver
    from treec_dag_plan.arms.schedule.deadlock import DeadlockError
    from treec_dag_plan.arms.schedule.methods import schedule
    from treec_dag_plan.arms.schedule.problem import ScheduleError

    started = time.monotonic()
    recipe = _recipe(graph, library)
    read = open_graph(graph) if recipe is None else recipe[0]
    if objective is None:
        objective = Objective.stages if recipe is None else Objective.makespan
    places = None if layout is None else open_layout(layout)
    if task is not None and team is not None:
        raise Stop("--task and --team both say who the arms are: give one of them")
    crew = _team(team) if team is not None else None if recipe is None else recipe[1]
    problem = None if task is None else open_problem(task, library)
    if recipe is not None and (task is not None or layout is not None):
        raise Stop("--task and --layout are for task graphs, not for a recipe")
    if problem is not None:
        crew = _team_of_task(graph, read, problem)
    if method is Method.paper and objective is Objective.makespan:
        raise Stop("the paper's rule counts stages: --objective makespan is for other methods")
    nodes = sum(1 for _ in read.work())
    line = StatusLine()
    try:
        plan = schedule(
            read,
            method.value,
            layout=places,
            check=check.value,
            team=crew,
            objective=objective.value,
            seconds=max(SHORTEST, seconds - (time.monotonic() - started)),
            progress=lambda stages, done: line(f"{done:,} of {nodes:,} nodes in {stages:,} stages"),
            gap=lambda stages, bound: line(f"{stages:,} stages, none has fewer than {bound:,}"),
            time_gap=lambda end, bound: line(f"{end:g} s, none ends before {bound:g} s"),
        )
    except DeadlockError as error:
        return _stuck(graph, error.stuck, output_format)
    except PairError as error:
        raise print_findings(graph, _of_holds(read, error)) from None
    except ScheduleError as error:
        raise Stop(f"{graph} cannot be scheduled: {error}", 1) from None
    except NoSolver as error:
        raise Stop(str(error)) from None
    finally:
        line.end()
    if problem is not None:
        _validate(graph, read, plan, problem, places)
    _print(graph, read, plan, output_format)
    return 0


def _recipe(name: Path, library: Path | None) -> tuple[TaskGraph, ArmTeam] | None:
    """Return the graph of a recipe and its team; None for a file that is none."""
    if not name.name.endswith(".recipe.yaml") and (name.suffix or name.exists()):
        return None
    from treec.cli.basics import tool
    from treec.cli.common import open_library

    make: Any = tool("recipe_plan", "a recipe cannot be scheduled")
    graph, team = make(open_library(library), str(name))
    return graph, team


def _validate(
    path: Path,
    graph: TaskGraph,
    plan: ArmPlan,
    problem: AllocationProblem,
    layout: ArmLayout | None,
) -> None:
    """Simulate a plan in its task's world. Raises Stop with what cannot be done."""
    from treec_dag_plan.arms.validate import validate
    from treec_dag_plan.arms.validate_read import steps_of

    steps = steps_of(plan, graph)
    if plan.slots:  # stages of nodes that start together overlap: one after the other
        steps = tuple(replace(step, parts=(part,)) for step in steps for part in step.parts)
    wrong = validate(steps, problem.world, None if plan.slots else layout).violation
    if wrong is not None:
        raise Stop(
            f"{path}: no plan of this graph does the task: {wrong}: "
            f"see 'treec plan check {path} --task {problem.entry.name}'",
            1,
        )


def _of_holds(graph: TaskGraph, error: PairError) -> list[Diagnostic]:
    """What keeps holds from being told, at the nodes that it is about."""
    found = {fault.help: fault for fault in reversed(error.faults)}  # one edge mends both ends
    return [fault.diagnostic(graph.by_id[fault.node].span) for fault in [*found.values()][::-1]]


def _team(path: Path) -> ArmTeam:
    from treec_dag_plan.arms.schedule.team_file import read_team

    readable(path)
    team, problems = read_team(path)
    if team is None:
        raise print_findings(path, problems)
    return team


def _team_of_task(path: Path, graph: TaskGraph, problem: AllocationProblem) -> ArmTeam:
    from treec_dag_plan.arms.abilities import team_of
    from treec_dag_plan.arms.commands import interpret_all
    from treec_dag_plan.arms.pairs import PairError

    try:
        return team_of(graph, problem.world, interpret_all(problem.world, graph))
    except PairError as error:
        raise print_findings(path, _of_holds(graph, error)) from None
    except ValueError as error:
        see = f"see 'treec plan check {path} --task {problem.entry.name}'"
        raise Stop(f"{path}: {error}: {see}", 1) from None


def _stuck(path: Path, stuck: DeadlockReport, output_format: ScheduleFormat) -> int:
    if output_format is ScheduleFormat.json:
        import json

        data = {
            "stages": [dict(stage.arms) for stage in stuck.stages],
            "stages_count": len(stuck.stages),
            "stuck": {
                "done": stuck.done,
                "nodes": stuck.nodes,
                "holds": dict(stuck.holds),
                "reasons": dict(stuck.reasons),
            },
        }
        print(json.dumps(data, indent=2, ensure_ascii=False))
    print(f"treec: {path}: " + "\n  ".join(stuck.lines()), file=sys.stderr)
    return 1


def _print(path: Path, graph: TaskGraph, plan: ArmPlan, output_format: ScheduleFormat) -> None:
    if output_format is ScheduleFormat.json:
        import json

        print(json.dumps(plan.to_json(), indent=2, ensure_ascii=False))
    elif output_format is ScheduleFormat.svg:
        from treec_dag_plan.cli.plan_words import chart_of
        from treec_dag_plan.render.plan_chart import render_plan

        sys.stdout.write(render_plan(chart_of(path.stem, graph, plan)))
    else:
        from treec_dag_plan.cli.plan_words import plan_lines

        print("\n".join(plan_lines(path.name, graph, plan)))
