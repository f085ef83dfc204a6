"""How faults are written: a line each, in scenarios, on the command line and in the API."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.library import ROOT
from treec.files.library import load_library
from treec.files.view import View, on_environment
from treec.program.faults import (
    WORDS,
    Fault,
    InvalidFault,
    Part,
    read_fault,
    read_faults,
    suggest,
)
from treec.source.errors import LocatedError

pytestmark = pytest.mark.needs_system("mosaic")


@pytest.fixture(scope="module")
def view() -> View:
    library = load_library(Path(ROOT))
    system = library.find("system", "mosaic")
    assert system is not None
    return View(library, on_environment(system, "sapien"))


def test_a_skill_fails_as_often_and_for_the_reason_that_is_said(view: View) -> None:
    fault = read_fault("fail pick(R1, pepper) x3 chance 20% at 50%: slipped: twice", view)
    assert (fault.name, fault.times, fault.chance, fault.at) == ("pick", 3, 0.2, 0.5)
    assert (fault.args, fault.reason) == ({"agent": "R1", "item": "pepper"}, "slipped: twice")
    assert read_fault("fail pick always", view).times is None


@pytest.mark.parametrize(
    ("text", "args"),
    [
        ("fail pick", {}),
        ("fail pick(pepper)", {"item": "pepper"}),
        ("fail pick(item=pepper)", {"item": "pepper"}),
        ("fail pick(agent=R1)", {"agent": "R1"}),
    ],
)
def test_arguments_that_are_left_out_may_be_any(
    view: View, text: str, args: dict[str, str]
) -> None:
    fault = read_fault(text, view)
    assert (fault.args, fault.times, fault.reason) == (args, 1, "injected")


@pytest.mark.parametrize(
    ("text", "time", "when", "then"),
    [
        ("out R1", 0, None, False),
        ("20s: out R1", 20, None, False),
        ("when at(pepper) == 'a: b': out R1", 0, "at(pepper) == 'a: b'", False),
        ("3s after at(pepper) == R1: out R1", 3, "at(pepper) == R1", False),
        ("then 1m: out R1", 60, None, True),
        ("then when at(pepper) == R1: out R1", 0, "at(pepper) == R1", True),
    ],
)
def test_a_fault_has_a_time_a_condition_or_waits_for_the_one_before(
    view: View, text: str, time: float, when: str | None, then: bool
) -> None:
    fault = read_fault(text, view)
    part = None if when is None else Part(when)
    assert (fault.time, fault.when, fault.then) == (time, part, then)
    assert fault.text == "out R1"
    assert fault.is_standing == (text == "out R1")


def test_what_needs_no_more_than_a_name(view: View) -> None:
    assert read_fault("lose sapien", view) == Fault("lose sapien", "lose", "sapien")
    assert read_fault("5s: unknown at(pepper)", view).facts == (Part("at(pepper)"),)
    facts = read_fault("set at(pepper) == none, fallen(pepper): knocked over", view)
    assert [fact.text for fact in facts.facts] == ["at(pepper) == none", "fallen(pepper)"]
    assert facts.reason == "knocked over"
    assert (mock := read_fault("mock */drive=RRS", view)).name == "*/drive"
    assert mock.script == "RRS"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "the fault is missing"),
        ("take pick", "a call takes a time"),
        ("mock log", "a mock has statuses"),
        ("fail pick takes 3s", "'takes 3s' is not a way to fail"),
        ("30s:", "write fail SKILL"),
        ("explode R1", "unknown fault 'explode'; write one of: "),
        ("modell silent", "did you mean 'model'?"),
        ("fail", "'fail' of what; write fail SKILL(ARGUMENTS) xN"),
        ("fail (pepper)", "unknown skill ''"),
        ("fail pik", "unknown skill 'pik'; did you mean 'pick'?"),
        ("fail pick(peppr)", "unknown thing 'peppr'; did you mean 'pepper'?"),
        ("fail pick(pepper, salt, R1)", "'pick' takes 2 arguments, not 3"),
        ("fail pick(what=pepper)", "unknown argument 'what' of 'pick'"),
        ("fail pick x0", "between 1 and 1000"),
        ("fail pick x99999999999999999999", "between 1 and 1000"),
        ("fail pick chance 101%", "more than 100%"),
        ("fail pick often", "'often' is not a way to fail"),
        ("soon: out R1", "unknown fault 'soon'"),
        ("3parsecs: out R1", "'3parsecs' is not a duration"),
        ("3s before at(pepper) == R1: out R1", "write 30s, 'when CONDITION' or"),
        ("when at(: out R1", "unknown fault"),
        ("set att(pepper) == none", "unknown fact 'att'; did you mean 'at'?"),
        ("set at(peppr) == none", "unknown thing 'peppr'; did you mean 'pepper'?"),
        ("set at(pepper) == tabel", "unknown thing 'tabel'; did you mean 'table'?"),
        ("set at(pepper, salt) == none", "about 1 and not 2 things"),
        ("set at(pepper) > 3", "an effect sets a fact with one '=='"),
        ("unknown at(pepper) == table", "leave that out"),
        ("unknown at(peppr)", "unknown thing 'peppr'"),
        ("out R3", "unknown agent 'R3'; known: R1"),
        ("model mute", "unknown state of a model 'mute'; known: "),
        ("model silence", "did you mean 'silent'?"),
        ("lose sapiens", "unknown environment 'sapiens'; did you mean 'sapien'?"),
        ("mock drive", "write mock NODE=STATUSES"),
        ("mock drive=RX", "'RX' is not of the letters S, F and R"),
    ],
)
def test_what_cannot_be_is_told_before_anything_begins(view: View, text: str, problem: str) -> None:
    with pytest.raises(InvalidFault) as caught:
        read_faults([text], view)
    assert f"the fault '{text}': " in str(caught.value)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("20s: set at(pepper) == none, at(peppr) == table", "peppr"),
        ("when at(pepper) == R1: fail pick(item=peppr): slipped", "peppr"),
        ("then 3parsecs: out R1", "3parsecs"),
        ("3s after at(pepper) == == R1: out R1", "=="),
    ],
)
def test_a_problem_has_its_place_in_the_line(view: View, text: str, wrong: str) -> None:
    with pytest.raises(LocatedError) as caught:
        read_fault(text, view)
    error = caught.value
    assert text[error.offset : error.offset + error.length] == wrong


def test_what_is_suggested_can_be_injected_but_for_what_facts_are_about(view: View) -> None:
    found = suggest(view)
    assert {one.partition(" ")[0] for one in found} == WORDS.keys() - {"mock", "unmock"}
    for text in found:
        if not text.startswith(("set", "unknown")):
            read_fault(text, view)
