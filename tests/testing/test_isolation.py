"""Code that ends its process or holds it is found with its line, and the caller goes on."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest

from tests.testing import bad_environments, bad_nodes, bad_parsers, bad_workers, ending_code
from treec_testing import (
    TrialsFailed,
    check_environment,
    check_node,
    check_parser,
    check_worker,
)
from treec_testing.report import try_code

WAREHOUSE = Path(__file__).parents[2] / "engine/treec/templates/warehouse"


def line_of(code: Any) -> int:
    lines, first = inspect.getsourcelines(code)
    return first + next(n for n, line in enumerate(lines) if line.rstrip().endswith("# here"))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("code", "id", "says"),
    [
        (ending_code.ExitsAtStart, "W01", "start() ended the process, with exit status 3"),
        (ending_code.ExitsWhenCancelled, "W05", "cancel() ended the process, with exit status 0"),
        (ending_code.Crashes, "W01", "start() ended the process by SIGSEGV"),
        (ending_code.HoldsInC, "W01", "start() did not return within 0:00:05"),
        pytest.param(
            *(ending_code.Spins, "W01", "start() did not return within 0:00:05"),
            marks=pytest.mark.slow,
        ),
        (ending_code.exiting_parser, "P01", "reading 'yes' ended the process, with exit status 5"),
    ],
)
def test_code_that_ends_or_holds_its_process(code: Any, id: str, says: str) -> None:
    report = try_code([f"{code.__module__}:{code.__qualname__}"])
    assert report.wrong == {id: says}
    assert f"ending_code.py:{line_of(code)}:" in report.text()
    assert {r.not_tried for r in report.results if r.trial.id > id} == {says}


@pytest.mark.thorough
def test_a_module_that_ends_the_process_when_it_is_imported() -> None:
    says = "importing it ended the process, with exit status 7"
    with pytest.raises(TrialsFailed, match=f"ends_when_imported.py:5:1: error W01: {says}"):
        check_worker("tests.testing.ends_when_imported:Drive")


@pytest.mark.thorough
def test_what_a_check_finds_fails_its_test() -> None:
    with pytest.raises(TrialsFailed, match=r"bad_workers.py:\d+:9: error W02: host.finish\(\) was"):
        check_worker(bad_workers.EndsAgain)


@pytest.mark.thorough
def test_each_kind_has_a_check() -> None:
    assert not check_parser(bad_parsers.good).wrong
    assert not check_environment(bad_environments.Good, setup=bad_environments.SETUP).wrong
    report = check_node(bad_nodes.Good, ports={"seconds": "soon"})
    assert [r.not_tried for r in report.results] == [""] * 4
    assert not check_worker("charge", library=WAREHOUSE).wrong
