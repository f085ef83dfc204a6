"""A plan's moment in a recorded run is gone back to: the question is the one that was asked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Treec
from tests.systems.dag_plan.conftest import ROOT, SOUP, Go, Went
from tests.systems.dag_plan.test_asking import FIRST, into_dishwasher, moved
from tests.systems.dag_plan.test_stages import FIRST as STAGES
from tests.systems.dag_plan.test_stages import REST
from treec.ask.transport import ScriptedTransport
from treec.files.library import Library, load_file, load_library
from treec_models.fingerprint import request_fingerprint
from treec_testing.decisions.case_data import case_data, case_text, default_case_name
from treec_testing.decisions.case_files import load_cases
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.moments import DecisionMoment, RecordedRun, find_moments, situation_at
from treec_testing.decisions.request_queue import run_sync

SECOND: dict[str, Any] = {"reasoning": "", "plan": into_dishwasher(FIRST["plan"])}


def recorded(went: Went, system: str = "dag_plan") -> RecordedRun:
    records = went.journal.records
    return RecordedRun("soup", system, records, tuple(find_moments(records)), "kitchen_2")


def plans(run: RecordedRun, node: str = "Task_Graph") -> list[DecisionMoment]:
    return [moment for moment in run.moments if moment.node == node]


def asked_first(went: Went) -> dict[int, str]:
    """The fingerprint of each first request, by its record."""
    assert went.transport is not None
    numbers = [record.n for record in went.journal.records if record.kind == "asked"]
    asked = zip(numbers, went.transport.requests, strict=True)
    return {n: request_fingerprint(request) for n, request in asked if request.attempt == 1}


def replanned(go: Go, kind: str) -> tuple[Went, str, list[Any]]:
    """A run in which plans fail; the node that plans; the answers that were used."""
    if kind == "moved":
        return moved(go, FIRST, FIRST, SECOND), "Task_Graph", [FIRST, SECOND]
    if kind == "jammed":
        answers = [FIRST] * 3
        faults = ["fail open(door=microwave_door) x9: jammed"]
        return go(SOUP, answers=answers, by="hand", faults=faults), "Task_Graph", answers
    answers = [{"reasoning": "", "plan": text} for text in (STAGES, REST)]
    jammed = "fail open(left, microwave_door) x3: jammed"
    return go(SOUP, name="dag_plan_tp_d", answers=answers, faults=[jammed]), "TP_D", answers


@pytest.mark.parametrize("kind", ["moved", "jammed", "stages"])
def test_every_question_is_asked_again_to_the_letter_also_after_plans_that_failed(
    kind: str, go: Go, project: Library
) -> None:
    went, node, answers = replanned(go, kind)
    run = recorded(went, "dag_plan_tp_d" if kind == "stages" else "dag_plan")
    view, first = run.view(project), asked_first(went)
    moments = plans(run, node)
    assert {m.n for m in moments if "failed" not in m.decision} == set(first)
    made = [moment for moment in moments if moment.n in first]
    for moment, answer in zip(made, answers, strict=True):
        again = run_sync(
            situation_at(run, moment, view).decide(
                ScriptedTransport({moment.node: [answer]}, by=moment.by)
            )
        )
        assert request_fingerprint(again.requests[0]) == first[moment.n], moment
        assert (again.decision, again.by) == (moment.decision, moment.by)


def test_a_plan_that_was_given_up_is_given_up_again(go: Go, project: Library) -> None:
    went, _, _ = replanned(go, "jammed")
    run = recorded(went)
    *_, last = plans(run)
    assert "failed 3 times" in last.decision["failed"]
    again = run_sync(situation_at(run, last, run.view(project)).decide())
    assert (again.decision, again.requests) == (last.decision, [])


def as_case(data: dict[str, Any], folder: Path) -> DecisionCase:
    path = folder / "tests/decisions/x.case.yaml"
    path.parent.mkdir(parents=True)
    path.write_text(case_text(data), "utf-8")
    library = load_library(ROOT)
    library.root = folder
    load_file(library, path, "tests/decisions/x.case.yaml")
    return next(
        case for case in load_cases(library) if case.where.startswith("tests/decisions/x.case")
    )


@pytest.mark.parametrize("number", [0, 1])
def test_a_frozen_plan_asks_the_same_question_and_judges_the_answer_as_it_was(
    number: int, go: Go, project: Library, tmp_path: Path
) -> None:
    went, _, answers = replanned(go, "moved")
    run = recorded(went)
    moment = plans(run)[number]
    data = case_data(run, moment, run.view(project), default_case_name(run, moment))
    assert data["expect"] == moment.decision
    assert ("began" in data["args"]) is bool(number)
    case = as_case(data, tmp_path)
    given = ScriptedTransport({moment.node: [answers[number]]})
    again = run_sync(case.situation(case.pins()).decide(given))
    assert request_fingerprint(again.requests[0]) == asked_first(went)[moment.n]
    assert again.decision == moment.decision
    if number == 1:  # the bowl is elsewhere: what was refused then is refused now
        wrong = ScriptedTransport({moment.node: [answers[0]]})
        assert not run_sync(case.situation(case.pins()).decide(wrong)).accepted


# On the command line


@pytest.fixture
def run(library: Path, treec: Treec) -> Path:
    runs = library.parent / "runs"
    done = treec(
        "run", "dag_plan", "--scenario", "slipped", "--fast", "-L", library, "--runs", runs
    )
    assert done.status == 0, done
    return next(runs.iterdir())


@pytest.mark.thorough
def test_a_plan_node_is_asked_at_its_moment_in_a_run(
    run: Path, library: Path, treec: Treec
) -> None:
    done = treec("ask", "Task_Graph", "--at", f"{run}:t=0", "-L", library)
    assert done.status == 0, done
    assert f"task: {SOUP}\n" in done.out
    assert 'decided by offline: open "refrigerator_cooler_door"; grasp "bowl", after ' in done.out


@pytest.mark.thorough
def test_a_plans_moment_becomes_a_case_that_holds_and_tells_a_change(
    run: Path, library: Path, treec: Treec
) -> None:
    done = treec("case", "add", run, "--at", "t=0", "--node", "Task_Graph", "-L", library)
    assert done.status == 0, done
    case = "Task_Graph/dag_plan-slipped-r3"
    told = treec("snapshot", case, "--record", "-L", library)
    assert told.out.endswith("offline: 1 of 1 decided as expected\n1 case: nothing differs\n")
    assert treec("check", "-L", library).status == 0
    the_tin_waits(library)
    told = treec("snapshot", case, "-L", library)
    assert told.status == 1
    assert "changed  " in told.out
    assert 'grasp "tin", after close "microwave_door"' in told.out


def the_tin_waits(library: Path) -> None:
    """In the task's own graph the tin is taken when the bowl has been seen to."""
    path = library / "trees/dag_plan/graphs/task_5.yaml"
    before, _, after = path.read_text("utf-8").partition("    edge: [1]\n    type: occupy\n")
    bowl, _, tin = after.partition("    edge: [1]\n")
    text = f"{before}    edge: [1]\n    type: occupy\n{bowl}    edge: [1, 5]\n{tin}"
    path.write_text(text, "utf-8")


@pytest.mark.thorough
def test_a_plan_is_compared_with_what_another_library_makes_of_it(
    run: Path, library: Path, treec: Treec
) -> None:
    same = treec("compare", run, "-L", library)
    assert (same.status, same.out.splitlines()[-1]) == (0, "14 decisions: none flipped")
    the_tin_waits(library)
    done = treec("compare", run, "-L", library)
    assert done.status == 1, done
    assert done.out.startswith("dag_plan_main/Task_Graph  ")
    assert done.out.endswith("14 decisions: 1 flipped\n")
