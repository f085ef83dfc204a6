"""A recorded run is gone back to, moment by moment, and each question is the one that was asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.library import copy_warehouse
from treec.ask.transport import Answer, Request, Unavailable
from treec.files.library import load_file, load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_models.fingerprint import request_fingerprint
from treec_testing.decisions.case_data import case_data, case_text, default_case_name
from treec_testing.decisions.case_files import load_cases
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.moments import (
    DecisionMoment,
    MomentError,
    RecordedRun,
    find_moments,
    situation_at,
)
from treec_testing.decisions.request_queue import run_sync


class Listener:
    """Keeps what is asked, and never answers."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    async def ask(self, request: Request) -> Answer:
        self.asked.append(request)
        raise Unavailable("nobody is there")


PROGRAM = """\
system: You write the programs that move the robots of a warehouse.
observation: "robot: {{ agent }}, subtask: {{ subtask.words }}"
instructions: |
  Write the program by which {{ agent }} does the subtask, with these skills:
  {{ skills | join('\\n') }}
"""
"""What makes the warehouse's program a question."""
Shift = tuple[RecordedRun, View, dict[int, Request]]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse, with a model that writes programs, too."""
    root = copy_warehouse(tmp_path_factory.mktemp("library") / "warehouse")
    program = root / "prompts/subtask_to_skills.program.yaml"
    program.write_text(program.read_text("utf-8") + PROGRAM, "utf-8")
    return root


def recorded(root: Path, system: str, scenario: str) -> Shift:
    """A whole run in which every node asked, and the requests by their records."""
    library = load_library(root)
    view = View(library, library.find("system", system))
    listener, journal = Listener(), Journal.in_memory()
    script = library.find("scenario", scenario)
    assert (
        Run(view, VirtualClock(), journal, RunSpec(scenario=script.name), transport=listener)
        .go()
        .ok
    )
    run = RecordedRun("shift", system, journal.records, tuple(find_moments(journal.records)))
    numbers = [record.n for record in journal.records if record.kind == "asked"]
    return run, view, dict(zip(numbers, listener.asked, strict=True))


@pytest.fixture(scope="module")
def shift(root: Path) -> Shift:
    return recorded(root, "warehouse", "morning_shift")


def asked(shift: Shift) -> list[DecisionMoment]:
    run, _, requests = shift
    return [moment for moment in run.moments if moment.n in requests]


@pytest.mark.thorough
def test_every_question_of_a_run_is_asked_again_to_the_letter(shift: Shift) -> None:
    assert_asked_again(shift)


def assert_asked_again(shift: Shift) -> None:
    """At each moment of a run, the request is the one that was recorded."""
    run, view, requests = shift
    moments = asked(shift)
    assert {moment.kind for moment in moments} == {"decision", "action", "reading", "program"}
    for moment in moments:
        again = run_sync(situation_at(run, moment, view).decide())
        assert [request_fingerprint(r) for r in again.requests] == [
            request_fingerprint(requests[moment.n])
        ], moment


@pytest.mark.thorough
def test_every_decision_of_a_run_is_made_again(shift: Shift) -> None:
    run, view, _ = shift
    for moment in run.moments:
        if moment.kind != "program":
            again = run_sync(situation_at(run, moment, view).decide())
            assert again.decision == moment.decision, moment


def as_case(root: Path, data: dict[str, Any], tmp_path: Path) -> DecisionCase:
    path = tmp_path / "tests/decisions/x.case.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(case_text(data), "utf-8")
    library = load_library(root)
    library.root = tmp_path
    load_file(library, path, "tests/decisions/x.case.yaml")
    return next(
        case for case in load_cases(library) if case.where.startswith("tests/decisions/x.case")
    )


@pytest.mark.parametrize("kind", ["decision", "action", "reading", "program"])
def test_a_frozen_moment_asks_the_same_question(
    kind: str, tmp_path: Path, root: Path, shift: Shift
) -> None:
    run, view, requests = shift
    moment = [moment for moment in asked(shift) if moment.kind == kind][-1]
    case = as_case(root, case_data(run, moment, view, default_case_name(run, moment)), tmp_path)
    assert case.id == f"{moment.node}/shift-{moment.heard}"
    pins = case.pins()
    again = run_sync(case.situation(pins).decide(None, pins))
    assert request_fingerprint(again.requests[0]) == request_fingerprint(requests[moment.n])
    if kind != "program":
        assert again.decision == moment.decision


def test_a_frozen_moment_expects_what_was_decided(tmp_path: Path, shift: Shift) -> None:
    run, view, _ = shift
    moment = next(m for m in asked(shift) if m.kind == "decision")
    assert case_data(run, moment, view, "x")["expect"] == moment.decision


def test_moments_are_found_by_utterance_time_and_record(shift: Shift) -> None:
    run, _, _ = shift
    first = run.at("u3")[0]
    assert first.heard == "u3"
    assert first.node == "Operator_Talk"
    assert {m.heard for m in run.at("u3")} == {"u3"}
    assert run.at(str(first.n)) == [m for m in run.at("u3") if m.t == first.t]
    assert run.at(f"t={first.t}")[0].t == first.t
    assert [m.node for m in run.at("u3", "Dispatch")] == ["Dispatch"] * len(
        run.at("u3", "Dispatch")
    )


@pytest.mark.parametrize(
    ("where", "told"),
    [
        ("u999", "at u999; decisions fell at u1"),
        ("t=9999", "decisions fell last at"),
        ("when", "is not a moment"),
    ],
)
def test_a_moment_that_is_not_there_says_which_are(where: str, told: str, shift: Shift) -> None:
    with pytest.raises(MomentError, match=told):
        shift[0].at(where)
