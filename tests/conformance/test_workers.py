"""Each way of a worker to misbehave is told by its trial; one that behaves passes all."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.bad_workers import (
    BAD,
    BlocksStart,
    CancelBlocks,
    Good,
    GoodBlocking,
    GoodThread,
    Spins,
)
from treec.conformance.bench import ArgumentKinds, WorkerBench
from treec.conformance.places import place_of_definition
from treec.conformance.report import SubjectReport
from treec.conformance.trial import make_trials
from treec.conformance.worker_reports import WORKERS
from treec.nodes.worker import Effect, Outcome, WorkOrder
from treec.run.skill_trial import CannotTry
from treec.world.failures import Reported

ORDER = WorkOrder(
    id="t1",
    skill="drive",
    agent="R1",
    args={"agent": "R1", "place": "dock", "speed": 0.5},
    takes=4.0,
    after=(Effect("at", ("R1",), "dock"),),
)
KINDS = ArgumentKinds(numbers=("speed",), things=("place",))


def judge(effect: Effect) -> str:
    return "" if effect.fact == "at" else f"the domain declares no fact '{effect.fact}'"


QUICKLY = (BlocksStart, Spins, CancelBlocks)
"""Those that are waited for in many plays."""


def tried(worker: type[Any], patience: float = 2.0) -> SubjectReport:
    patience = 0.3 if worker in QUICKLY else patience
    bench = WorkerBench(worker, ORDER, KINDS, judge=judge, patience=patience)
    results = make_trials(WORKERS.all, bench, lambda name: place_of_definition(worker, name))
    return SubjectReport(worker.__name__, "worker", results)


@pytest.mark.parametrize("worker", [Good, GoodThread, GoodBlocking])
def test_a_good_worker_passes_all(worker: type[Any]) -> None:
    assert tried(worker, 10.0).wrong == {}


@pytest.mark.few(12)
@pytest.mark.parametrize(
    ("id", "worker"), [(id, worker) for id, workers in BAD.items() for worker in workers]
)
def test_each_trial_tells_a_worker_that_misbehaves(id: str, worker: type[Any]) -> None:
    report = tried(worker)
    assert id in report.wrong, report.text()
    if worker is not object:
        (problem,) = (p for p in report.problems if p.code == id)
        assert problem.span.path == "tests/conformance/bad_workers.py"


def test_every_trial_has_one_that_misbehaves() -> None:
    assert list(BAD) == [trial.id for trial in WORKERS.all]


def test_a_finding_says_line_and_what_would_be_right() -> None:
    from tests.conformance.bad_workers import RaisesInTimer

    report = tried(RaisesInTimer)
    lines, first = inspect.getsourcelines(RaisesInTimer)
    (problem,) = report.problems
    assert problem.code == "W04"
    assert problem.span.line == first + len(lines) - 1
    assert problem.message == "a timer raised RuntimeError: boom"
    assert "tried: " in str(problem.help)
    assert "host.finish(" in str(problem.help)


@pytest.mark.parametrize("trial", WORKERS.all, ids=lambda trial: trial.id)
def test_every_trial_teaches(trial: Any) -> None:
    assert trial.tried
    assert trial.right.endswith(".")
    assert trial.example
    assert Path(inspect.getsourcefile(trial.play) or "").name.startswith("worker")


def test_an_order_that_fails_by_itself_is_no_finding() -> None:
    class Empty(Good):
        def end(self, order: WorkOrder, host: Any, outcome: Any) -> None:
            self.finish(order, host, Outcome(False, Reported("nothing is held"), __name__))

    report = tried(Empty, 10.0)
    assert report.wrong == {}
    not_tried = {r.trial.id: r.not_tried for r in report.results if r.not_tried}
    assert not_tried["W14"] == "the order fails by itself: nothing is held"


def test_an_environment_that_cannot_be_opened_is_no_finding_of_the_worker() -> None:
    def open_it() -> Any:
        raise OSError("no such device")

    bench = WorkerBench(Good, ORDER, KINDS, open=open_it, has_environment=True)
    with pytest.raises(CannotTry, match="cannot be opened: no such device"):
        make_trials(WORKERS.all, bench, lambda name: None)
