"""`python -m experiments.helper.arm`: the table of requests that one arm carries out."""

from __future__ import annotations

import json

import pytest

from experiments.helper.arm_trial import make_trials, read_requests
from tests.cli.conftest import ROOT
from tests.experiments.conftest import Experiment

WHERE = ("--env", "household", "-L", ROOT, "--jobs", "1")


@pytest.mark.thorough
def test_the_table_has_a_row_for_each_request_and_the_program(experiment: Experiment) -> None:
    result = experiment("helper.arm", *WHERE, "--only", "12", "--show")
    assert result.status == 0, result.err
    (row,) = [line for line in result.out.splitlines() if line.startswith("12 ")]
    assert "1 of 1" in row
    assert "fridge.open()" in result.out
    assert "1 of 1 runs reached their goals." in result.out


@pytest.mark.thorough
def test_the_same_for_tools(experiment: Experiment) -> None:
    found = json.loads(
        experiment("helper.arm", *WHERE, "--only", "12", "--output-format", "json").out
    )
    (result,) = found["results"]
    assert (result["met"], result["failures"]) == (True, [])
    assert result["memory"].startswith("<Commander> Open the fridge")


def test_what_does_not_exist_is_told(experiment: Experiment) -> None:
    assert "--only is from 1 to 15, not 99" in experiment("helper.arm", "--only", "99").err
    told = experiment("helper.arm", "--env", "sapeen").err
    assert "--env is one of sapien, household, household_partial, not 'sapeen'" in told


def test_every_seed_has_every_request() -> None:
    data = read_requests()
    assert len(data["requests"]) == 15
    assert len({str(one["says"]) for one in data["requests"]}) == 15
    trials = make_trials(data, 3, jitter=True)
    assert len(trials) == 45
    assert {trial.seed for trial in trials} == {0, 1, 2}
    assert [t.number for t in make_trials(data, 1, jitter=False, only=[2, 4])] == [2, 4]
