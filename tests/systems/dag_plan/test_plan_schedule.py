"""``treec plan schedule`` as a user calls it."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from tests.cli.conftest import Treec
from tests.systems.dag_plan.arms.conftest import GRAPHS
from tests.systems.dag_plan.arms.schedule.random_graphs import random_graph
from treec_dag_plan.arms.schedule import methods
from treec_dag_plan.cli import plan_schedule

TASK_8 = GRAPHS / "task_8.yaml"
TASK_1 = GRAPHS.parent / "problems/task_1.problem.yaml"


def test_the_stages_as_a_table(treec: Treec) -> None:
    done = treec("plan", "schedule", TASK_8)
    assert (done.status, done.err) == (0, "")
    head, first, *_ = done.out.splitlines()
    assert head.split() == ["stage", "left", "right"]
    assert first.startswith('1      node_1: open "cabinet_left_door"')
    assert "task_8.yaml: 6 stages, no plan has fewer; found in" in done.out


def test_json_is_as_promised(treec: Treec) -> None:
    done = treec("plan", "schedule", TASK_8, "--output-format", "json")
    told = json.loads(done.out)
    assert (told["stages_count"], told["lower_bound"], told["optimal"]) == (6, 6, True)
    assert len(told["stages"]) == 6
    assert told["stages"][0] == {"left": "node_1", "right": "node_3"}
    assert isinstance(told["seconds"], float)
    assert all(set(stage) == {"left", "right"} for stage in told["stages"])


def test_a_node_for_both_arms_stands_on_both_sides(treec: Treec) -> None:
    done = treec("plan", "schedule", GRAPHS / "task_9.yaml", "--output-format", "json")
    stages = json.loads(done.out)["stages"]
    assert {"left": "node_2", "right": "node_2"} in stages
    assert not any("node_14" in stage.values() for stage in stages)  # complete is no stage


def test_the_papers_rule(treec: Treec) -> None:
    call = ("plan", "schedule", TASK_8, "--method", "paper", "--output-format", "json")
    assert json.loads(treec(*call).out)["stages_count"] == 7
    assert json.loads(treec(*call, "--check", "off").out)["stages_count"] == 6


def test_where_it_is_stuck_and_why(treec: Treec) -> None:
    call = ("plan", "schedule", GRAPHS / "task_9.yaml", "--method", "paper", "--check", "off")
    done = treec(*call)
    assert (done.status, done.out) == (1, "")
    assert "stuck after 2 stages: 3 of 13 nodes are done" in done.err
    assert "holds carrot" in done.err
    assert "node_2 needs 2 arms, and none is free" in done.err
    told = json.loads(treec(*call, "--output-format", "json").out)
    assert told["stuck"]["reasons"]["node_2"] == "needs 2 arms, and none is free"
    assert told["stuck"]["reasons"]["node_12"] == "waits for node_7"


def test_the_picture(treec: Treec) -> None:
    done = treec("plan", "schedule", TASK_8, "--output-format", "svg")
    root = ElementTree.fromstring(done.out)
    words = "".join(root.itertext())
    assert 'grasp "knife"' in words
    assert "left holds knife" in words
    assert "6 stages, no plan has fewer" in words


def test_a_layout_and_what_is_wrong_in_one(treec: Treec, tmp_path: Path) -> None:
    layout = tmp_path / "layout.yaml"
    things = ["apple", "bread", "plate"]
    places = "".join(f"  {thing}: [{2 * n}, 0]\n" for n, thing in enumerate(things))
    layout.write_text(f"hands: {{left: [0, 0], right: [1, 0]}}\ndistance: 1\nobjects:\n{places}")
    done = treec("plan", "schedule", GRAPHS / "task_1.yaml", "--layout", layout)
    assert "task_1.yaml: 3 stages, no plan has fewer" in done.out
    layout.write_text("hands: {left: [0, 0]}\nobjects: {apple: here}\n")
    done = treec("plan", "schedule", GRAPHS / "task_1.yaml", "--layout", layout)
    assert done.status == 1
    assert "layout.yaml:2:18: error TC711: " in done.out
    assert "\n2 | objects: {apple: here}\n  |                  ^^^^\n" in done.out
    assert done.err == f"treec: {layout} has errors\n"


def test_what_is_wrong_in_a_team_is_shown_with_its_line(treec: Treec, tmp_path: Path) -> None:
    team = tmp_path / "team.yaml"
    team.write_text("arms: [left, right]\ntimes: {grasp: quick}\n")
    done = treec("plan", "schedule", TASK_8, "--team", team)
    assert done.status == 1
    assert "\n2 | times: {grasp: quick}\n" in done.out


def test_the_time_limit_counts_the_reading_too(
    treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []
    clock = iter([100.0, 101.5])
    monkeypatch.setattr(plan_schedule, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    whole = methods.schedule
    monkeypatch.setattr(
        methods,
        "schedule",
        lambda *args, seconds, **more: given.append(seconds) or whole(*args, **more),
    )
    assert treec("plan", "schedule", TASK_8, "--seconds", "2").status == 0
    assert given == [0.5]


def test_a_team_and_seconds(treec: Treec, tmp_path: Path) -> None:
    team = tmp_path / "team.yaml"
    team.write_text("arms: {left: R, right: R, Ada: Ada}\ntimes: {grasp: 3s}\nusual: 5s\n")
    call = ("plan", "schedule", TASK_8, "--team", team, "--objective", "makespan")
    told = json.loads(treec(*call, "--output-format", "json").out)
    assert told["makespan"] >= told["makespan_bound"]
    assert len(told["slots"]) == 9
    assert "all is done after" in treec(*call).out
    assert treec(*call, "--method", "paper").status == 2


@pytest.mark.parametrize("method", ["paper", "shortest", "cp-sat"])
def test_every_method_leaves_nodes_to_the_arms_that_can_do_them(
    treec: Treec, tmp_path: Path, method: str
) -> None:
    team = tmp_path / "team.yaml"
    text = "arms: [left, right]\ntimes: {open: {left: no}, cut with: {right: no}}\n"
    team.write_text(text)
    call = ("plan", "schedule", TASK_8, "--team", team, "--method", method)
    done = treec(*call, "--output-format", "json")
    assert done.status == 0, done.err
    stages = json.loads(done.out)["stages"]
    assert [stage["left"] for stage in stages].count("node_1") == 0
    assert {stage["right"] for stage in stages} >= {"node_1"}
    team.write_text("arms: [left, right]\ntimes: {open: no}\n")
    done = treec(*call)
    assert (done.status, done.out) == (1, "")
    assert "no arm can do open" in done.err


def test_a_plan_that_does_not_do_its_task_is_not_shown(treec: Treec) -> None:
    graph = GRAPHS / "task_2.yaml"
    done = treec("plan", "schedule", graph, "--method", "paper", "--task", TASK_1)
    assert (done.status, done.out) == (1, "")
    assert "no plan of this graph does the task: the goal is missed: " in done.err


def test_a_graph_that_cannot_be_read_or_understood(treec: Treec, tmp_path: Path) -> None:
    graph = tmp_path / "graph.yaml"
    graph.write_text('nodes:\n  node_1: {name: grasp "cup", arm_num: 1, edge: [], type: occupy}\n')
    done = treec("plan", "schedule", graph)
    assert done.status == 1
    assert ':2:3: error TC727: grasp "cup", and no release node lets go of it' in done.out
    assert '\n2 |   node_1: {name: grasp "cup", ' in done.out
    graph.write_text('nodes:\n  node_1: {name: open "x", arm_num: 1, edge: [1], type: operate}\n')
    done = treec("plan", "schedule", graph)
    assert done.status == 1
    assert "treec plan check" in done.err
    assert treec("plan", "schedule", tmp_path / "none.yaml").status == 2


@pytest.mark.slow
def test_two_thousand_nodes(treec: Treec, tmp_path: Path) -> None:
    path = tmp_path / "large.yaml"
    path.write_text(written(2000))
    done = treec("plan", "schedule", path, "--output-format", "json")
    told = json.loads(done.out)
    assert told["stages_count"] <= 1.02 * told["lower_bound"]


def written(size: int) -> str:
    """A random graph as a file."""
    lines = ["nodes:"]
    for node in random_graph(0, size).nodes:
        edges = ", ".join(id.removeprefix("node_") for id in node.after)
        words, last = node.command.partition(" ")[::2]
        things = [f'"{thing}"' for thing in node.objects]
        name = " ".join([words, *things[:1], *([last] if last else []), *things[1:]])
        lines += [
            f"  {node.id}:",
            f"    name: {name if node.objects else 'task complete'}",
            f"    arm_num: {node.arms}",
            f"    edge: [{edges}]",
            f"    type: {node.type}",
        ]
    return "\n".join(lines) + "\n"
