"""`treec program check`: what is wrong with a household program, with line and column."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.program.test_escapes import ESCAPES, LARGE
from tests.program.watch import nothing_executed
from tests.support.library import ROOT
from treec.files.library import Library, load_library
from treec.source.diagnostics import format_text
from treec.source.text import SourceFile
from treec_helper.program_text import check_text

pytestmark = pytest.mark.needs_system("helper")

Finding = tuple[int, int, str, str]
Check = Callable[..., list[Finding]]
HEAD = re.compile(r":(\d+):(\d+): (error|warning) (TC\d+): (.*)")


@pytest.fixture
def check(treec: Treec, tmp_path: Path) -> Check:
    """Checks a program of HELPER's household; gives (line, column, code, message) of each."""

    def run(text: str, *more: object) -> list[Finding]:
        file = tmp_path / "program.txt"
        file.write_text(text, "utf-8")
        given = ("program", "check", file, "--library", ROOT, "--system", "helper_household")
        result = treec(*given, *more)
        found = [HEAD.search(line) for line in result.out.splitlines()]
        heads = [(int(m[1]), int(m[2]), m[4], m[5]) for m in found if m]
        assert result.status == (1 if heads else 0), result.out + result.err
        return heads

    return run


THINGS = """\
fridge = InteractionObject("Fridge")
tomato = InteractionObject("Tomato")
knife = InteractionObject("Knife")
plate = InteractionObject("Plate", landmark="CounterTop")
sofa = InteractionObject("Sofa")
"""


@pytest.mark.parametrize(
    ("line", "column", "code", "message"),
    [
        ('mug = InteractionObject("Mugg")', 25, "TC751", "unknown class 'Mugg'"),
        ("tomato.pick_up()", 8, "TC751", "unknown skill 'pick_up'"),
        ("mug.pickup()", 1, "TC751", "unknown name 'mug'"),
        ("tomato.place()", 8, "TC751", "'place' needs the argument 'target'"),
        (
            'mug = InteractionObject("Mug", colour="red")',
            32,
            "TC751",
            "unknown argument 'colour' of 'InteractionObject'",
        ),
        (
            'mug = InteractionObject("Mug", attributes=["shiny"])',
            44,
            "TC751",
            "unknown attribute 'shiny'",
        ),
        ('tomato.change_state("frozen", True)', 21, "TC751", "unknown attribute 'frozen'"),
        ("sofa.open()", 6, "TC752", "sofa does not open"),
        ("knife.slice()", 7, "TC752", "knife cannot be cut"),
        ("import os", 1, "TC750", "'import' cannot be used here"),
    ],
)
def test_a_mistake_stands_at_its_place(
    check: Check, line: str, column: int, code: str, message: str
) -> None:
    first = check(THINGS + line + "\n")[0]
    if code == "TC750":
        assert (first[0], first[2]) == (6, code)
    else:
        assert first == (6, column, code, message)


@pytest.mark.parametrize(
    ("lines", "at", "message"),
    [
        ("tomato.pickup()\nplate.pickup()", (7, 7), "the hand is full: it holds tomato"),
        ("fridge.open()\nfridge.open()", (7, 8), "open(fridge) is done already, since line 6"),
        (
            'piece = InteractionObject("TomatoSliced", parent_object=tomato)\npiece.pickup()',
            (7, 7),
            "'piece' does not exist yet: 'tomato' is whole",
        ),
    ],
)
def test_a_step_that_cannot_be_right_is_a_warning(
    check: Check, lines: str, at: tuple[int, int], message: str
) -> None:
    assert check(f"{THINGS}{lines}\n") == [(*at, "TC752", message)]


@pytest.mark.parametrize(
    "lines",
    [
        "tomato.pickup()\ntomato.place(plate)\nplate.pickup()",
        "fridge.open()\nfridge.close()\nfridge.open()",
        "knife.pickup()\ntomato.slice()\nknife.put_down()\n"
        'piece = InteractionObject("TomatoSliced", parent_object=tomato)\npiece.pickup()',
        # which of the two ways was gone is not known
        'if tomato.check_attribute("sliced", True):\n    fridge.open()\nfridge.open()',
        # a loop's second round is not its first
        "for number in range(2):\n    fridge.open()\n    fridge.close()",
        # instances are as the scene of an episode names them
        'mug = InteractionObject("Mug", object_instance="Mug_77")\nmug.pickup()',
    ],
)
def test_what_may_be_right_is_not_reported(check: Check, lines: str) -> None:
    assert check(f"{THINGS}{lines}\n") == []


def test_with_a_scene_its_things_are_known(check: Check) -> None:
    text = 'mug = InteractionObject("Mug", object_instance="Mug_77")\nmug.pickup()\n'
    ((line, _, code, _),) = check(text, "--scene", "small_kitchen")
    assert (line, code) == (1, "TC751")


def test_with_a_scene_a_piece_of_nothing_in_particular_must_be_cut_first(
    treec: Treec, tmp_path: Path
) -> None:
    piece = 'piece = InteractionObject("TomatoSliced")\npiece.pickup()\n'
    tomato = 'tomato = InteractionObject("Tomato")\ntomato.slice()\n'
    file, where = tmp_path / "program.txt", ("--library", ROOT, "--system", "helper")
    for text, scene, told in (
        (piece, ("--scene", "small_kitchen"), True),
        (tomato + piece, ("--scene", "small_kitchen"), False),
        (piece, (), False),
    ):
        file.write_text(text, "utf-8")
        out = treec("program", "check", file, *where, *scene).out
        assert ("2:7: warning TC752: 'piece' does not exist yet: no Tomato is cut" in out) is told


def test_what_cannot_be_read_is_checked_as_what_its_words_are_of(
    treec: Treec, tmp_path: Path
) -> None:
    file = tmp_path / "program.txt"
    file.write_text('mug = InteractionObject("Mug"\nmug.pickup()\n', "utf-8")
    out = treec("program", "check", file, "--library", ROOT).out
    assert "checked as Dialogue_To_Program of helper: 1 error in 1 file" in out


def test_a_text_without_a_step_is_no_program(check: Check) -> None:
    assert check("# nothing\n") == [(1, 1, "TC751", "the program has no steps")]


def test_without_a_system_the_one_is_found_that_it_fits(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "program.txt"
    file.write_text(f"{THINGS}tomato.pickup()\n", "utf-8")
    result = treec("program", "check", file, "--library", ROOT)
    assert result.status == 0, result.out
    assert "checked as Dialogue_To_Program of helper" in result.out


def test_findings_for_tools(treec: Treec, tmp_path: Path) -> None:
    file = tmp_path / "program.txt"
    file.write_text("tomato.pickup()\n", "utf-8")
    given = ("--library", ROOT, "--system", "helper_household", "--output-format", "json")
    result = treec("program", "check", file, *given)
    data = json.loads(result.out)
    assert result.status == 1
    assert [(one["code"], one["line"], one["column"]) for one in data["problems"]] == [
        ("TC751", 1, 1)
    ]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (("--system", "helper_houshold"), "did you mean 'helper_household'?"),
        (("--scene", "smal_kitchen"), "did you mean 'small_kitchen'?"),
    ],
)
def test_what_to_check_against_is_told_if_it_is_not_there(
    treec: Treec, tmp_path: Path, given: tuple[str, str], told: str
) -> None:
    file = tmp_path / "program.txt"
    file.write_text("tomato.pickup()\n", "utf-8")
    result = treec("program", "check", file, "--library", ROOT, *given)
    assert result.status == 2
    assert told in result.err


def test_a_file_that_cannot_be_read_is_told(treec: Treec, tmp_path: Path) -> None:
    result = treec("program", "check", tmp_path / "nothing.txt", "--library", ROOT)
    assert result.status == 2
    assert "nothing.txt cannot be read" in result.err


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library(ROOT)


@pytest.mark.parametrize("texts", [ESCAPES, list(LARGE.values())], ids=["escapes", "large"])
def test_hostile_texts_are_errors_and_nothing_of_them_is_executed(
    library: Library, texts: list[str]
) -> None:
    with nothing_executed():
        for text in texts:
            source = SourceFile("program.txt", text)
            found = check_text(library, source, "helper_household", None).problems
            assert "error" in {problem.severity for problem in found}, text[:100]
            assert format_text(found, {source.path: source}, False)
