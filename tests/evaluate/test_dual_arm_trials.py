"""The nine tasks done in an environment: trials, their table, the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine.evaluate.dual_arm_done import BOTH, ONE_BY_ONE, make_report, to_json, to_text
from engine.evaluate.dual_arm_trials import Done, Trial, trials_of, try_task
from engine.files.library import load_library

ROOT = Path(__file__).parents[2]


def test_every_task_is_tried_both_ways_with_the_same_seeds() -> None:
    trials = trials_of((), 2, 5)
    assert len(trials) == 9 * 2 * 2
    assert {t.seed for t in trials} == {5, 6}
    assert len({t.name for t in trials}) == len(trials)
    assert {t.task for t in trials_of((3, 1, 3), 1, 0)} == {1, 3}


def test_one_by_one_takes_longer_than_both_arms(tmp_path: Path) -> None:
    library = load_library(ROOT)
    both = try_task(library, Trial(1, 0), "symbolic", tmp_path / "both")
    single = try_task(library, Trial(1, 0, one_by_one=True), "symbolic", tmp_path / "single")
    assert both.ok
    assert single.ok
    assert both.failures == ()
    assert single.seconds == pytest.approx(2 * both.seconds)


def test_the_same_seed_gives_the_same_journal(tmp_path: Path) -> None:
    library = load_library(ROOT)
    for name in ("a", "b"):
        try_task(library, Trial(2, 3), "symbolic", tmp_path / name)
    journals = [(tmp_path / name / "journal.jsonl").read_bytes() for name in ("a", "b")]
    assert journals[0] == journals[1]


DONE = [
    Done(Trial(1, 0), True, 16.0, 4.0),
    Done(Trial(1, 1), True, 14.0, 5.0),
    Done(Trial(1, 0, True), True, 30.0, 3.0),
    Done(Trial(1, 1, True), False, 50.0, 3.0, ("grasp: slipped",)),
    Done(Trial(4, 0), False, 12.0, 9.0, ("close: not reached", "grasp: slipped")),
    Done(Trial(4, 0, True), True, 90.0, 9.0),
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


def test_json_keeps_every_trial() -> None:
    told = json.loads(json.dumps(to_json(make_report(DONE, "sapien"))))
    assert len(told["trials"]) == len(DONE)
    assert told["trials"][4]["failures"] == ["close: not reached", "grasp: slipped"]
