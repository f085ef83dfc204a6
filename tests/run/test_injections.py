"""Faults that are injected into a run: how they are written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.library import ROOT
from treec.files.library import load_library
from treec.files.view import View, on_environment
from treec.run.injections import (
    WORDS,
    Injection,
    InvalidInjection,
    read_injection,
    read_injections,
    suggest,
)


@pytest.fixture(scope="module")
def view() -> View:
    library = load_library(Path(ROOT))
    system = library.find("system", "mosaic")
    assert system is not None
    return View(library, on_environment(system, "sapien"))


def test_a_skill_fails_as_often_and_for_the_reason_that_is_said(view: View) -> None:
    fault = read_injection("fail pick(R1, pepper) x3: slipped, twice", view).fault
    assert fault is not None
    assert (fault.skill, fault.times, fault.reason) == ("pick", 3, "slipped, twice")
    assert fault.args == {"agent": "R1", "item": "pepper"}


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
    fault = read_injection(text, view).fault
    assert fault is not None
    assert (fault.args, fault.times, fault.reason) == (args, 1, "injected")


def test_faults_come_in_order_of_time(view: View) -> None:
    texts = ["1m: out R1", "back R1", "20s: model  silent"]
    found = read_injections(texts, view)
    assert [(one.at, one.text) for one in found] == [
        (0, "back R1"),
        (20, "model silent"),
        (60, "out R1"),
    ]
    assert read_injection("5s: unknown at(pepper)", view).facts == ("at(pepper)",)
    assert read_injection("lose sapien", view) == Injection("lose sapien", "lose", name="sapien")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "write fail SKILL"),
        ("explode R1", "there is no fault 'explode': write fail SKILL"),
        ("modell silent", "did you mean 'model'?"),
        ("fail", "write fail SKILL(ARGUMENTS) xN: REASON"),
        ("fail pik", "there is no skill 'pik'; did you mean 'pick'?"),
        ("fail pick(peppr)", "there is no thing 'peppr'; did you mean 'pepper'?"),
        ("fail pick(pepper, salt, R1)", "'pick' takes 2 arguments, not 3"),
        ("fail pick(what=pepper)", "'pick' has no argument 'what'"),
        ("fail pick x0", "between 1 and 1000"),
        ("fail pick x99999999999999999999", "between 1 and 1000"),
        ("soon: out R1", "there is no fault 'soon:'"),
        ("3parsecs: out R1", "'3parsecs' is not a duration"),
        ("set att(pepper) == none", "there is no fact 'att'; did you mean 'at'?"),
        ("unknown at(pepper) == table", "leave that out"),
        ("unknown at(peppr)", "there is no thing 'peppr'"),
        ("out R3", "there is no agent 'R3': there are: R1"),
        ("model mute", "it can be: "),
        ("model silence", "did you mean 'silent'?"),
        ("lose sapiens", "there is no environment 'sapiens': did you mean 'sapien'?"),
    ],
)
def test_what_cannot_be_is_told(view: View, text: str, problem: str) -> None:
    with pytest.raises(InvalidInjection) as caught:
        read_injection(text, view)
    assert problem in str(caught.value)


def test_what_is_suggested_can_be_injected_but_for_what_facts_are_about(view: View) -> None:
    found = suggest(view)
    assert {one.partition(" ")[0] for one in found} == WORDS.keys()
    for text in found:
        if not text.startswith(("set", "unknown")):
            read_injection(text, view)
