"""`python -m experiments.mosaic.recipes`: recipes cooked with a user who agrees to everything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from experiments.mosaic.recipe_table import to_json, to_text
from experiments.mosaic.recipe_trials import (
    FILE,
    RecipeResult,
    RecipeTrial,
    run_trial,
    run_trials,
)
from tests.support.pool import Inline
from treec.files.library import load_library

ROOT = Path(__file__).parents[3]
SALAD = RecipeTrial("Fruit Salad", 3, "symbolic")


def test_a_recipe_is_cooked_to_its_end_and_by_whom_is_counted(tmp_path: Path) -> None:
    done = run_trial(load_library(ROOT), "mosaic", SALAD, tmp_path / "run")
    assert done.ended == "finished"
    assert done.whole
    assert (done.subtasks, done.by_robots, done.by_person, done.taken_over) == (5, 4, 1, 0)
    assert done.failures == ()
    again = run_trial(load_library(ROOT), "mosaic", SALAD, tmp_path / "again")
    first, second = (tmp_path / name / "journal.jsonl" for name in ("run", "again"))
    assert first.read_bytes() == second.read_bytes()
    assert again.seconds == done.seconds


def result(seed: int, **fields: object) -> RecipeResult:
    plain = {
        "ended": "finished",
        "subtasks": 5,
        "by_robots": 4,
        "by_person": 1,
        "taken_over": 0,
        "seconds": 100.0,
        "cpu": 2.0,
        **fields,
    }
    return RecipeResult(RecipeTrial("Fruit Salad", seed, "sapien"), **plain)  # type: ignore[arg-type]


DONE = [
    result(0),
    result(1, by_robots=3, by_person=2, taken_over=1, failures=("pick: slipped",)),
    result(2, ended="gave up: no progress, 3 subtasks left", by_robots=2, by_person=0),
]


def test_the_table_tells_whole_from_finished_and_why_the_rest_was_not() -> None:
    assert [(one.whole, one.finished) for one in DONE] == [
        (True, True),
        (False, True),
        (False, False),
    ]
    text = to_text(DONE)
    assert "Fruit Salad       3      1         2         5           1       100" in text
    assert "whole: 1 of 3" in text
    assert "Fruit Salad, seed 2: gave up: no progress, 3 subtasks left" in text
    assert "1 x pick: slipped" in text
    assert json.loads(json.dumps(to_json(DONE)))["finished"] == 2


def test_stored_trials_are_not_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from experiments.mosaic import recipe_trials

    library = load_library(ROOT)
    monkeypatch.setattr(recipe_trials, "_try", lambda system, library, trial, folder: result(7))
    trial = result(7).trial
    told: list[RecipeResult] = []
    first = run_trials(library, "mosaic", [trial], pool=Inline(), keep=tmp_path, tell=told.append)
    monkeypatch.setattr(recipe_trials, "_try", pytest.fail)
    assert (
        run_trials(library, "mosaic", [trial], pool=Inline(), keep=tmp_path, tell=told.append)
        == first
        == [told[0]]
    )
    assert len((tmp_path / FILE).read_text("utf-8").splitlines()) == 1
