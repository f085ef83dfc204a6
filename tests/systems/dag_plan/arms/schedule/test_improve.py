"""Graphs of 41 to 90 nodes: CP-SAT proves what our search cannot, in time, with the gap."""

from __future__ import annotations

import pytest

from treec_dag_plan.arms.plan import ArmPlan, PlanStage
from treec_dag_plan.arms.schedule import shortest as module
from treec_dag_plan.arms.schedule.problem import SchedulingProblem, problem_of
from treec_dag_plan.arms.schedule.shortest import shortest
from treec_dag_plan.cli.plan_words import verdict

from .random_graphs import random_graph

pytest.importorskip("ortools")


@pytest.fixture
def problem(monkeypatch: pytest.MonkeyPatch) -> SchedulingProblem:
    """45 nodes, 24 stages; the bound without a search is 23."""
    monkeypatch.setattr(module, "STATES", 0)
    return problem_of(random_graph(12, 45, links=3.0))


@pytest.mark.thorough
def test_without_cp_sat_the_gap_stays_open(problem: SchedulingProblem) -> None:
    found = shortest(problem, proving=False)
    assert (len(found.stages), found.bound, found.optimal) == (24, 23, False)


@pytest.mark.thorough
def test_cp_sat_proves_it_and_tells_the_gap_meanwhile(problem: SchedulingProblem) -> None:
    gaps: list[tuple[int, int]] = []
    found = shortest(problem, seconds=60, gap=lambda *pair: gaps.append(pair))
    assert (len(found.stages), found.bound, found.optimal) == (24, 24, True)
    assert gaps[0] == (24, 23)
    assert all(stages >= bound for stages, bound in gaps)


def test_what_is_not_proved_in_time_is_returned_with_its_gap(
    problem: SchedulingProblem, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "EXACT_SHARE", 0.0)
    found = shortest(problem, seconds=0.01)
    assert len(found.stages) >= 24
    assert found.bound >= 23
    assert sorted(v for work in found.stages for v, _ in work) == list(range(problem.size))


def test_the_verdict_names_the_gap() -> None:
    plan = ArmPlan((PlanStage({"left": "node_1", "right": None}),) * 5, lower_bound=4)
    assert "none has fewer than 4 (gap 25.0 %)" in verdict(plan)
