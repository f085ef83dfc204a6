"""A recorded run is gone back to, moment by moment, and each question is the one that was asked."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from treec.ask.fingerprint import request_fingerprint
from treec.ask.transport import Answer, Request, Unavailable
from treec.decisions.case_data import case_data, case_text, default_case_name
from treec.decisions.cases import DecisionCase, load_cases
from treec.decisions.moments import (
    DecisionMoment,
    MomentError,
    RecordedRun,
    find_moments,
    situation_at,
)
from treec.decisions.request_queue import OfflineTransport, run_sync
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal

ROOT = Path(__file__).parents[2]


class Listener:
    """Keeps what is asked, and never answers."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        raise Unavailable("nobody is there")


@cache
def salad() -> tuple[RecordedRun, View, dict[int, Request]]:
    """A whole run of the planner in which every node asked, and the requests by their records."""
    library = load_library(ROOT)
    view = View(library, library.find("system", "mosaic"))
    listener, journal = Listener(), Journal.in_memory()
    scenario = library.find("scenario", "caesar_salad")
    assert Run(view, VirtualClock(), journal, scenario, None, listener).go().ok
    run = RecordedRun("salad", "mosaic", journal.records, tuple(find_moments(journal.records)))
    numbers = [record.n for record in journal.records if record.kind == "asked"]
    return run, view, dict(zip(numbers, listener.asked, strict=True))


def asked() -> list[DecisionMoment]:
    run, _, requests = salad()
    return [moment for moment in run.moments if moment.n in requests]


@pytest.mark.thorough
def test_every_question_of_a_run_is_asked_again_to_the_letter() -> None:
    run, view, requests = salad()
    moments = asked()
    assert {moment.kind for moment in moments} == {"decision", "action", "reading", "program"}
    for moment in moments:
        again = run_sync(situation_at(run, moment, view).decide(OfflineTransport()))
        assert [request_fingerprint(r) for r in again.requests] == [
            request_fingerprint(requests[moment.n])
        ], moment


def test_every_decision_of_a_run_is_made_again() -> None:
    run, view, _ = salad()
    for moment in run.moments:
        if moment.kind != "program":
            again = run_sync(situation_at(run, moment, view).decide(OfflineTransport()))
            assert again.decision == moment.decision, moment


def as_case(data: dict[str, Any], tmp_path: Path, view: View) -> DecisionCase:
    path = tmp_path / "tests/decisions/x.case.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(case_text(data), "utf-8")
    library = load_library(ROOT)
    library.root = tmp_path
    return next(case for case in load_cases(library) if case.where.startswith("tests/decisions"))


@pytest.mark.parametrize("kind", ["decision", "action", "reading", "program"])
def test_a_frozen_moment_asks_the_same_question(kind: str, tmp_path: Path) -> None:
    run, view, requests = salad()
    moment = [moment for moment in asked() if moment.kind == kind][-1]
    case = as_case(case_data(run, moment, view, default_case_name(run, moment)), tmp_path, view)
    assert case.id == f"{moment.node}/salad-{moment.heard}"
    pins = case.pins()
    again = run_sync(case.situation(pins).decide(OfflineTransport(), pins))
    assert request_fingerprint(again.requests[0]) == request_fingerprint(requests[moment.n])
    if kind != "program":
        assert again.decision == moment.decision


def test_a_frozen_moment_expects_what_was_decided(tmp_path: Path) -> None:
    run, view, _ = salad()
    moment = next(m for m in asked() if m.kind == "decision")
    assert case_data(run, moment, view, "x")["expect"] == moment.decision


def test_moments_are_found_by_utterance_time_and_record() -> None:
    run, _, _ = salad()
    first = run.at("u3")[0]
    assert first.heard == "u3"
    assert first.node == "Kitchen_Talk"
    assert {m.heard for m in run.at("u3")} == {"u3"}
    assert run.at(str(first.n)) == [m for m in run.at("u3") if m.t == first.t]
    assert run.at(f"t={first.t}")[0].t == first.t
    assert [m.node for m in run.at("u3", "Decision")] == ["Decision"] * len(
        run.at("u3", "Decision")
    )


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("u999", "at u999; decisions fell at u1"),
        ("t=9999", "decisions fell last at"),
        ("when", "is not a moment"),
    ],
)
def test_a_moment_that_is_not_there_says_which_are(where: str, told: str) -> None:
    with pytest.raises(MomentError, match=told):
        salad()[0].at(where)
