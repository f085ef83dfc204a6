"""Each way of an environment to misbehave is told by its trial; one that behaves passes all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import treec
from tests.conformance.bad_environments import BAD, SETUP, Good
from treec.conformance.environment_bench import EnvironmentBench
from treec.conformance.environments import ENVIRONMENTS
from treec.conformance.places import place_of_definition
from treec.conformance.report import SubjectReport
from treec.conformance.trial import make_trials
from treec.nodes.environment import EnvironmentSetup
from treec.nodes.worker import Effect


def tried(open_: Callable[..., Any], patience: float = 1.0) -> SubjectReport:
    bench = EnvironmentBench(open_, SETUP, patience)
    results = make_trials(ENVIRONMENTS.all, bench, lambda name: place_of_definition(open_, name))
    return SubjectReport(getattr(open_, "__name__", ""), "environment", results)


def test_a_good_environment_passes_all() -> None:
    report = treec.check_deep(Good, setup=SETUP)
    assert report.ok, report
    assert not [r for s in report.subjects for r in s.results if r.not_tried]


class SensesChanges(Good):
    """Gives what has changed since it was last sensed, and all of it at first."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        super().__init__(setup)
        self.given: set[Effect] = set()

    def sense(self) -> tuple[Effect, ...]:
        found = [effect for effect in super().sense() if effect not in self.given]
        self.given.update(found)
        return tuple(found)


def test_an_environment_may_sense_what_has_changed() -> None:
    report = tried(SensesChanges)
    assert "E16" not in report.wrong, report.text()


@pytest.mark.few(12)
@pytest.mark.parametrize(
    ("id", "factory"), [(id, factory) for id, factories in BAD.items() for factory in factories]
)
def test_each_trial_tells_an_environment_that_misbehaves(
    id: str, factory: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TREEC_DEPOT", "")
    report = tried(factory)
    assert id in report.wrong, report.text()
    (problem,) = (p for p in report.problems if p.code == id)
    assert problem.span.path == "tests/conformance/bad_environments.py"


def test_every_trial_has_one_that_misbehaves() -> None:
    assert list(BAD) == [trial.id for trial in ENVIRONMENTS.all]


@pytest.mark.parametrize("trial", ENVIRONMENTS.all, ids=lambda trial: trial.id)
def test_every_trial_teaches(trial: Any) -> None:
    assert trial.tried
    assert trial.right.endswith(".")
    assert trial.example
