"""Plans sampled from a model are sent back with what is wrong, judged, counted and kept.

The model is the fake server, with answers that were written by hand.
"""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from experiments.dag_plan.plan_judge import (
    GOAL_MISSED,
    NO_COMMAND,
    NO_PLAN,
    NOT_POSSIBLE,
    STUCK,
    TWO_AT_ONCE,
    judge_graph,
    judge_stages,
)
from experiments.dag_plan.sample_store import FILE, SampleFolder
from experiments.dag_plan.sampling import (
    AT_ONCE,
    PlanPrompt,
    SampleSettings,
    make_prompts,
    make_requests,
    sample_all,
    sample_one,
)
from tests.cli.conftest import Result
from tests.experiments.conftest import Experiment
from treec.ask.transport import Answer, Request
from treec.files.library import Library, load_library
from treec_dag_plan.arms.model import TaskGraph
from treec_dag_plan.arms.problem import AllocationProblem, problem_in
from treec_fake_model.thread import FakeModelThread

ROOT = Path(__file__).parents[3]
HERE = ROOT / "tests/systems/dag_plan/answers"
STAGES = yaml.safe_load((HERE / "task_1_stages.yaml").read_text("utf-8"))
GRAPH = yaml.safe_load((HERE / "task_1.yaml").read_text("utf-8"))
RIGHT: dict[str, Any] = {
    "Task_Graph": GRAPH["answer"],
    "TP_S": STAGES["TP_S"],
    "TP_D": STAGES["TP_D"],
}
GARBAGE = "I would put the apple and the bread onto the plate."


def changed(node: str, old: str, new: str) -> dict[str, Any]:
    """A right answer with something else in it."""
    plan = RIGHT[node]["plan"]
    assert old in plan
    return {**RIGHT[node], "plan": plan.replace(old, new, 1)}


NO_EDGE = changed("Task_Graph", "edge: [1]", "edge: []")
ONE_HAND = changed("TP_D", 'grasp "bread" (left)', 'grasp "bread" (right)')


class Sampled:
    """An evaluation for task 1 against the fake server."""

    def __init__(
        self, experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-none")
        self.experiment = experiment
        self.keep = tmp_path / "kept"
        self.asked: list[str] = []

    def __call__(self, *args: object, **first: Any) -> Result:
        """Run it; `first` are answers of nodes before, or instead of, the right ones."""
        cases: list[dict[str, Any]] = []
        for node, right in RIGHT.items():
            given = first.get(node, [])
            if isinstance(given, list):
                cases += [{"node": node, "times": 1, "answer": one} for one in given]
                cases.append({"node": node, "answer": right})
            else:
                cases.append({"node": node, "answer": given})
        cases = [{"tokens": (100, 20), **case} for case in cases]
        with FakeModelThread({"model": "m-7", "cases": cases}) as server:
            at = ("--model", "openai/gpt-4o", "--api-base", server.url, "--keep", self.keep)
            result = self.experiment("dag_plan.dual_arm", "-L", ROOT, "--task", 1, *at, *args)
            self.asked = [one.text for one in server.model.asked]
        return result

    def json(self, *args: object, **first: Any) -> dict[str, Any]:
        """What it came to, as data."""
        result = self("--output-format", "json", *args, **first)
        assert result.status == 0, result.err
        found: dict[str, Any] = json.loads(result.out)["sampled"]
        return found


def row(found: dict[str, Any], method: str) -> dict[str, Any]:
    (one,) = [row for row in found["rows"] if row["method"] == method]
    return dict(one)


@pytest.fixture
def sampled(experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sampled:
    return Sampled(experiment, tmp_path, monkeypatch)


@pytest.mark.thorough
def test_right_plans_are_counted_with_their_stages_and_what_they_cost(sampled: Sampled) -> None:
    found = sampled.json("--samples", 2)
    stages = {one["method"]: one["stages"] for one in found["rows"]}
    assert stages == {
        "TP-S, sampled": [4],
        "TP-D, sampled": [2],
        "DAG-Plan, sampled, the paper's rule": [2],
        "DAG-Plan, sampled, shortest": [2],
    }
    for one in found["rows"]:
        assert (one["plans"], one["success_rate"], one["success_rate_at_first"]) == ([2], [1], [1])
        assert one["causes"] == {}
    assert row(found, "TP-D, sampled")["stage_efficiency"] == 200
    spent = found["spent"]
    assert (spent["answers"], spent["input_tokens"], spent["output_tokens"]) == (6, 600, 120)
    assert spent["cost"] > 0
    assert (found["model"], found["temperature"]) == ("openai/gpt-4o", 0.5)


@pytest.mark.slow
def test_the_plans_of_a_model_are_executed_from_the_folder(sampled: Sampled) -> None:
    assert sampled("--samples", 1, TP_D=GARBAGE).status == 0
    order = ("dag_plan.dual_arm", "-L", ROOT, "--env", "symbolic", "--plans", sampled.keep)
    done = sampled.experiment(*order, "--n", 1, "-j", 1, "--output-format", "json")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert [(one["method"], one["ok"]) for one in found["trials"]] == [
        ("DAG-Plan", True),
        ("TP-S", True),
        ("TP-D", False),
    ]
    assert found["execution_efficiency"]["DAG-Plan"] == pytest.approx(200)
    assert found["execution_efficiency"]["TP-D"] == pytest.approx(100)


@pytest.mark.thorough
def test_a_plan_is_sent_back_with_what_is_wrong_and_counts_when_mended(sampled: Sampled) -> None:
    found = sampled.json("--samples", 1, Task_Graph=[NO_EDGE], TP_D=[ONE_HAND])
    for method in ("TP-D, sampled", "DAG-Plan, sampled, shortest"):
        assert row(found, method)["success_rate"] == [1]
        assert row(found, method)["success_rate_at_first"] == [0]
    assert found["spent"]["answers"] == 5
    back = [text for text in sampled.asked if "That cannot be used" in text]
    assert len(back) == 2
    assert any('grasp "apple", and no release node lets go of it' in text for text in back)
    assert any("the arm does" in text for text in back)


@pytest.mark.thorough
def test_parts_are_left_out_of_the_prompt_and_compared(sampled: Sampled) -> None:
    """Without types the model writes none, and its graph is judged with those of its commands."""
    plan = RIGHT["Task_Graph"]["plan"]
    untyped = "".join(line for line in plan.splitlines(True) if "type:" not in line)
    bare = {**RIGHT["Task_Graph"], "plan": untyped}
    right, order = RIGHT["Task_Graph"], ("--samples", 1, "--ablations", "--jobs", 1)
    result = sampled(*order, Task_Graph=[NO_EDGE, right, right, bare])
    assert result.status == 0, result.err
    at = result.out.index("ablations")
    rows = {line[:20].strip(): line.split()[-2] for line in result.out[at:].splitlines()[1:5]}
    assert rows == {
        "DAG-Plan": "100.0",
        "without reflection": "0.0",
        "without examples": "100.0",
        "without node types": "100.0",
    }
    graphs = [text for text in sampled.asked if "`arm_num` is 1" in text]
    assert sum("put the cup away" not in text for text in graphs) == 1  # no example
    assert sum("`type` is the one" not in text for text in graphs) == 1
    assert not any("(type:" in text or "    type: occupy" in text for text in graphs[-1:])


@pytest.mark.thorough
def test_what_never_becomes_right_fails_and_counts_as_for_one_arm(sampled: Sampled) -> None:
    result = sampled("--samples", 1, Task_Graph=NO_EDGE, TP_D=ONE_HAND, TP_S=GARBAGE)
    assert result.status == 0, result.err
    assert len(sampled.asked) == 12  # three methods, each sent back three times
    lines = result.out.splitlines()
    at = lines.index("sampled: openai/gpt-4o, temperature 0.5, a plan a task")
    told = "\n".join(lines[at:])
    assert told.count("fail ") == 4
    assert told.count("100.0 %") == 4  # the stages of a plan for one arm
    assert f"1 × {NO_PLAN}" in told
    assert f"1 × {NOT_POSSIBLE}" in told
    assert told.count("1 × TC727") == 2  # by either schedule
    assert "not run: no model" not in result.out


@pytest.mark.thorough
def test_what_was_answered_before_a_limit_is_kept_and_not_asked_again(sampled: Sampled) -> None:
    cut = sampled.json("--samples", 3, "--max-tokens", 300, "--jobs", 1)
    assert sum(cut["unanswered"].values()) == 6
    assert all("limit of 300 tokens" in why for why in cut["unanswered"])
    assert [one["plans"] for one in cut["rows"]] == [[1], [1], [1], [1]]
    file = sampled.keep / FILE
    assert len(file.read_text("utf-8").splitlines()) == 3
    with file.open("a", encoding="utf-8") as half:
        half.write('{"asked": {"model": "openai/')
    whole = sampled.json("--samples", 3)
    assert len(sampled.asked) == 6
    assert all(one["plans"] == [3] and one["success_rate"] == [1] for one in whole["rows"])
    assert whole["spent"]["answers"] == 9
    sampled.json("--samples", 3)
    assert sampled.asked == []
    sampled.json("--samples", 1, "--temperature", 0)
    assert len(sampled.asked) == 3


def test_a_folder_that_cannot_be_is_told(sampled: Sampled) -> None:
    sampled.keep.write_text("a file", "utf-8")
    result = sampled("--samples", 1)
    assert result.status == 2
    assert str(sampled.keep) in result.err
    assert sampled.asked == []


def test_a_model_that_names_no_provider_is_told(experiment: Experiment) -> None:
    result = experiment("dag_plan.dual_arm", "-L", ROOT, "--model", "gpt")
    assert result.status == 2
    assert "has no provider" in result.err


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library(ROOT)


@pytest.fixture(scope="module")
def problem(library: Library) -> AllocationProblem:
    return problem_in(library, "task_1")


def test_no_more_are_asked_for_at_once_than_may_be(
    library: Library, problem: AllocationProblem, tmp_path: Path
) -> None:
    class Counting:
        now = most = 0

        async def ask(self, request: Request) -> Answer:
            assert request.temperature == 0.7
            self.now += 1
            self.most = max(self.most, self.now)
            for _ in range(5):
                await asyncio.sleep(0)
            self.now -= 1
            return Answer(json.dumps(RIGHT[request.node]), "hand")

    transport, kept = Counting(), SampleFolder(tmp_path)
    todo = make_requests(make_prompts(library, [problem]), SampleSettings("hand", 0.7, 5))
    ticks: list[int] = []
    found = asyncio.run(sample_all(todo, transport, AT_ONCE, kept, lambda: ticks.append(1)))
    assert transport.most == AT_ONCE
    assert len(found) == len(ticks) == 15
    assert SampleFolder(tmp_path).samples == {one.asked: one for one in found}


def test_a_changed_prompt_or_world_is_another_question(
    library: Library, problem: AllocationProblem
) -> None:
    one, two, three = make_prompts(library, [problem])
    assert len({one.fingerprint, two.fingerprint, three.fingerprint}) == 3
    other = PlanPrompt(one.method, problem, one.entry, one.messages[:-1])
    assert other.fingerprint != one.fingerprint


@pytest.mark.parametrize(
    ("old", "new", "cause"),
    [
        ('grasp "apple" (right)', 'grasp "pear" (right)', NO_COMMAND),
        ('grasp "apple" (right)', 'grasp "apple" (left) and grasp "bread" (right)', TWO_AT_ONCE),
        ('"apple" onto "plate"', '"apple" onto "table"', GOAL_MISSED),
        ('put "apple" onto "plate" (right)', 'put "apple" onto "plate" (left)', NOT_POSSIBLE),
        ("(left)", "(with the tail)", "TC732"),
    ],
)
def test_what_is_wrong_with_stages_is_named(
    problem: AllocationProblem, old: str, new: str, cause: str
) -> None:
    judged = judge_stages(changed("TP_S", old, new)["plan"], problem, at_once=1)
    assert not judged.good
    assert judged.stages == {}
    assert judged.findings[0].cause.startswith(cause)


def test_stages_in_a_fence_are_read(library: Library, problem: AllocationProblem) -> None:
    class Fenced:
        async def ask(self, request: Request) -> Answer:
            return Answer(f"Here:\n```yaml\n{RIGHT['TP_D']['plan']}```\n", "hand")

    (prompt,) = [one for one in make_prompts(library, [problem]) if one.method == "TP-D"]
    request = prompt.request(SampleSettings("hand", 0.0, 1), 1)
    sample = asyncio.run(sample_one(prompt, request, Fenced()))
    assert sample.judged.stages == {"": 2}


def test_a_schedule_that_is_stuck_fails_alone(problem: AllocationProblem) -> None:
    def stuck(graph: TaskGraph, layout: object) -> Any:
        raise ValueError("both hands are full")

    judged = judge_graph(RIGHT["Task_Graph"]["plan"], problem, [("stuck", stuck)])
    assert judged.good
    assert judged.failed["stuck"].cause == STUCK
    assert judged.stages == {}
