"""Plans in seconds, and teams of unlike arms."""

from __future__ import annotations

import pytest

from engine.plan.arms.model import TaskGraph
from engine.plan.arms.schedule.makespan import Clock, bound_of, drawn_forward, stage_wise, timed
from engine.plan.arms.schedule.methods import schedule
from engine.plan.arms.schedule.problem import CannotSchedule, problem_of
from engine.plan.arms.schedule.shortest import shortest
from engine.plan.arms.schedule.team import Team
from engine.plan.arms.schedule.team_file import read_team
from tests.plan.arms.conftest import NUMBERS
from tests.plan.arms.conftest import graph as task_graph
from tests.plan.arms.schedule.random_graphs import random_graph
from tests.plan.arms.schedule.simulate import slot_problems
from tests.plan.arms.schedule.test_paper import node

TIMES = {"grasp": {"": 3.0}, "open": {"": 5.0}, "put onto": {"": 4.0}, "put into": {"": 4.0}}
SLOW_RIGHT = Team(times={**TIMES, "grasp": {"": 3.0, "right": 7.0}}, usual=2.0)
MIXED = Team(
    ("left", "right", "Ada"),
    {"left": "R1", "right": "R1", "Ada": "Ada"},
    {**TIMES, "cut with": {"left": None, "right": 12.0, "Ada": 8.0}},
    2.0,
)


@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("team", [SLOW_RIGHT, MIXED])
def test_plans_in_seconds_can_be_done_and_are_never_below_the_bound(
    number: int, team: Team
) -> None:
    graph = task_graph(number)
    plan = schedule(graph, team=team, objective="makespan")
    assert slot_problems(graph, plan.slots) == []
    assert plan.makespan is not None
    assert plan.makespan_bound is not None
    assert plan.makespan >= plan.makespan_bound - 1e-9
    assert plan.makespan == max(slot.end for slot in plan.slots)


@pytest.mark.parametrize("number", [2, 5, 8])
@pytest.mark.parametrize("team", [SLOW_RIGHT, MIXED])
def test_cp_sat_proves_or_betters_and_agrees_with_what_is_called_optimal(
    number: int, team: Team
) -> None:
    graph = task_graph(number)
    ours = schedule(graph, team=team, objective="makespan")
    proved = schedule(graph, "cp-sat", team=team, objective="makespan", seconds=30)
    assert slot_problems(graph, proved.slots) == []
    assert proved.optimal
    assert proved.makespan is not None
    assert ours.makespan is not None
    assert proved.makespan <= ours.makespan + 1e-9
    if ours.optimal:
        assert proved.makespan == pytest.approx(ours.makespan)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_waits_for_the_end_of_a_stage(seed: int) -> None:
    graph = random_graph(seed, 40)
    problem = problem_of(graph)
    clock = Clock(problem, SLOW_RIGHT)
    few = shortest(problem)
    slots = drawn_forward(problem, clock, few.stages)
    assert slot_problems(graph, slots) == []
    made = timed(problem, SLOW_RIGHT, few.stages)
    assert slot_problems(graph, made.slots) == []
    whole = stage_wise(problem, clock, few.stages)
    assert bound_of(problem, clock) <= made.makespan <= max(s.end for s in slots) <= whole


def test_who_cannot_is_not_asked() -> None:
    plan = schedule(task_graph(8), team=MIXED)
    cuts = {"node_5", "node_8"}
    assert not cuts & {stage.arms["left"] for stage in plan.stages}
    assert plan.optimal


def test_two_arms_of_one_body_take_what_needs_two() -> None:
    graph = TaskGraph(
        (node(1, "grasp pot", "occupy", (), 2), node(2, "put pot", "release", (1,), 2))
    )
    plan = schedule(graph, team=MIXED)
    assert dict(plan.stages[0].arms) == {"left": "node_1", "right": "node_1", "Ada": None}


def test_a_node_that_nobody_can_do_is_named() -> None:
    team = Team(times={"open": {"": None}})
    with pytest.raises(CannotSchedule, match="node_1: no arm can do open box"):
        schedule(TaskGraph((node(1, "open box", "operate"),)), team=team)


def test_a_hold_that_nobody_can_do_to_its_end_is_named() -> None:
    team = Team(times={"grasp": {"left": None, "": 1.0}, "put": {"right": None, "": 1.0}})
    graph = TaskGraph((node(1, "grasp cup", "occupy"), node(2, "put cup", "release", (1,))))
    with pytest.raises(CannotSchedule, match="no arm can do all from it to node_2"):
        schedule(graph, team=team)


def test_a_team_is_read() -> None:
    team, found = read_team(
        "arms: {left: R1, Ada: Ada}\ntimes: {grasp: 3s, cut with: {Ada: 8s, left: no}}\nusual: 5s\n"
    )
    assert found == []
    assert team == Team(
        ("left", "Ada"),
        {"left": "R1", "Ada": "Ada"},
        {"grasp": {"": 3.0}, "cut with": {"Ada": 8.0, "left": None}},
        5.0,
    )


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("arms: left\n", 1, "'arms' is a list of names"),
        ("arms: [left, left]\n", 1, "the same name"),
        ("arms: [left]\ntimes: {grasp: quick}\n", 2, "'quick' is not a duration"),
        ("arms: [left]\ntimes: {grasp: {lift: 3s}}\n", 2, "there is no arm 'lift'"),
        ("arms: [left]\nusual: 0s\n", 2, "more than no time"),
        ("times: {}\n", 1, "'arms' is missing"),
        ("arms: [a]\nuse: 3\n", 2, "a team has no 'use'"),
    ],
)
def test_what_is_wrong_in_a_team_is_told_at_its_line(text: str, line: int, message: str) -> None:
    team, found = read_team(text)
    assert team is None
    assert any(d.span.line == line and message in d.message for d in found), found
