"""The library's own tasks and graphs, read once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from treec.files.library import Library, load_library
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.problem import AllocationProblem, problem_in
from treec_dag_plan.arms.read import read_graph

ROOT = Path(__file__).parents[4]
GRAPHS = ROOT / "trees/dag_plan/graphs"
PLANS = Path(__file__).parent / "plans"
NUMBERS = range(1, 10)


def graph(number: int) -> TaskGraph:
    """The reference graph of a task."""
    found, problems = read_graph(GRAPHS / f"task_{number}.yaml")
    assert found is not None, problems
    return found


@pytest.fixture(scope="session")
def library() -> Library:
    return load_library(ROOT)


@pytest.fixture(scope="session")
def task(library: Library) -> Callable[[int], AllocationProblem]:
    kept: dict[int, AllocationProblem] = {}

    def find(number: int) -> AllocationProblem:
        if number not in kept:
            kept[number] = problem_in(library, f"task_{number}")
        return kept[number]

    return find
