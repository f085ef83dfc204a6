"""The nine tasks done in an environment: trials, their table, the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from treec.cli import main
from treec.evaluate.line_store import LineStoreError
from treec.files.library import load_library
from treec.systems.dag_plan.evaluate import dual_arm_trials
from treec.systems.dag_plan.evaluate.dual_arm_execution import (
    BOTH,
    ONE_BY_ONE,
    make_report,
    to_json,
    to_text,
)
from treec.systems.dag_plan.evaluate.dual_arm_execution_store import (
    FILE,
    ExecutionFolder,
    ExecutionResult,
    ExecutionTrial,
)
from treec.systems.dag_plan.evaluate.dual_arm_trials import make_trials, run_trial, run_trials

ROOT = Path(__file__).parents[3]


def test_every_task_is_tried_both_ways_with_the_same_seeds() -> None:
    trials = make_trials((), 2, 5)
    assert len(trials) == 9 * 2 * 2
    assert {t.seed for t in trials} == {5, 6}
    assert len({t.name for t in trials}) == len(trials)
    assert {t.task for t in make_trials((3, 1, 3), 1, 0)} == {1, 3}
    both = make_trials((1,), 2, 0, jitter=True, modes=(False,))
    assert [(t.seed, t.one_by_one, t.jitter) for t in both] == [(0, False, True), (1, False, True)]


def test_one_by_one_takes_longer_than_both_arms(tmp_path: Path) -> None:
    library = load_library(ROOT)
    both = run_trial(library, ExecutionTrial(1, 0), "symbolic", tmp_path / "both")
    single = run_trial(
        library, ExecutionTrial(1, 0, one_by_one=True), "symbolic", tmp_path / "single"
    )
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
    ExecutionResult(ExecutionTrial(1, 0, True), True, 30.0, 3.0),
    ExecutionResult(ExecutionTrial(1, 1, True), False, 50.0, 3.0, ("grasp: slipped",)),
    ExecutionResult(
        ExecutionTrial(4, 0), False, 12.0, 9.0, ("close: not reached", "grasp: slipped")
    ),
    ExecutionResult(ExecutionTrial(4, 0, True), True, 90.0, 9.0),
]


def test_success_and_least_time_stand_beside_the_papers() -> None:
    report = make_report(DONE, "sapien")
    assert report.row(BOTH).success == (1.0, 0.0)
    assert report.row(BOTH).seconds == (14.0, None)
    assert report.row(ONE_BY_ONE).success == (0.5, 1.0)
    assert report.row("paper: DAG-Plan").seconds == (18.6, 66.3)
    assert report.row("paper: TP-D").seconds == (18.6, None)
    assert report.efficiency == pytest.approx(100 * 30 / 14)  # of the task that both have done


def test_the_table_says_what_failed_and_how_often() -> None:
    text = to_text(make_report(DONE, "sapien"))
    assert "2 x grasp: slipped" in text
    assert "fail" in text
    assert "T1" in text
    assert "T4" in text
    assert "15.0 ± 1.0" in text  # 16 s and 14 s


def test_the_error_of_a_success_is_that_of_its_mean_over_the_tasks() -> None:
    both = [
        ExecutionResult(ExecutionTrial(task, seed), seed < task, 1.0, 1.0)
        for task in (1, 2)
        for seed in range(2)
    ]
    row = make_report(both, "sapien").row(BOTH)
    assert row.success == (0.5, 1.0)
    assert row.error == pytest.approx(0.5 / 2)  # a half with two trials: ± 0.5; the other's is 0
    assert make_report(both[::2], "sapien").row(BOTH).error is None


def test_what_is_kept_does_not_happen_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, trials = load_library(ROOT), make_trials((1, 2), 1, 0)
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

    def apart(root: Path, trial: ExecutionTrial, env: str, folder: Path) -> ExecutionResult:
        happened.append(trial)
        return ExecutionResult(trial, False, 3.0, 1.0)

    monkeypatch.setattr(dual_arm_trials, "_apart", apart)
    told: list[ExecutionResult] = []
    order = {"env": "symbolic", "jobs": 2, "keep": tmp_path, "tell": told.append}
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
    assert set(ExecutionFolder(tmp_path, "symbolic", trials).done) == set(trials)
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
    order = ["evaluate", "dual-arm", "--env", "symbolic", "--task", "1", "--n", "1", "-j", "2"]
    assert main([*order, "--keep", str(tmp_path)]) == 0
    first = capsys.readouterr()
    assert "1 of 2: task 1, " in first.err
    assert "2 of 2: task 1, " in first.err
    assert len((tmp_path / FILE).read_text().splitlines()) == 2
    assert main([*order, "--keep", str(tmp_path)]) == 0
    again = capsys.readouterr()
    assert again.out == first.out
    assert len((tmp_path / FILE).read_text().splitlines()) == 2


def test_json_keeps_every_trial() -> None:
    told = json.loads(json.dumps(to_json(make_report(DONE, "sapien"))))
    assert len(told["trials"]) == len(DONE)
    assert told["trials"][4]["failures"] == ["close: not reached", "grasp: slipped"]
