"""The README: every command in it works, in a copy of the library."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, Typed, agrees, copy_library, run, steps

README = ROOT / "README.md"
SALAD = ("treec run mosaic --env sapien ", "treec report ")
TYPED = "Let's make tomato soup\nyes please\nR2 should get the cream first\nwhat is left to do?\n"


@pytest.mark.needs_system("mosaic", "dag_plan", "helper")
@pytest.mark.thorough
@pytest.mark.parametrize("salad", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_every_command_does_what_it_shows(
    salad: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The salad with physics and its film, a minute and more, are left to the slow tests."""
    monkeypatch.chdir(copy_library(tmp_path / "library"))
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    commands = [step for step in steps(README) if isinstance(step, Typed)]
    assert len(commands) > 5
    for step in commands:
        if step.command == ". .venv/bin/activate":
            continue
        if step.command.startswith(SALAD) and not salad:
            continue
        monkeypatch.setattr(sys, "stdin", io.StringIO(TYPED))
        is_chat = step.command.endswith("--chat")
        status, printed = run(f"{step.command} --fast" if is_chat else step.command)
        where = f"README.md:{step.line}: {step.command}"
        assert status == 0, f"{where} ended with {status}\n{printed}"
        if step.shows.strip():
            assert agrees(step.shows, printed), f"{where} printed\n{printed}"


@pytest.mark.needs_system("mosaic")
def test_a_person_at_the_keyboard_is_understood(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the README tells people to try."""
    monkeypatch.chdir(copy_library(tmp_path / "library"))
    monkeypatch.setattr(sys, "stdin", io.StringIO(TYPED))
    status, printed = run("treec run mosaic --chat --fast")
    assert status == 0, printed
    for words in ("Tomato Soup it is!", "R2 will get the cream next.", "Still to do: "):
        assert words in printed, printed


def test_make_has_the_targets_it_names() -> None:
    block = re.search(r"```sh\n(.*?)```", README.read_text("utf-8"), re.DOTALL)
    assert block is not None
    named = re.findall(r"^make (\w+)", block[1], re.MULTILINE)
    made = re.findall(r"^(\w[\w-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert named == ["demo", "test"]
    assert set(named) <= set(made)


@pytest.mark.needs_system("mosaic")
def test_it_names_the_demo_that_make_runs() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert "treec run mosaic --scenario caesar_salad" in makefile
    assert (ROOT / "trees/scenarios/caesar_salad.scenario.yaml").is_file()
    assert "make test-all" in (ROOT / ".ci/run").read_text("utf-8")
