"""Each way of a parser to misbehave is told by its trial; one that behaves passes all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from tests.conformance.bad_parsers import BAD, good
from treec.conformance.parser_bench import EMPTY_CONTEXT, Heard, ParserBench
from treec.conformance.parsers import PARSERS, _require_quick
from treec.conformance.places import place_of_definition
from treec.conformance.report import SubjectReport
from treec.conformance.trial import Misbehaviour, make_trials


def judge(act: Mapping[str, Any], text: str) -> str:
    agent = act.get("agent")
    return "" if agent is None or isinstance(agent, str) else "'agent' is no Robot"


def tried(parser: Callable[..., Any], patience: float = 1.0, quick: float = 0.3) -> SubjectReport:
    bench = ParserBench(parser, judge=judge, patience=patience, quick=quick)
    results = make_trials(PARSERS.all, bench, lambda name: place_of_definition(parser, name))
    return SubjectReport(parser.__name__, "parser", results)


def test_a_good_parser_passes_all() -> None:
    assert tried(good, 10.0, 5.0).wrong == {}


@pytest.mark.few(8)
@pytest.mark.parametrize(
    ("id", "parser"), [(id, parser) for id, parsers in BAD.items() for parser in parsers]
)
def test_each_trial_tells_a_parser_that_misbehaves(id: str, parser: Callable[..., Any]) -> None:
    report = tried(parser)
    assert id in report.wrong, report.text()
    (problem,) = (p for p in report.problems if p.code == id)
    assert problem.span.path == "tests/conformance/bad_parsers.py"


def test_every_trial_has_one_that_misbehaves() -> None:
    assert list(BAD) == [trial.id for trial in PARSERS.all]


@pytest.mark.parametrize("trial", PARSERS.all, ids=lambda trial: trial.id)
def test_every_trial_teaches(trial: Any) -> None:
    assert trial.tried
    assert trial.right.endswith(".")
    assert trial.example


@pytest.mark.parametrize(("held_up", "passes"), [(1, True), (2, True), (3, False)])
def test_a_busy_machine_may_hold_up_one_reading(held_up: int, passes: bool) -> None:
    first, *later = [
        Heard("a", EMPTY_CONTEXT, [], seconds=9.0 if n < held_up else 0.1) for n in range(3)
    ]
    bench = ParserBench(lambda text, context: [])
    bench.hear = lambda *said: [later.pop(0)]  # type: ignore[method-assign]
    if passes:
        _require_quick(bench, first)
        return
    with pytest.raises(Misbehaviour, match=r"took 9\.0 s"):
        _require_quick(bench, first)
