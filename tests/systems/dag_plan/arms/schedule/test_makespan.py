"""Plans in seconds, and teams of unlike arms."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.tiers import many
from tests.systems.dag_plan.arms.conftest import NUMBERS
from tests.systems.dag_plan.arms.conftest import graph as task_graph
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph
from tests.systems.dag_plan.arms.schedule.simulate import problems, slot_problems
from tests.systems.dag_plan.arms.schedule.test_paper import node
from treec.files.library import load_library
from treec.files.view import View
from treec.team.knowledge import knowledge_of
from treec_dag_plan.arms.model import GraphNode, TaskGraph
from treec_dag_plan.arms.schedule import methods
from treec_dag_plan.arms.schedule.makespan import (
    NodeDurations,
    dispatched,
    left_shift,
    makespan_bound,
    schedule_in_time,
    staged_makespan,
)
from treec_dag_plan.arms.schedule.methods import schedule
from treec_dag_plan.arms.schedule.problem import ScheduleError, problem_of
from treec_dag_plan.arms.schedule.shortest import shortest
from treec_dag_plan.arms.schedule.team import ArmTeam
from treec_dag_plan.arms.schedule.team_file import read_team

TIMES = {"grasp": {"": 3.0}, "open": {"": 5.0}, "put onto": {"": 4.0}, "put into": {"": 4.0}}
SLOW_RIGHT = ArmTeam(times={**TIMES, "grasp": {"": 3.0, "right": 7.0}}, usual=2.0)
MIXED = ArmTeam(
    ("left", "right", "Ada"),
    {"left": "R1", "right": "R1", "Ada": "Ada"},
    {**TIMES, "cut with": {"left": None, "right": 12.0, "Ada": 8.0}},
    2.0,
)


@pytest.mark.few(4)
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.parametrize("team", [SLOW_RIGHT, MIXED])
def test_plans_in_seconds_can_be_done_and_are_never_below_the_bound(
    number: int, team: ArmTeam
) -> None:
    graph = task_graph(number)
    plan = schedule(graph, team=team, objective="makespan")
    assert slot_problems(graph, plan.slots) == []
    assert plan.makespan is not None
    assert plan.makespan_bound is not None
    assert plan.makespan >= plan.makespan_bound - 1e-9
    assert plan.makespan == max(slot.end for slot in plan.slots)


@pytest.mark.few(2)
@pytest.mark.parametrize("number", [2, 5, 8])
@pytest.mark.parametrize("team", [SLOW_RIGHT, MIXED])
def test_cp_sat_proves_or_betters_and_agrees_with_what_is_called_optimal(
    number: int, team: ArmTeam
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


@pytest.mark.thorough
@pytest.mark.parametrize("installed", [True, False])
def test_unlike_arms_end_sooner_than_dispatched_within_the_seconds(
    monkeypatch: pytest.MonkeyPatch, installed: bool
) -> None:
    graph = random_graph(3, 90)
    rng = random.Random(3)
    arms = ("left", "right", "Ada")
    times: dict[str, dict[str, float | None]] = {
        command: {arm: float(rng.randint(3, 14)) for arm in arms}
        for command in sorted({one.command for one in graph.work()})
    }
    team = ArmTeam(arms, {"left": "R1", "right": "R1", "Ada": "Ada"}, times, 5.0)
    problem = problem_of(graph, team=team)
    first = dispatched(problem, NodeDurations(problem, team))
    assert first is not None
    monkeypatch.setattr(methods, "has_solver", lambda: installed)
    told: list[tuple[float, float]] = []
    plan = schedule(
        graph,
        team=team,
        objective="makespan",
        seconds=1.0,
        time_gap=lambda end, bound: told.append((end, bound)),
    )
    assert slot_problems(graph, plan.slots) == []
    assert plan.makespan is not None
    assert plan.makespan < first.makespan
    assert told
    assert plan.seconds < 4  # the limit, and what a busy machine adds


@pytest.mark.few(2)
@pytest.mark.parametrize("seed", range(6))
def test_nobody_waits_for_the_end_of_a_stage(seed: int) -> None:
    graph = random_graph(seed, 40)
    problem = problem_of(graph)
    clock = NodeDurations(problem, SLOW_RIGHT)
    few = shortest(problem)
    slots = left_shift(problem, clock, few.stages)
    assert slot_problems(graph, slots) == []
    made = schedule_in_time(problem, clock, few.stages)
    assert slot_problems(graph, made.slots) == []
    whole = staged_makespan(problem, clock, few.stages)
    assert makespan_bound(problem, clock) <= made.makespan <= max(s.end for s in slots) <= whole


def test_a_slow_arm_does_less_than_its_share_of_the_bound() -> None:
    graph = TaskGraph(tuple(node(n, "open", "operate") for n in range(1, 5)))
    team = ArmTeam(times={"open": {"left": 1.0, "right": 3.0}})
    problem = problem_of(graph, team=team)
    bound = makespan_bound(problem, NodeDurations(problem, team))  # 2.0 if both were as fast
    assert 2.9 < bound <= 3.0 + 1e-9  # three by the left arm beside one by the right


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
    team = ArmTeam(times={"open": {"": None}})
    with pytest.raises(ScheduleError, match="node_1: no arm can do open box"):
        schedule(TaskGraph((node(1, "open box", "operate"),)), team=team)


def test_a_hold_that_nobody_can_do_to_its_end_is_named() -> None:
    team = ArmTeam(times={"grasp": {"left": None, "": 1.0}, "put": {"right": None, "": 1.0}})
    graph = TaskGraph((node(1, "grasp cup", "occupy"), node(2, "put cup", "release", (1,))))
    with pytest.raises(ScheduleError, match="no arm can do all from it to node_2"):
        schedule(graph, team=team)


def test_a_team_is_read() -> None:
    team, found = read_team(
        "arms: {left: R1, Ada: Ada}\ntimes: {grasp: 3s, cut with: {Ada: 8s, left: no}}\nusual: 5s\n"
    )
    assert found == []
    assert team == ArmTeam(
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
        ("arms: [left]\ntimes: {grasp: {lift: 3s}}\n", 2, "unknown arm 'lift'"),
        ("arms: [left]\nusual: 0s\n", 2, "more than no time"),
        ("times: {}\n", 1, "'arms' is missing"),
        ("arms: [a]\nuse: 3\n", 2, "unknown key 'use'"),
    ],
)
def test_what_is_wrong_in_a_team_is_told_at_its_line(text: str, line: int, message: str) -> None:
    team, found = read_team(text)
    assert team is None
    assert any(d.span.line == line and message in d.message for d in found), found


@given(st.integers(0, 10**6), st.integers(4, 24), st.sampled_from((0.5, 1.0, 2.0)))
@settings(
    max_examples=many(12, 5),
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_plans_in_seconds_of_random_graphs_and_teams(seed: int, size: int, links: float) -> None:
    graph = random_graph(seed, size, links)
    rng = random.Random(seed)
    arms = ("left", "right", *("Ada", "Ben")[: rng.randrange(3)])
    body = {"left": "R1", "right": "R1", "Ada": "Ada", "Ben": "Ben"}
    times: dict[str, dict[str, float | None]] = {
        node.id: {"": float(rng.randint(1, 9)), rng.choice(arms): float(rng.randint(1, 9))}
        for node in graph.work()
    }
    team = ArmTeam(arms, {arm: body[arm] for arm in arms}, times)
    plan = schedule(graph, team=team, objective="makespan")
    assert slot_problems(graph, plan.slots) == []
    assert plan.makespan is not None
    assert plan.makespan_bound is not None
    assert plan.makespan >= plan.makespan_bound - 1e-9
    for slot in plan.slots:
        own = [team.takes(graph.by_id[slot.node], arm) for arm in slot.arms]
        assert slot.end - slot.start == pytest.approx(max(t or 0.0 for t in own))


def mosaic() -> tuple[ArmTeam, TaskGraph]:
    """MOSAIC's agents as a team, each a body of its own, and one of its recipes as a graph."""
    library = load_library(Path(__file__).parents[5])
    system = library.find("system", "mosaic")
    assert system is not None
    view = View(library, system)
    known = knowledge_of(view)
    recipe = view.all("recipe")["Caesar Salad"].model
    numbers = {id: number for number, id in enumerate(recipe.subtasks, 1)}
    nodes: list[GraphNode] = []
    times: dict[str, dict[str, float | None]] = {}
    seconds = {"R1": 20.0, "R2": 30.0, "user": 25.0}
    for id, one in recipe.subtasks.items():
        nodes.append(
            node(numbers[id], f"{id} .", "operate", tuple(numbers[other] for other in one.after))
        )
        bound = known.words.match(one.do or id)
        task = None if bound is None else bound.task
        times[nodes[-1].id] = {
            who: seconds[who] if known.able(who, task) else None for who in view.agents
        }
    names = tuple(view.agents)
    return ArmTeam(names, dict(zip(names, names, strict=True)), times), TaskGraph(tuple(nodes))


@pytest.mark.needs_system("mosaic")
def test_mosaics_agents_share_a_recipe_out_by_who_can_and_how_long_it_takes() -> None:
    team, graph = mosaic()
    assert team.arms == ("R1", "R2", "user")
    plan = schedule(graph, team=team, objective="makespan")
    assert slot_problems(graph, plan.slots) == []
    assert plan.makespan is not None
    by = {slot.node: slot.arms[0] for slot in plan.slots}
    for id, who in by.items():
        assert team.takes(graph.by_id[id], who) is not None
    assert {by["node_1"], by["node_2"]} <= {"R2", "user"}  # R1 fetches nothing
    assert by["node_3"] == "user"  # nobody else prepares lettuce
    proved = schedule(graph, "cp-sat", team=team, objective="makespan", seconds=30)
    assert proved.optimal
    assert proved.makespan is not None
    assert plan.makespan <= 1.1 * proved.makespan
    stages = schedule(graph, team=team)
    assert problems(graph, stages.stages) == []
    assert stages.optimal
