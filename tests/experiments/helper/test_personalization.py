"""The paper's personalization: what is remembered, and the scorer that judges it."""

from __future__ import annotations

import pytest

from experiments.helper.routines import find_wrong, read_routines
from tests.cli.conftest import ROOT
from tests.experiments.conftest import Experiment
from treec_household.state import HouseholdState


def household(at: dict[str, str], **facts: object) -> HouseholdState:
    kinds = {"Plate_1": "Plate", "Mug_1": "Mug", "Mug_2": "Mug"}
    kinds |= {f"T{n}": "TomatoSliced" for n in range(1, 4)}
    state = HouseholdState("robot", kinds)
    for thing, where in at.items():
        state.set("at", thing, where)
    for name, value in facts.items():
        fact, _, thing = name.partition("__")
        state.set(fact, thing, value)
    return state


def test_the_scorer_counts_exactly() -> None:
    goal = {"Plate": [{"TomatoSliced": 2}], "coffee": 1}
    right = household({"T1": "Plate_1", "T2": "Plate_1"}, filled__Mug_1="coffee")
    assert not list(find_wrong(goal, right))
    one_more = household({f"T{n}": "Plate_1" for n in (1, 2, 3)}, filled__Mug_1="coffee")
    assert list(find_wrong(goal, one_more)) == ["3 TomatoSliced on Plate_1, not 2"]
    dirty = household({"T1": "Plate_1", "T2": "Plate_1"}, dirty__Plate_1=True)
    assert list(find_wrong(goal, dirty)) == ["Plate_1 is dirty", "0 coffee, not 1"]
    washed = household({}, dirty__Mug_1=True)
    assert not list(find_wrong({"clean": {"Mug": 1}}, washed))
    assert list(find_wrong({"clean": {"Mug": 2}}, washed)) == ["1 Mug clean, not 2"]


def test_there_are_forty_requests() -> None:
    routines = read_routines()
    assert [len(one["requests"]) for one in routines] == [4] * 10


@pytest.mark.slow
def test_the_command_prints_the_table(experiment: Experiment) -> None:
    result = experiment("helper.personalization", "-L", ROOT)
    assert result.status == 0, result.err
    assert "original plan       10 of 10" in result.out
    assert "falsely done     0 of 10" in result.out
    assert "37 of 40" in result.out
