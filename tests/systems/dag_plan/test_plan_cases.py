"""Examples of `plan` prompts are cases like the others, through the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from treec_fake_model.thread import FakeModelThread

pytestmark = pytest.mark.needs_system("mosaic")

ASIDE = "Task_Graph/something-goes-into-a-drawer-that-is-closed"
PROMPT = "prompts/dag_plan/graph/task_graph.plan.yaml"
GRAPH = """\
nodes:
  node_1: {name: 'grasp "cup"', arm_num: 1, edge: [], type: occupy, description: Take it.}
  node_2: {name: 'open "drawer"', arm_num: 1, edge: [], type: operate, description: Pull.}
  node_3: {name: 'put "cup" into "drawer"', arm_num: 1, edge: [2, 1], type: release}
  node_4: {name: 'close "drawer"', arm_num: 1, edge: [1, 2, 3], type: operate, description: Push.}
  node_5: {name: task complete, arm_num: 0, edge: [4], type: complete, description: Done.}
"""
STAGES = """\
stages:
  stage_1: {name: 'open "drawer" (left) and grasp "cup" (right)'}
  stage_2: {name: 'None (left) and put "cup" into "drawer" (right)'}
  stage_3: {name: 'close "drawer" (left)'}
"""
APPLE = """\
case: apple
node: Task_Graph
given: {task: put the apple and bread onto the plate}
"""


def recorded_by_hand(treec: Treec, library: Path, case: str, text: str) -> str:
    file = library.parent / "answer.txt"
    file.write_text(text, "utf-8")
    done = treec("snapshot", case, "--record", "--answer", file, "-L", library)
    return done.out + done.err


def edit(library: Path, old: str, new: str) -> None:
    path = library / PROMPT
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


@pytest.mark.thorough
def test_plan_examples_are_listed_those_of_methods_to_compare_with_too(
    library: Path, treec: Treec
) -> None:
    done = treec("case", "list", "Task_Graph", "TP_S", "TP_D", "-L", library)
    assert done.status == 0
    assert f"{ASIDE}  never recorded  {PROMPT}:" in done.out
    assert done.out.endswith("3 cases\n")


@pytest.mark.thorough
def test_an_answer_by_hand_is_judged_and_stands_whatever_its_order(
    library: Path, treec: Treec
) -> None:
    told = recorded_by_hand(treec, library, ASIDE, GRAPH)
    assert f"recorded {ASIDE} (by: hand)" in told
    assert told.endswith("1 written by hand, in no score\n1 case: nothing differs\n")
    path = library / f"tests/decisions/recordings/{ASIDE}.yaml"
    text = path.read_text("utf-8")
    assert '\'put "cup" into "drawer", after grasp "cup" and open "drawer"\'' in text
    assert '\'close "drawer", after put "cup" into "drawer"\'' in text  # the rest follows from it
    told = recorded_by_hand(treec, library, "TP_D", STAGES)
    assert told.endswith("1 case: nothing differs\n")


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('close "drawer"', 'shut "drawer"', "unknown command 'shut \"drawer\"'"),
        ("edge: [4]", "edge: [3]", "nothing waits for node_4"),
        ('put "cup" into "drawer"', 'put "cup"', "unknown command"),
    ],
)
def test_a_wrong_answer_by_hand_is_refused_with_what_is_wrong(
    library: Path, treec: Treec, old: str, new: str, why: str
) -> None:
    assert why in recorded_by_hand(treec, library, ASIDE, GRAPH.replace(old, new))
    assert not (library / "tests/decisions/recordings").exists()


def test_without_a_model_the_graph_of_the_tasks_file_is_recorded_and_no_other(
    library: Path, treec: Treec
) -> None:
    (library / "tests/decisions").mkdir(parents=True)
    (library / "tests/decisions/apple.case.yaml").write_text(APPLE, "utf-8")
    done = treec("snapshot", "Task_Graph", "--record", "-L", library)
    assert done.status == 1
    assert f"{ASIDE}: no plan for 'put the cup away'" in done.out
    assert "recorded Task_Graph/apple (by: offline)" in done.out
    path = library / "tests/decisions/recordings/Task_Graph/apple.yaml"
    assert 'put "apple" onto "plate", after grasp "apple"' in path.read_text("utf-8")


@pytest.mark.thorough
def test_an_edited_prompt_makes_it_stale_and_a_wrong_example_impossible(
    library: Path, treec: Treec
) -> None:
    recorded_by_hand(treec, library, ASIDE, GRAPH)
    edit(library, "Write no node that", "Write no step that")
    done = treec("snapshot", ASIDE, "-L", library)
    assert "stale    " in done.out
    assert "'node' → 'step'" in done.out
    edit(library, "type: release", "type: operate")
    done = treec("snapshot", ASIDE, "-L", library)
    assert "impossible" in done.out


@pytest.mark.thorough
def test_a_plan_node_is_asked_and_each_attempt_is_shown_with_its_verdict(
    library: Path, treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789abcdef0123")
    given = library.parent / "given.yaml"
    given.write_text("task: put the apple and bread onto the plate\n", "utf-8")
    wrong = "nodes:\n  node_1: {name: 'grasp \"melon\"', arm_num: 1, edge: [], type: occupy}\n"
    right = (library / "trees/dag_plan/graphs/task_1.yaml").read_text("utf-8")
    cases = [{"times": 1, "answer": {"reasoning": "", "plan": wrong}}, {"answer": right}]
    with FakeModelThread({"cases": cases}) as server:
        asked = ("--model", "openai/x", "--api-base", server.url, "--output-format", "json")
        done = treec("ask", "Task_Graph", "--given", given, *asked, "-L", library)
    assert done.status == 0, done
    told = json.loads(done.out)
    verdicts = [attempt["verdict"] for attempt in told["attempts"]]
    assert 'unknown object "melon" in this task' in verdicts[0]
    assert verdicts[1] == "accepted"
    assert told["decision"]["plan"][0] == 'grasp "apple"'
    observation = told["request"]["messages"][-1]["content"]
    assert 'obj_names: ["table", "plate", "apple", "bread", ' in observation


def test_what_is_not_given_to_a_plan_is_told(library: Path, treec: Treec) -> None:
    given = library.parent / "given.yaml"
    given.write_text("tsk: x\n", "utf-8")
    done = treec("ask", "Task_Graph", "--given", given, "-L", library)
    assert (done.status, "'tsk' is not what Task_Graph sees: constraints" in done.err) == (2, True)
    for more in ((), ("Task_Graph", "TP_S")):
        done = treec("snapshot", *more, "--record", "--answer", given, "-L", library)
        assert (done.status, "--answer is for one case of a node: specify it" in done.err) == (
            2,
            True,
        )
    done = treec("snapshot", "--answer", given, "-L", library)
    assert (done.status, "--answer needs --record or --refresh CASE" in done.err) == (2, True)
