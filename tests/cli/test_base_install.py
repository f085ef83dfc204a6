"""What `pip install treec` brings is enough for all that a fresh `treec init` names."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.support import base_only
from treec.files.templates import all_templates

ARGUMENTS = {"treec new KIND NAME": "treec new reading My_Talk"}
"""What is typed in the place of words that stand for others."""

NOT_YET = {"treec hear 'R1, stop'"}
"""What the README says more about first: a reading and words to be understood."""


def named(folder: Path) -> list[str]:
    """The commands that the README names, in its order, and its last one, the tests."""
    text = (folder / "README.md").read_text("utf-8")
    found = re.findall(r"^ *((?:treec|python -m pytest|pytest)\b.*)$", text, re.MULTILINE)
    found += re.findall(r"`(treec [^`]*)`", text)
    lines = [shlex.join(shlex.split(" ".join(line.split()), comments=True)) for line in found]
    return list(dict.fromkeys(ARGUMENTS.get(line, line) for line in lines))


def test_packages_that_are_hidden() -> None:
    assert {"numpy", "torch", "httpx", "PIL"} <= base_only.absent()
    assert base_only.absent().isdisjoint({"treec", "yaml", "py_trees", "typer", "rich"})


@pytest.mark.thorough
@pytest.mark.parametrize("template", [it.name for it in all_templates() if it.pack == "treec"])
def test_all_that_a_new_library_names_works(template: str, treec: Treec, tmp_path: Path) -> None:
    assert treec("init", tmp_path / "my_robot", "--from", template).status == 0
    folder = tmp_path / "my_robot"
    lines = [line for line in named(folder) if line not in NOT_YET]
    assert "treec check" in lines
    assert any("pytest" in line for line in lines)
    words = [line.removeprefix("python -m ").split(maxsplit=1) for line in lines]
    ends = base_only.commands(folder, [[top, *shlex.split("".join(rest))] for top, *rest in words])
    for line, (status, text) in zip(lines, ends, strict=True):
        assert status == 0, f"{line}: {text}"
