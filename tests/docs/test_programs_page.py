"""docs/programs.md says what the interpreter does: its examples are programs, its limits are so."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.program.test_escapes import ESCAPES, LARGE
from treec.program.scan import MAX_NESTING
from treec_program.blocks import MAX_BLOCKS, MAX_LINES
from treec_program.checker import MAX_ROUNDS
from treec_program.grammar import PROGRAM
from treec_program.interpreter import MAX_WORK
from treec_program.statements import parse_program

PAGE = (Path(__file__).parents[2] / "docs" / "programs.md").read_text("utf-8")


@pytest.mark.parametrize("text", re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL))
def test_its_examples_are_programs(text: str) -> None:
    assert parse_program(text)


@pytest.mark.parametrize(
    ("what", "most"),
    [
        ("characters of a program", PROGRAM.size),
        ("lines", MAX_LINES),
        ("nested blocks", MAX_BLOCKS),
        ("nested brackets", MAX_NESTING),
        ("iterations of one loop", MAX_ROUNDS),
        ("statements and values, in all iterations", MAX_WORK),
    ],
)
def test_its_limits_are_those_of_the_code(what: str, most: int) -> None:
    assert f"| {what} | {most:,} |" in PAGE


def test_its_counts_are_those_of_the_tests() -> None:
    assert f"holds {len(ESCAPES)} attempts" in PAGE
    assert f"{len(LARGE)} large or deep texts" in PAGE
