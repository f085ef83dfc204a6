"""The nine tasks done in an environment: trials, their table, the command."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path

import pytest
import yaml

from experiments.command import main
from experiments.dag_plan import trials as dual_arm_trials
from experiments.dag_plan.best_plans import best_plans
from experiments.dag_plan.dual_arm import command
from experiments.dag_plan.execution import (
    LABELS,
    make_report,
    to_json,
    to_text,
)
from experiments.dag_plan.execution_store import (
    FILE,
    ExecutionFolder,
    ExecutionMethod,
    ExecutionResult,
    ExecutionTrial,
)
from experiments.dag_plan.paper import EXECUTED, EXECUTION_EFFICIENCY
from experiments.dag_plan.plan_judge import PlanError, PlanVerdict
from experiments.dag_plan.sample_store import FILE as PLANS
from experiments.dag_plan.sample_store import (
    PlanAttempt,
    PlanRequest,
    Sample,
)
from experiments.dag_plan.trials import make_trials, run_trial, run_trials
from experiments.line_store import LineStoreError
from tests.support.pool import Inline
from treec.files.library import Library, load_library

ROOT = Path(__file__).parents[3]
STAGES = yaml.safe_load(
    (ROOT / "tests/systems/dag_plan/answers/task_1_stages.yaml").read_text("utf-8")
)
DAG_PLAN, TP_S, TP_D, ONE_BY_ONE = ExecutionMethod


def test_every_task_is_tried_by_every_method_with_the_same_seeds() -> None:
    trials = make_trials((), 2, 5)
    assert len(trials) == 9 * 2 * 3
    assert {t.method for t in trials} == {DAG_PLAN, TP_S, TP_D}
    assert {t.seed for t in trials} == {5, 6}
    assert len({t.name for t in trials}) == len(trials)
    assert {t.task for t in make_trials((3, 1, 3), 1, 0)} == {1, 3}
    both = make_trials((1,), 2, 0, jitter=True, methods=(TP_D,))
    assert [(t.seed, t.method, t.jitter) for t in both] == [(0, TP_D, True), (1, TP_D, True)]


def test_one_by_one_takes_longer_than_both_arms(tmp_path: Path) -> None:
    library = load_library(ROOT)
    both = run_trial(library, ExecutionTrial(1, 0), "symbolic", tmp_path / "both")
    single = run_trial(library, ExecutionTrial(1, 0, ONE_BY_ONE), "symbolic", tmp_path / "single")
    assert both.ok
    assert single.ok
    assert both.failures == ()
    assert single.seconds == pytest.approx(2 * both.seconds)


def test_the_same_seed_gives_the_same_journal(tmp_path: Path) -> None:
    library = load_library(ROOT)
    for name in ("a", "b"):
        run_trial(library, ExecutionTrial(2, 3), "symbolic", tmp_path / name)
    journals = [(tmp_path / name / "journal.jsonl").read_bytes() for name in ("a", "b")]
    assert journals[0] == journals[1]


DONE = [
    ExecutionResult(ExecutionTrial(1, 0), True, 16.0, 4.0),
    ExecutionResult(ExecutionTrial(1, 1), True, 14.0, 5.0),
    ExecutionResult(ExecutionTrial(1, 0, TP_S), True, 30.0, 3.0),
    ExecutionResult(ExecutionTrial(1, 1, TP_S), False, 50.0, 3.0, ("grasp: slipped",)),
    ExecutionResult(
        ExecutionTrial(4, 0), False, 12.0, 9.0, ("close: not reached", "grasp: slipped")
    ),
    ExecutionResult(ExecutionTrial(4, 0, TP_S), True, 90.0, 9.0),
]


def test_success_and_least_time_stand_beside_the_papers() -> None:
    report = make_report(DONE, "sapien")
    assert report.row(LABELS[DAG_PLAN]).success == (1.0, 0.0)
    assert report.row(LABELS[DAG_PLAN]).seconds == (14.0, None)
    assert report.row(LABELS[TP_S]).success == (0.5, 1.0)
    assert report.row("paper: DAG-Plan").seconds == (18.6, 66.3)
    assert report.row("paper: TP-D").seconds == (18.6, None)
    assert [row.method for row in report.rows if row.counts] == ["ours: DAG-Plan", "ours: TP-S"]


def test_a_failed_task_counts_with_the_time_of_tp_s() -> None:
    report = make_report(DONE, "sapien")
    assert report.efficiency(DAG_PLAN) == pytest.approx(100 * (30 + 90) / (14 + 90))
    assert report.efficiency(TP_S) == pytest.approx(100)
    assert report.efficiency(TP_D) is None  # not tried
    more = ExecutionResult(ExecutionTrial(2, 0), True, 10.0, 1.0)  # TP-S was not tried there
    assert make_report([*DONE, more], "sapien").efficiency(DAG_PLAN) == report.efficiency(DAG_PLAN)


def test_the_papers_efficiency_follows_from_its_times() -> None:
    """The rule for failed tasks is the paper's: its times give the figures that it prints."""
    single, double, graph = EXECUTED
    for row in (double, graph):
        done = [
            ExecutionResult(ExecutionTrial(task, 0, method), time is not None, time or 0.0, 0.0)
            for method, times in ((TP_S, single.seconds), (TP_D, row.seconds))
            for task, time in enumerate(times, 1)
        ]
        found = make_report(done, "sapien").efficiency(TP_D)
        assert found == pytest.approx(EXECUTION_EFFICIENCY[row.method], abs=0.1)


def test_the_table_says_what_failed_and_how_often() -> None:
    text = to_text(make_report(DONE, "sapien"))
    assert "2 x grasp: slipped" in text
    assert "fail" in text
    assert "T1" in text
    assert "T4" in text
    assert "15.0 ± 1.0" in text  # 16 s and 14 s
    assert "efficiency of DAG-Plan: 115.4 % (the paper: 147.0 %)" in text
    assert "plans from the reference graphs" in text


def sampled(method: str, stages: int, text: str, task: str = "task_1") -> Sample:
    """A model's plan; without stages a wrong one."""
    verdict = PlanVerdict((), {"": stages}) if stages else PlanVerdict((PlanError("a", "b"),))
    request = PlanRequest("m", 0.5, "p", method, task, stages)
    return Sample(request, (PlanAttempt(text, "m", verdict.findings),), verdict)


def test_the_shortest_valid_plan_of_a_method_is_executed() -> None:
    long = json.dumps({"reasoning": "", "plan": "stages:\n  - {left: null}\n"})
    found = best_plans(
        [
            sampled("TP-S", 0, "nothing"),
            sampled("TP-S", 5, long),
            sampled("TP-S", 4, "Here:\n```yaml\nstages: []\n```\n"),
            sampled("TP-S", 4, "stages: [other]"),
            sampled("TP-D", 0, "nothing"),
        ]
    )
    assert found == {("TP-S", "task_1"): "stages: []\n", ("TP-D", "task_1"): ""}
    assert best_plans([sampled("TP-S", 5, long)]) == {
        ("TP-S", "task_1"): "stages:\n  - {left: null}\n"
    }
    trials = make_trials((), 2, 0, plans=found)
    assert [(t.task, t.method) for t in trials] == [(1, TP_S), (1, TP_D)] * 2
    assert trials[0].plan == "stages: []\n"


@pytest.mark.parametrize(("method", "node"), [(TP_S, "TP_S"), (TP_D, "TP_D")])
def test_stages_that_a_model_wrote_are_executed_as_written(
    method: ExecutionMethod, node: str, tmp_path: Path
) -> None:
    plan = STAGES[node]["plan"]
    library, swap = load_library(ROOT), {"left": "right", "right": "left"}
    other = re.sub(r"left|right", lambda found: swap[found[0]], plan)
    who = []
    for name, text in (("a", plan), ("b", other)):
        trial = ExecutionTrial(1, 0, method, plan=text)
        assert run_trial(library, trial, "symbolic", tmp_path / name).ok
        records = map(json.loads, (tmp_path / name / "journal.jsonl").read_text().splitlines())
        started = [one["data"] for one in records if one["kind"] == "skill.started"]
        who.append({one["args"]["item"]: one["agent"] for one in started})
    assert who == [{"apple": "right", "bread": "left"}, {"apple": "left", "bread": "right"}]


def test_a_graph_that_a_model_wrote_is_executed(tmp_path: Path) -> None:
    text = (ROOT / "trees/dag_plan/graphs/task_1.yaml").read_text("utf-8")
    plan = text.replace("Take the apple", "Get hold of the apple")
    trial = ExecutionTrial(1, 0, plan=plan)
    assert run_trial(load_library(ROOT), trial, "symbolic", tmp_path / "a").ok
    assert trial.name != ExecutionTrial(1, 0).name


def test_a_method_without_a_valid_plan_has_failed(tmp_path: Path) -> None:
    trial = ExecutionTrial(1, 0, TP_D, plan="")
    done = run_trial(load_library(ROOT), trial, "symbolic", tmp_path / "a")
    assert (done.ok, done.failures) == (False, ("no plan is valid",))
    assert not (tmp_path / "a/journal.jsonl").exists()
    assert "fail" in to_text(make_report([done], "symbolic"))


@pytest.mark.thorough
def test_the_command_says_which_plans_are_missing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = ["--env", "symbolic", "--plans", str(tmp_path)]
    assert main(command, order) == 2
    assert "has no plans.jsonl" in capsys.readouterr().err
    lines = [asdict(sampled("TP-D", 0, "no")) for _ in range(2)]
    lines[1]["asked"]["model"] = "n"
    (tmp_path / PLANS).write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(command, order) == 2
    assert "plans of m, n; choose with --model" in capsys.readouterr().err
    assert main(command, [*order, "--model", "n", "--task", "2"]) == 2
    assert "no plans of these methods" in capsys.readouterr().err
    assert main(command, [*order, "--model", "n", "--n", "1"]) == 0
    table = capsys.readouterr()
    assert "1 of 1: task 1, TP-D, seed 0: failed" in table.err
    assert "plans that a model wrote" in table.out


def test_the_error_of_a_success_is_that_of_its_mean_over_the_tasks() -> None:
    both = [
        ExecutionResult(ExecutionTrial(task, seed), seed < task, 1.0, 1.0)
        for task in (1, 2)
        for seed in range(2)
    ]
    row = make_report(both, "sapien").row(LABELS[DAG_PLAN])
    assert row.success == (0.5, 1.0)
    assert row.error == pytest.approx(0.5 / 2)  # a half with two trials: ± 0.5; the other's is 0
    assert make_report(both[::2], "sapien").row(LABELS[DAG_PLAN]).error is None


def test_what_is_kept_does_not_happen_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, trials = load_library(ROOT), make_trials((1, 2), 1, 0, methods=(DAG_PLAN, TP_S))
    before = [
        ExecutionResult(trial, True, 10.0, 1.0, ("grasp: slipped",), 0.5) for trial in trials[:3]
    ]
    kept = ExecutionFolder(tmp_path, "symbolic", trials)
    for one in before:
        kept.add(one)
    ExecutionFolder(tmp_path, "sapien", trials).add(
        ExecutionResult(trials[3], True, 99.0, 1.0)
    )  # elsewhere
    happened: list[ExecutionTrial] = []

    def run(env: str, library: Library, trial: ExecutionTrial, folder: Path) -> ExecutionResult:
        happened.append(trial)
        return ExecutionResult(trial, False, 3.0, 1.0)

    monkeypatch.setattr(dual_arm_trials, "_try", run)
    told: list[ExecutionResult] = []
    order = {"env": "symbolic", "pool": Inline(), "keep": tmp_path, "tell": told.append}
    done = run_trials(library, trials, **order)  # type: ignore[arg-type]
    assert happened == [trials[3]]
    assert done[:3] == before
    assert done == told
    assert done == run_trials(library, trials, **order)  # type: ignore[arg-type]
    assert happened == [trials[3]]


def test_a_torn_line_is_cut_off_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    trials = make_trials((1,), 1, 0)
    kept = ExecutionFolder(tmp_path, "symbolic", trials)
    kept.add(ExecutionResult(trials[0], True, 10.0, 1.0))
    with (tmp_path / FILE).open("a") as file:
        file.write('{"env": "symbo')
    again = ExecutionFolder(tmp_path, "symbolic", trials)
    again.add(ExecutionResult(trials[1], True, 20.0, 1.0))
    assert set(ExecutionFolder(tmp_path, "symbolic", trials).done) == set(trials[:2])
    (tmp_path / FILE).write_text("{}\n")
    with pytest.raises(LineStoreError, match=r"trials\.jsonl:1: not a trial"):
        ExecutionFolder(tmp_path, "symbolic", trials)


def test_a_trial_that_ends_its_process_has_failed_and_happens_again(tmp_path: Path) -> None:
    trials = make_trials((1,), 1, 0)
    kept = ExecutionFolder(tmp_path, "symbolic", trials)
    kept.add(ExecutionResult(trials[0], False, 0.0, 0.0, ("broke off",), whole=False))
    assert ExecutionFolder(tmp_path, "symbolic", trials).done == {}


@pytest.mark.thorough
def test_the_command_does_the_tasks_in_two_processes_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = ["--env", "symbolic", "--task", "1", "--n", "1", "-j", "2"]
    order += ["--method", "dag-plan", "--method", "tp-s"]
    assert main(command, [*order, "--keep", str(tmp_path)]) == 0
    first = capsys.readouterr()
    assert "1 of 2: task 1, " in first.err
    assert "2 of 2: task 1, " in first.err
    assert len((tmp_path / FILE).read_text().splitlines()) == 2
    assert main(command, [*order, "--keep", str(tmp_path)]) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert len((tmp_path / FILE).read_text().splitlines()) == 2


def test_json_keeps_every_trial() -> None:
    told = json.loads(json.dumps(to_json(make_report(DONE, "sapien"))))
    assert len(told["trials"]) == len(DONE)
    assert told["trials"][4]["failures"] == ["close: not reached", "grasp: slipped"]


def test_trials_with_learned_skills_have_a_row_of_their_own() -> None:
    trials = [
        trial
        for learned in (False, True)
        for trial in make_trials((1,), 2, 0, methods=(DAG_PLAN, TP_S), learned=learned)
    ]
    assert len({trial.name for trial in trials}) == len(trials)
    done = [
        ExecutionResult(one, True, 10.0 * (1 + one.learned + (one.method is TP_S)), 1.0)
        for one in trials
    ]
    report = make_report(done, "sapien")
    assert report.row("ours: DAG-Plan").seconds == (10.0,)
    assert report.row("ours: DAG-Plan, learned").seconds == (20.0,)
    assert report.efficiency(DAG_PLAN) == pytest.approx(200.0)
    assert report.efficiency(DAG_PLAN, learned=True) == pytest.approx(150.0)
    assert "learned ones where the row says so" in to_text(report)
    assert "learned skills (" in to_text(make_report(done[4:], "sapien"))


@pytest.mark.needs_system("mosaic")
def test_skills_for_which_a_policy_exists_use_it_and_the_others_plan() -> None:
    library = load_library(ROOT)
    bound = dual_arm_trials._with_policies(library, "sapien")
    runs = {entry.name: entry.model.runs.get("sapien") for entry in bound.of_kind("skill")}
    learned = set(dual_arm_trials.learned_skills())
    assert {"open", "grasp", "put_into", "switch_on"} <= learned
    for name in ("open", "put_onto", "switch_off", "open_tap"):
        assert runs[name] == dual_arm_trials.LEARNED
    for name in ("pour", "cut", "grasp_both", "pick"):
        assert runs[name] != dual_arm_trials.LEARNED


def test_learned_skills_are_of_sapien_alone(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["--env", "symbolic", "--skills", "learned"]
    assert main(command, [*args, "--library", str(ROOT)]) == 2
    assert "--skills learned needs --env sapien" in capsys.readouterr().err
