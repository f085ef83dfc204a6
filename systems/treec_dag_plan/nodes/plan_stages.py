"""A plan of stages in the place of a graph: judged in the world, and done stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from treec.source.text import SourceFile
from treec_dag_plan.arms.pairs import PairError, pairs_of
from treec_dag_plan.arms.problem import AllocationProblem
from treec_dag_plan.arms.read import read_graph
from treec_dag_plan.arms.stages import Held, StagedGraph, crowded_stages, graph_of_stages
from treec_dag_plan.arms.validate import validate
from treec_dag_plan.arms.validate_read import read_plan
from treec_dag_plan.arms.world_logic import State
from treec_kitchen.draft import DraftRefused
from treec_kitchen.graph_findings import file_finding


def judge_stages(
    text: str, problem: AllocationProblem, start: State, held: Sequence[Held], at_once: int | None
) -> StagedGraph:
    """Stages checked against the task from `start` on, as a graph. Raises DraftRefused."""
    file = SourceFile("plan.yaml", text)
    world = replace(problem.world, start=start)
    reading = read_plan(file, None, world.arms)
    if not reading.sound:
        raise DraftRefused(reading.errors, file)
    if wrong := list(crowded_stages(reading.steps, at_once)):
        raise DraftRefused(wrong)
    violation = validate(reading.steps, world).violation
    if violation is not None:
        raise DraftRefused([file_finding(violation.finding(reading.steps, file))], file)
    found = graph_of_stages(reading.steps, world, held)
    graph, _ = read_graph(found.text)
    assert graph is not None
    try:
        pairs_of(graph)
    except PairError as error:
        raise DraftRefused(error.faults) from None
    return found
