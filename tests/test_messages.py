"""Messages have one form: "unknown skill 'pik'; did you mean 'pick'?"; none in words of our own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from docs.make_house import FOLDERS, ROOT
from treec.source.diagnostics import suggestion, unknown

PRIVATE = re.compile(
    r"there (is|are) no (?!room)[\w -]+ '\{"  # there is no skill 'x'
    r"|\}'? (is|are) (no (?!longer)|none\b)"  # 'x' is no skill
    r"|exists? already|choose another (path|folder|--)"
)
"""What messages used to say; `{` begins a value that is put in."""

INSTEAD = "write \"unknown skill 'x'\" (treec.source.diagnostics.unknown), or what is wrong"


def messages(file: Path) -> Iterator[tuple[int, str]]:
    """Each text of a module that is no docstring, with its line; values that are put in are {…}."""
    tree = ast.parse(file.read_text("utf-8"))
    shown = (ast.Expr, ast.JoinedStr)
    within = {
        id(inner) for node in ast.walk(tree) if isinstance(node, shown) for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (one.value if isinstance(one, ast.Constant) else "{}" for one in node.values)
            yield node.lineno, "".join(map(str, parts))
        elif isinstance(node, ast.Constant) and id(node) not in within:
            yield node.lineno, str(node.value)


@pytest.mark.thorough
@pytest.mark.parametrize("folder", [*FOLDERS, "experiments"])
def test_no_message_is_in_a_form_of_its_own(folder: str) -> None:
    wrong = [
        f"{file.relative_to(ROOT).as_posix()}:{line}: {text!r}"
        for file in sorted((ROOT / folder).rglob("*.py"))
        for line, text in messages(file)
        if PRIVATE.search(text)
    ]
    assert wrong == [], INSTEAD


def test_an_unknown_name_suggests_the_nearest_or_lists_what_there_is() -> None:
    assert unknown("skill", "pik", ["place", "pick"]) == "unknown skill 'pik'; did you mean 'pick'?"
    assert unknown("skill", "fly", ["place", "pick"]) == "unknown skill 'fly'; known: place, pick"
    assert unknown("skill", "fly", []) == "unknown skill 'fly'; there are none"
    assert suggestion("fly", ["place"], "skills") == "skills: place"
    many = unknown("skill", "fly", [f"skill_{n}" for n in range(9)])
    assert many.endswith("known: skill_0, skill_1, skill_2, skill_3, skill_4, skill_5, …")
