"""HELPER's Locator: what a dialogue or a model says of where things are, and the search by it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from experiments.helper.talk_user import TalkUser
from tests.support.library import ROOT
from treec.api.find import find_system
from treec.ask.transport import ScriptedTransport
from treec.files.library import load_library
from treec.files.view import View
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_helper.functions import thing_classes
from treec_helper.locate import hints
from treec_household.environment import Household
from treec_household.search import places_to_look

pytestmark = pytest.mark.needs_system("helper")
SHIPPED = load_library(ROOT)
REQUEST = "Put the fork on the dining table."


def helper_view() -> View:
    return View(SHIPPED, find_system(SHIPPED, "helper"))


@pytest.mark.parametrize(
    ("dialogue", "told"),
    [
        ("<Commander> The knife is in the fridge.", {"Knife": ["Fridge"]}),
        (
            "<Driver> where is the knife? <Commander> In the sink.",
            {"Knife": ["SinkBasin"]},
        ),
        (
            "<Commander> The mug is on the table. <Commander> or inside the cabinet.",
            {"Mug": ["DiningTable", "Cabinet"]},
        ),
        ("<Commander> Make me a salad.", {}),
        ("<Commander> In the fridge!", {}),
        ("<Commander> Put the mug in the sink. It needs to be in the cabinet.", {}),
    ],
)
def test_a_dialogue_tells_where_things_are(dialogue: str, told: dict[str, list[str]]) -> None:
    assert hints(dialogue, thing_classes(helper_view().types)) == told


def run_with(
    folder: Path, says: str, answers: list[Any] | None = None
) -> tuple[Run, Household, ScriptedTransport | None]:
    """One request, with a model that answers for the Locator, or with rules alone."""
    transport = None
    if answers is not None:
        program = 'fork = InteractionObject("Fork")\ntable = InteractionObject("DiningTable")\n'
        transport = ScriptedTransport(
            {
                "Household_Talk": [{"acts": [{"kind": "task", "quote": says}]}],
                "Locator": answers,
                "Dialogue_To_Program": [{"program": f"{program}fork.pickup_and_place(table)\n"}],
            }
        )
    view, journal = helper_view(), Journal.in_memory()
    run = Run(
        view, SteppingClock(), journal, RunSpec(chat=True, memories=folder), transport=transport
    )
    opened = run.runtime.environments.open("household_partial")
    assert opened is not None
    assert isinstance(opened.environment, Household)
    TalkUser(run, [says]).begin()
    run.go()
    return run, opened.environment, transport


def test_what_a_model_expects_is_searched_first(tmp_path: Path) -> None:
    answer = {"actions": [{"expect_near": {"object_class": "Fork", "places": ["GarbageCan"]}}]}
    _, home, transport = run_with(tmp_path, REQUEST, [answer])
    assert transport is not None
    prompt = next(r for r in transport.requests if r.node == "Locator").messages
    assert "not found yet: Fork" in prompt[-1].content
    assert REQUEST in prompt[-1].content
    assert places_to_look(home.state, "Fork_1")[0] == "GarbageCan_1"
    assert home.state.support("Fork_1") == "DiningTable_1"


def test_a_class_that_does_not_exist_is_sent_back(tmp_path: Path) -> None:
    wrong = {"actions": [{"expect_near": {"object_class": "Fork", "places": ["Draw"]}}]}
    right = {"actions": [{"expect_near": {"object_class": "Fork", "places": ["Drawer"]}}]}
    run, _, transport = run_with(tmp_path, REQUEST, [wrong, right])
    assert transport is not None
    asked = [r for r in transport.requests if r.node == "Locator"]
    assert "unknown class 'Draw'" in asked[1].messages[-1].content
    fact = run.world.facts.get("expected", ("Fork_1",))
    assert fact is not None
    assert fact.value == "Drawer"


def test_without_a_good_answer_the_priors_stand(tmp_path: Path) -> None:
    wrong = {"actions": [{"expect_near": {"object_class": "Fork", "places": ["Draw"]}}]}
    run, home, _ = run_with(tmp_path, REQUEST, [wrong] * 4)
    assert run.world.facts.get("expected", ("Fork_1",)) is None
    assert home.state.support("Fork_1") == "DiningTable_1"


def test_by_rules_the_dialogue_is_heard(tmp_path: Path) -> None:
    says = "<Commander> Water the plant. <Commander> The cup is in the cabinet."
    run, _, _ = run_with(tmp_path, says)
    fact = run.world.facts.get("expected", ("Cup_1",))
    assert fact is not None
    assert fact.value == "Cabinet"
