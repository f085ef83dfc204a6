"""Everything of Python that is no program is refused at once, and nothing of it is executed."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.program.kitchen import findings
from tests.program.watch import nothing_executed

ESCAPES = (Path(__file__).parent / "escapes.txt").read_text("utf-8").split("\n---\n")
"""Programs that try to get out, one after the other, with a line `---` between two."""

LARGE = {
    "a megabyte of calls": "wait()\n" * 150_000,
    "a megabyte on a line": "x = '" + "a" * 1_000_000 + "'",
    "a megabyte of one name": "a" * 1_000_000,
    "a megabyte of blanks": " " * 1_000_000,
    "a megabyte of lines": "\n" * 1_000_000,
    "many lines": "wait()\n" * 2_000,
    "deep brackets": "pick(" + "(" * 5_000 + ")" * 5_000 + ")",
    "deep lists": "x = " + "[" * 5_000 + "]" * 5_000,
    "deep calls": "pick(" + "at(" * 4_000,
    "deep blocks": "".join(f"{' ' * n}if hot(pot):\n" for n in range(100)) + " " * 100 + "wait()",
    "deep not": "if " + "not " * 3_000 + "hot(pot):\n    wait()",
    "deep minus": "turn(" + "-" * 10_000 + "1)",
    "deep dots": "salt" + ".pick" * 3_000 + "()",
    "deep elif": "if hot(pot):\n wait()\n" + "elif hot(pot):\n wait()\n" * 700,
    "deep lambda": "x = " + "lambda:" * 2_000 + "1",
    "deep comparison": "if " + "1 < " * 3_000 + "1:\n    wait()",
    "deep power": "x = " + "9**" * 3_000 + "9",
    "deep subscripts": "x = left" + "[0]" * 3_000,
    "deep conditional": "x = " + "1 if 1 else " * 1_000 + "1",
    "deep call chain": "pick" + "()" * 5_000,
    "deep f-string": "x = " + "f'{" * 1_000 + "1" + "}'" * 1_000,
    "many texts side by side": "x = " + "'a' " * 3_000,
    "huge integer": "turn(" + "9" * 10_000 + ")",
    "huge exponent": "turn(1e9999)",
    "many rounds": "for i in range(1000000000):\n    wait()",
    "long backslashes": "x = '" + "\\\\" * 5_000 + "\\",
    "long quotes": "'" * 15_000,
}


@pytest.mark.parametrize("style", ["functions", "objects"])
def test_every_escape_is_refused(style: str) -> None:
    passed = []
    for text in ESCAPES:
        with nothing_executed():
            found = findings(text, style)
        right = (0 <= it.offset <= len(text) and it.line >= 1 and it.column >= 1 for it in found)
        if not found or not all(right):
            passed.append(text)
    assert passed == []


def test_what_is_large_or_deep_is_refused_at_once() -> None:
    passed, slow = [], []
    for name, text in LARGE.items():
        begun = time.process_time()
        with nothing_executed():
            found = findings(text)
        if not found:
            passed.append(name)
        if time.process_time() - begun >= 2.0:  # against a hang: it takes milliseconds
            slow.append(name)
    assert (passed, slow) == ([], [])


def test_unseen_characters_are_refused() -> None:
    for text in (
        "pick(salt)\x00",
        "pick('\x00')",
        "\ufeffpick(salt)",
        "pick('\ud800')",
        "\x0cwait()",
    ):
        with nothing_executed():
            assert "cannot be used" in findings(text)[0].message, repr(text)


def test_a_long_program_in_which_everything_is_wrong_is_judged_at_once() -> None:
    loops = "".join(f"{' ' * n}for x{n} in left:\n" for n in range(5))
    text = loops + "     pick(slat, bwol)\n" * 150
    begun = time.process_time()
    assert len(findings(text)) == 10
    assert time.process_time() - begun < 2.0  # against a hang: it takes milliseconds
