"""`treec plan`: check, make, validate, pddl."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT, Treec
from treec_dag_plan.arms import planner
from treec_dag_plan.arms.planner import PACKAGE

TREES = ROOT / "trees/dag_plan"
PLANS = ROOT / "tests/systems/dag_plan/arms/plans"


def task(number: int) -> Path:
    return TREES / f"problems/task_{number}.problem.yaml"


def graph(number: int) -> Path:
    return TREES / f"graphs/task_{number}.yaml"


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Task 5's graph, in which the tin is taken out of a closed cooler."""
    text = graph(5).read_text("utf-8")
    at = text.index("node_8:")
    path = tmp_path / "graph.yaml"
    path.write_text(text[:at] + text[at:].replace("edge: [1]", "edge: []", 1), "utf-8")
    return path


def test_a_right_graph_has_status_0(treec: Treec) -> None:
    result = treec("plan", "check", graph(5), "--task", task(5))
    assert (result.status, result.err) == (0, "")
    assert "10 sub-tasks: nothing is wrong\n" in result.out


def test_without_a_task_the_graph_is_checked_by_itself(treec: Treec, wrong: Path) -> None:
    result = treec("plan", "check", wrong)
    assert result.status == 0
    assert "by itself" in result.out


def test_a_wrong_graph_has_status_1_and_is_shown_at_its_line(treec: Treec, wrong: Path) -> None:
    result = treec("plan", "check", wrong, "--task", task(5))
    assert result.status == 1
    assert f"{wrong}:48:11: error TC729: the edges allow node_8 at the very start" in result.out
    assert "help: write node_1 among the edges of node_8" in result.out
    assert "1 error in 1 file" in result.out


def test_findings_as_json(treec: Treec, wrong: Path) -> None:
    result = treec("plan", "check", wrong, "--task", "task_5", "--output-format", "json")
    told = json.loads(result.out)
    assert result.status == 1
    assert told["all_orders"] is True
    assert [(p["code"], p["line"]) for p in told["problems"]] == [("TC729", 48)]


def test_a_hundred_thousand_nodes_are_one_finding(treec: Treec, tmp_path: Path) -> None:
    path = tmp_path / "graph.yaml"
    node = '  node_{0}: {{name: open "door", arm_num: 1, edge: [], type: operate}}\n'
    path.write_text("nodes:\n" + "".join(node.format(n) for n in range(100_000)), "utf-8")
    result = treec("plan", "check", path)
    assert result.status == 1
    assert result.out.count("error") == 2  # the finding, and the count of findings
    assert "error TC701: this graph has 100,000 nodes\n" in result.out


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("check", "nowhere.yaml"), "no such file: nowhere.yaml"),
        (("check", TREES), "this cannot be read: it is a folder"),
        (("check", graph(5), "--task", "no.problem.yaml"), "no such file: no.problem.yaml"),
        (("schedule", "nowhere.yaml"), "no such file: nowhere.yaml"),
        (("schedule", graph(5), "--layout", "nowhere.yaml"), "no such file: nowhere.yaml"),
        (("schedule", graph(5), "--team", "nowhere.yaml"), "no such file: nowhere.yaml"),
        (("validate", "nowhere.yaml", "--task", task(5)), "no such file: nowhere.yaml"),
        (("validate", graph(5), "--task", task(5), "--graph", "no.yaml"), "no such file: no"),
        (("check", graph(5), "--task", "task_55"), "did you mean 'task_5'"),
        (("validate", PLANS / "task_5_tp_s.yaml"), "--task"),
        (("pddl", "--task", graph(5)), "ends in .problem.yaml"),
    ],
)
def test_what_cannot_be_used_is_told(treec: Treec, args: tuple[object, ...], says: str) -> None:
    result = treec("plan", *args)
    assert (result.status, result.out) == (2, "")
    assert says in result.err


def test_a_good_plan_and_a_bad_one(treec: Treec) -> None:
    good = treec("plan", "validate", PLANS / "task_5_dag_plan.yaml", "--task", task(5))
    assert (good.status, good.err) == (0, "")
    assert "6 stages, all can be done, and the goal is reached" in good.out
    bad = treec("plan", "validate", PLANS / "task_5_tp_d.yaml", "--task", task(5))
    assert bad.status == 1
    where = 'task_5_tp_d.yaml:6:65: error TC733: stage 4, left: switch_on "microwave": '
    assert where + "opened(microwave_door) is so, and must not be\n" in bad.out
    assert "6 |   stage_4: {name: 'close" in bad.out
    assert "    ^^^^^^^^^^^^^^^^^^^^^\n" in bad.out


def test_the_violation_as_json(treec: Treec) -> None:
    path = PLANS / "task_8_tp_d.yaml"
    result = treec("plan", "validate", path, "--task", "task_8", "--output-format", "json")
    told = json.loads(result.out)
    assert (result.status, told["valid"]) == (1, False)
    assert told["violation"] == {
        "stage": 5,
        "arms": ["left"],
        "sub_task": 'cut "red_bell_pepper" with "knife"',
        "reason": "holding(left) == knife is needed, and holding(left) is none",
        "line": 7,
    }


def test_crossing_arms_are_found_with_a_layout(treec: Treec, tmp_path: Path) -> None:
    layout = tmp_path / "layout.yaml"
    layout.write_text(
        "layout: here\nhands: {left: [-0.3, 0, 0.9], right: [0.3, 0, 0.9]}\n"
        "objects: {refrigerator_cooler_door: [0.9, 0.2, 1], microwave_door: [0.4, 0.3, 1]}\n",
        "utf-8",
    )
    path = PLANS / "task_5_tp_d.yaml"
    result = treec("plan", "validate", path, "--task", task(5), "--layout", layout)
    assert result.status == 1
    assert "stage 1, left and right" in result.out
    assert "the arms would cross" in result.out


def test_a_plan_names_the_nodes_of_its_graph(treec: Treec, tmp_path: Path) -> None:
    plan = tmp_path / "plan.json"
    stages = [{"left": "node_1", "right": "node_3"}, {"left": "node_2", "right": "node_4"}]
    plan.write_text(json.dumps({"stages": stages}), "utf-8")
    named = treec("plan", "validate", plan, "--task", task(1), "--graph", graph(1))
    assert named.status == 0
    own = treec("plan", "validate", plan, "--task", task(1))
    assert (own.status, own.out) == (0, named.out)


def test_a_plan_that_cannot_be_read_is_shown_with_an_excerpt(treec: Treec) -> None:
    result = treec("plan", "validate", PLANS / "task_8_tp_s.yaml", "--task", task(8))
    assert result.status == 1
    assert (
        "task_8_tp_s.yaml:8:20: error TC732: stage 6 does not say which arm does this" in result.out
    )


def test_pddl_is_printed_or_written(treec: Treec, tmp_path: Path) -> None:
    printed = treec("plan", "pddl", "--task", task(5))
    assert printed.status == 0
    assert printed.out.startswith("(define (domain dual_kitchen)")
    assert "(define (problem task_5)" in printed.out
    written = treec("plan", "pddl", "--task", task(5), "-o", tmp_path / "out")
    assert written.status == 0
    domain = (tmp_path / "out/domain.pddl").read_text("utf-8")
    assert domain in printed.out


def test_rules_of_graphs_are_explained(treec: Treec) -> None:
    result = treec("explain", "TC730")
    assert result.status == 0
    assert "misses the goal" in result.out


def test_outside_a_library_the_task_is_spoken_of(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    named = treec("plan", "check", graph(5), "--task", "task_5")
    assert named.status == 2
    assert "'task_5' is the name of a task, and tasks have names in a library" in named.err
    gone = treec("plan", "check", graph(5), "--task", "nowhere.problem.yaml")
    assert gone.err == "treec: no such file: nowhere.problem.yaml\n"
    alone = tmp_path / "task_5.problem.yaml"
    alone.write_bytes(task(5).read_bytes())
    stray = treec("plan", "check", graph(5), "--task", alone)
    assert stray.status == 2
    assert "lies in no library, whose scene and skills it needs" in stray.err
    assert treec("plan", "check", graph(5), "--task", task(5)).status == 0


@pytest.mark.thorough
@pytest.mark.skipif(find_spec(PACKAGE) is None, reason="Fast Downward is not installed")
def test_a_graph_is_made_without_a_model_and_passes_the_check(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "graph.yaml"
    made = treec("plan", "make", "--task", "task_1", "-L", ROOT, "-o", file)
    assert made.status == 0, made.err
    assert "4 sub-tasks, every order reaches the goal" in made.err
    checked = treec("plan", "check", file, "--task", "task_1", "-L", ROOT)
    assert (checked.status, "nothing is wrong" in checked.out) == (0, True)


def test_making_a_graph_says_how_to_get_the_planner(
    treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(planner, "find_spec", lambda name: None)
    result = treec("plan", "make", "--task", "task_1", "-L", ROOT)
    assert result.status == 2
    assert "treec[plans]" in result.err
