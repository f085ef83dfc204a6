"""`treec --help` and `treec --version`: all commands in one list, and nothing imported for it."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from typer.main import get_command

from tests.cli.conftest import Treec
from tests.support.extensions import using
from treec.cli.application import application
from treec.cli.overview import USAGE, summary_of_code
from treec.extensions import Command, Extension, registry

HEADINGS = ("Core", "Models", "Robots")
OWN = {n: c for n, c in registry().commands.items() if not c.call.startswith("tests.")}


@pytest.mark.parametrize("words", [name for name, command in OWN.items() if " " not in name])
def test_a_summary_is_the_first_sentence_of_the_code(words: str) -> None:
    command = OWN[words]
    assert command.heading in HEADINGS
    assert len(command.summary) < 67  # of 80 columns
    if command.call:
        assert summary_of_code(command) == command.summary


def test_every_group_has_a_summary() -> None:
    assert {words.split()[0] for words in OWN} <= set(OWN)


def test_options_are_those_of_the_application() -> None:
    options = [name for one in get_command(application("check")).params for name in one.opts]
    assert [*options, "--help"] == re.findall(r"^  (--[\w-]+)", USAGE, re.MULTILINE)


def test_the_list_is_the_same_however_it_is_asked_for(treec: Treec) -> None:
    listed = treec("--help")
    assert listed.status == 0
    assert [line[:-1] for line in listed.out.splitlines() if line in map("{}:".format, HEADINGS)]
    bare = treec()
    assert (bare.status, bare.err) == (2, listed.out)
    assert treec("--help", "check").out == listed.out


def test_the_version(treec: Treec) -> None:
    told = treec("--version")
    assert re.fullmatch(r"treec \d+\.\d+\.\d+\n", told.out), told
    assert treec("--version", "check").out == told.out


def test_a_command_without_a_summary_is_listed_by_its_docstring(treec: Treec) -> None:
    code = "tests.extensions.plus.commands:labels"
    with using(Extension("plus", commands={"labels": code, "crates count": code})):
        listed = treec("--help").out
    assert "\nplus:\n  labels      List the labels of a library.\n" in listed
    assert "\n  crates      Commands of 'crates'." in listed
    gone = Extension("gone", commands={"lost": "tests.extensions.plus.nowhere:command"})
    with using(gone):
        listed = treec("--help")
        called = treec("lost")
    assert "lost" not in listed.out
    assert "nowhere" in listed.err
    assert called.status == 2
    assert "nowhere" in called.err


def test_a_command_is_code_or_a_group_with_a_summary() -> None:
    with pytest.raises(ValueError, match="'crates' in 'commands' has neither code nor a summary"):
        Extension("plus", commands={"crates": Command()})


@pytest.mark.parametrize(("option", "most"), [("--version", 13), ("--help", 35)])
def test_what_is_imported(option: str, most: int) -> None:
    code = (
        "import sys; from treec.cli import main; main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, option], capture_output=True, text=True, check=True
    )
    modules = done.stderr.split()
    ours = [name for name in modules if name.partition(".")[0] == "treec"]
    assert len(ours) <= most, ours
    assert not set(modules) & {"typer", "click", "rich", "pydantic", "jinja2", "yaml", "py_trees"}
