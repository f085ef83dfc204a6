"""What ends the process, crashes it or holds it for ever is told, and the other trials are made."""

from __future__ import annotations

import inspect
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import treec
from tests.conformance import ending_code
from treec.api.errors import TreecError
from treec.conformance.contained import Tried, make_contained
from treec.conformance.subjects import subject_of


def line_of(code: Any) -> int:
    lines, first = inspect.getsourcelines(code)
    return first + next(n for n, line in enumerate(lines) if line.rstrip().endswith("# here"))


def tried(code: Any, silence: float = 30.0) -> Tried:
    (found,) = make_contained([subject_of(code, patience=2.0)], silence)
    return found


def findings(found: Tried) -> dict[str, str]:
    return {result.trial.id: result.wrong for result in found.results if result.wrong}


@pytest.mark.parametrize(
    ("code", "says"),
    [
        (ending_code.ExitsAtStart, "it ended the process, with exit status 3"),
        pytest.param(
            ending_code.Crashes, "it ended the process by SIGSEGV", marks=pytest.mark.thorough
        ),
    ],
)
@pytest.mark.thorough
def test_an_end_of_the_process_is_told_once_with_its_line(code: Any, says: str) -> None:
    found = tried(code)
    (wrong,) = [result for result in found.results if result.wrong]
    assert wrong.wrong == says
    assert wrong.place is not None
    assert Path(wrong.place.file).name == "ending_code.py"
    assert wrong.place.line == line_of(code)
    assert len(found.results) == len(found.trials)
    others = {result.not_tried for result in found.results} - {""}
    assert f"it ends as {wrong.trial.id}" in others


@pytest.mark.thorough
def test_what_only_one_method_does_keeps_no_other_trial_from_being_made() -> None:
    found = tried(ending_code.ExitsWhenCancelled)
    (wrong,) = [result for result in found.results if result.wrong]
    assert wrong.wrong == "it ended the process, with exit status 0"
    assert wrong.place is not None
    assert wrong.place.line == line_of(ending_code.ExitsWhenCancelled)
    assert [r.trial.id for r in found.results] == list(found.trials)
    assert sum(1 for r in found.results if not r.wrong and not r.not_tried) > 10


@pytest.mark.thorough
def test_a_signal_that_cannot_be_caught_is_told_with_the_method() -> None:
    found = tried(ending_code.KillsItself)
    first = next(result for result in found.results if result.wrong)
    assert first.wrong == "it ended the process by SIGKILL"
    assert first.place is not None
    assert first.place.file.endswith("ending_code.py")


@pytest.mark.thorough
def test_a_loop_in_c_is_held_and_told_with_its_line() -> None:
    found = tried(ending_code.HoldsInC, silence=1.5)
    wrong = next(result for result in found.results if result.wrong)
    assert wrong.wrong == "it held the process for 1.5 s and could not be interrupted"
    assert wrong.place is not None
    assert wrong.place.line == line_of(ending_code.HoldsInC)
    assert found.held == 2
    assert len(found.results) == len(found.trials)


@pytest.mark.thorough
def test_another_program_in_the_place_of_this_one_is_ended() -> None:
    found = tried(ending_code.BecomesAnotherProgram)
    says = "it replaced the process by another program, which was killed"
    assert says in findings(found).values()
    assert len(found.results) == len(found.trials)


@pytest.mark.thorough
def test_a_parser_that_ends_the_process(capsys: pytest.CaptureFixture[str]) -> None:
    report = treec.check_deep(ending_code.exiting_parser)
    assert list(report.wrong.values()) == ["it ended the process, with exit status 5"]
    assert f"ending_code.py:{line_of(ending_code.exiting_parser)}" in report.text()


def test_a_module_that_ends_the_process_when_it_is_imported() -> None:
    with pytest.raises(TreecError, match=r"exit status 7 \(.*ends_when_imported.py:5\) before"):
        treec.check_deep("tests.conformance.ends_when_imported:Drive")


@pytest.mark.thorough
def test_the_process_that_asks_is_as_before() -> None:
    before, children = os._exit, _children()
    tried(ending_code.ExitsAtStart)
    assert os._exit is before
    assert _children() <= children


def _children() -> set[str]:
    """The processes that this one has started and not waited for."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            number, _, rest = stat.read_text().partition(" (")
            parents[number] = rest.rpartition(") ")[2].split()[1]
    return {number for number, parent in parents.items() if parent == str(os.getpid())}
