"""A problem's task graph for networkx."""

from __future__ import annotations

from copy import copy

import networkx
import pytest

import treec
from treec_dag_plan.digraph import problem_digraph


@pytest.fixture(scope="module")
def lib() -> treec.Workspace:
    return treec.open("treec-kitchen")


def test_a_problem_has_the_graph_that_its_file_names(lib: treec.Workspace) -> None:
    graph = lib["problem", "task_1"].graph()
    assert networkx.is_directed_acyclic_graph(graph)
    assert {told["type"] for _, told in graph.nodes(data=True)} >= {"complete"}


def test_a_problem_without_one_says_so(lib: treec.Workspace) -> None:
    entry = lib["problem", "task_1"].entry
    without = copy(entry)
    without.model = entry.model.model_copy(update={"graph": None})
    with pytest.raises(ValueError, match="'task_1' has no graph"):
        problem_digraph(lib.library, without)
