"""What the help of commands says of their options."""

from __future__ import annotations

import re

from typer.main import get_command

from tests.cli.conftest import Treec
from treec.cli.application import application
from treec.cli.command_help import GROUPS, MANY


def test_no_command_shows_a_type_of_python(treec: Treec) -> None:
    shown = re.compile(r"<(?:str|int|float|path|list|Path)|list\[|Path\b")
    commands = get_command(application()).commands  # type: ignore[attr-defined]
    assert len(commands) > 20
    for name, command in commands.items():
        for words in [[name, one] for one in getattr(command, "commands", ())] or [[name]]:
            text = treec(*words, "--help").out
            assert not shown.search(text), text
            assert "--help" in text


def test_a_long_list_of_options_is_in_groups_and_each_is_in_one(treec: Treec) -> None:
    text = treec("run", "--help").out
    titles = re.findall(r"^(\w.*):$", text, re.MULTILINE)
    assert titles == ["Arguments", *GROUPS, "Options"]
    options = re.findall(r"^  (?:-\w, )?(--[\w-]+)", text, re.MULTILINE)
    assert len(options) == len(set(options)) > MANY
    assert {name for names in GROUPS.values() for name in names.split()} == {*options[:-3]}
    assert "--seed NUMBER" in text
    assert "--approve skills|actions" in text


def test_a_short_list_is_one(treec: Treec) -> None:
    assert re.findall(r"^(\w.*):$", treec("hear", "--help").out, re.M) == ["Arguments", "Options"]
