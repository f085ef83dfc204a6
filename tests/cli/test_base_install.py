"""What `pip install treec` brings is enough for all that a fresh `treec init` names."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support import base_only
from treec.core import CORE
from treec.files.templates import all_templates
from treec_hearing.extension import EXTENSION

NOT_YET = {"treec hear 'R1, stop'", "treec new KIND NAME", "treec new reading My_Talk"}
"""What the README says more about first: a reading and words to be understood, a package."""


def named(folder: Path) -> list[str]:
    """The commands that the README names, in its order, and its last one, the tests."""
    text = (folder / "README.md").read_text("utf-8")
    found = re.findall(r"^ *((?:treec|python -m pytest|pytest)\b.*)$", text, re.MULTILINE)
    found += re.findall(r"`(treec [^`]*)`", text)
    lines = [shlex.join(shlex.split(" ".join(line.split()), comments=True)) for line in found]
    return list(dict.fromkeys(lines))


@contextmanager
def fake_robot(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[str]:
    """The robot that a README starts first, on free ports; yields where it takes heartbeats."""
    command = [sys.executable, "-m", f"{folder.name}.fake_robot", "0", "0"]
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = re.search(r"at (http:\S+), its watchdog at (udp:\S+)", said)
            assert found is not None, said
            patch.setenv("ROBOT_URL", found[1])
            yield found[2]
        finally:
            process.kill()


def test_packages_that_are_hidden() -> None:
    assert {"numpy", "torch", "httpx", "PIL"} <= base_only.absent()
    assert base_only.absent().isdisjoint({"treec", "yaml", "py_trees", "typer", "rich"})


@pytest.mark.thorough
@pytest.mark.parametrize("template", [it.name for it in all_templates() if it.pack == "treec"])
def test_all_that_a_new_library_names_works(
    template: str, treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert treec("init", tmp_path / "my_robot", "--from", template).status == 0
    folder = tmp_path / "my_robot"
    lines = [line for line in named(folder) if line not in NOT_YET]
    assert "treec check" in lines
    assert any("pytest" in line for line in lines)
    with ExitStack() as running:
        typed = lines
        if "fake_robot &" in (folder / "README.md").read_text("utf-8"):
            beats = running.enter_context(fake_robot(folder, monkeypatch))
            typed = [line.replace("udp:127.0.0.1:8643", beats) for line in lines]
            assert typed != lines
        words = [line.removeprefix("python -m ").split(maxsplit=1) for line in typed]
        ends = base_only.commands(
            folder, [[top, *shlex.split("".join(rest))] for top, *rest in words]
        )
    for line, (status, text) in zip(lines, ends, strict=True):
        assert status == 0, f"{line}: {text}"
        if line == "pytest":  # the warehouse has a case
            assert "cases are not tested" in text
            assert "pip install 'treec[testing]'" in text


@pytest.mark.thorough
def test_every_command_of_the_core_works_without_extras(treec: Treec, tmp_path: Path) -> None:
    folder = tmp_path / "warehouse"
    assert treec("init", folder, "--from", "warehouse").status == 0
    run = ["treec", "run", "warehouse", "--scenario", "morning_shift", "--fast", "--runs", "r"]
    ((status, text),) = base_only.commands(folder, [run])
    assert status == 0, text
    (ran,) = (folder / "r").iterdir()
    name = f"r/{ran.name}"
    lines = {
        "check": 0,
        "explain TC203": 0,
        "hear 'Hauler, stop'": 0,
        "init other --from empty": 0,
        "journal list --runs r": 0,
        f"journal verify {name}": 0,
        f"journal salvage {name} --to r/again": 0,
        "packs": 0,
        "render warehouse_main": 0,
        "render warehouse_main -o tree.svg": 2,  # it names what draws
        f"replay {name}": 0,
        f"report {name} -o report.html": 0,
        "schema tree": 0,
        f"stop {name}": 1,  # it has ended
    }
    typed = {" ".join(shlex.split(line)[:1]) for line in [*lines, "run"]}
    assert typed == {name.partition(" ")[0] for name in (*CORE.commands, *EXTENSION.commands)}
    ends = base_only.commands(folder, [["treec", *shlex.split(line)] for line in lines])
    found = {line: status for line, (status, _) in zip(lines, ends, strict=True)}
    assert found == lines, "\n".join(text for _, text in ends)
    assert "pip install 'treec[drawing]'" in "".join(text for _, text in ends)
