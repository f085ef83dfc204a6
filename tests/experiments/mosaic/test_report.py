"""From results to the table, JSON and the figure."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

from experiments.mosaic.chart import to_svg
from experiments.mosaic.grammar import (
    gerund,
    is_or_are,
    listed,
    participle,
    plain_object,
)
from experiments.mosaic.judge import BrokenPromise, InteractionResult, Verdict
from experiments.mosaic.plan import Interaction, TrialPlan
from experiments.mosaic.report import MosaicReport, make_report, mean_and_error, to_json
from experiments.mosaic.table import to_text
from experiments.mosaic.trial import MosaicTrial, PlannerResult


def result(row: str, difficulty: str, *passed: bool, lies: int = 0) -> PlannerResult:
    found = tuple(
        InteractionResult(f"C{i}", "C", ok, True, "" if ok else "why")
        for i, ok in enumerate(passed)
    )
    broken = tuple(BrokenPromise("lying", 1.0, f"lie {i}") for i in range(lies))
    verdict = Verdict(found, broken, (), 14, 20, 200.0, True)
    plan = TrialPlan(difficulty, "Tomato Soup", [Interaction("C1", "C")])
    return PlannerResult(MosaicTrial(row, plan, 0, 0, 0), verdict, "finished", 0.3, 0.2)


def report() -> MosaicReport:
    results = [
        result("offline", "easy", True),
        result("offline", "easy", False),
        result("offline", "hard", True, True, False, False, lies=2),
        result("offline-without-contracts", "hard", True, True, True, False),
    ]
    return make_report("mosaic", 0, 1, 2, results)


def test_mean_and_standard_error() -> None:
    assert mean_and_error([100.0, 0.0]) == (50.0, 50.0)
    assert mean_and_error([1.0, 2.0, 3.0, 4.0]) == (2.5, pytest.approx((5 / 3 / 4) ** 0.5))
    assert mean_and_error([70.0]) == (70.0, 0.0)


def test_the_table_says_what_was_not_run() -> None:
    text = to_text(report())
    assert "50.0 ± 50.00" in text
    assert text.count("not run: no model is configured") == 2
    assert "94.0 ± 2.30" in text
    assert "80.4 %" in text
    assert "easy/1-tomato_soup-1: C0 why (only: offline)" in text
    assert "lying: lie 1" in text


def test_json_holds_nothing_of_the_machine() -> None:
    whole = json.dumps(to_json(report()))
    assert "real" not in json.loads(whole)["trials"][0]
    assert json.loads(whole)["table"][1]["violations"]["lying"] == 2
    assert json.loads(whole)["paper"]["turns"] == 34


def test_the_figure_is_svg() -> None:
    picture = to_svg(report())
    texts = [e.text for e in ElementTree.fromstring(picture).iter() if e.tag.endswith("text")]
    assert "50.0 ± 50.00" in texts
    assert "paper: One-Prompt" in texts
    assert picture == to_svg(report())


def test_verbs() -> None:
    verbs = ["chop", "slice", "stir", "pour", "put", "fry", "mix", "wash", "get", "prepare"]
    past = "chopped sliced stirred poured put fried mixed washed got prepared"
    doing = "chopping slicing stirring pouring putting frying mixing washing getting preparing"
    assert [participle(verb) for verb in verbs] == past.split()
    assert [gerund(verb) for verb in verbs] == doing.split()
    assert plain_object("chop the onions") == "onions"
    assert plain_object("pour the salt into the pot") is None
    assert (is_or_are("onions"), is_or_are("salt")) == ("are", "is")
    assert listed(["a", "b", "c"]) == "a, b and c"
