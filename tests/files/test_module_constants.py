"""Constants that are read from a module's text, without importing it."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec_hearing.check.tc419_act_never_given import text_constants


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("ACTS = ['stop', 'remark']", ("stop", "remark")),
        ("ACTS: tuple[str, ...] = ('stop',)", ("stop",)),
        ("ACTS = ()", ()),
        ("ACTS = {'stop', 'ask'}", ("ask", "stop")),
        ("ACTS = 5", None),
        ("ACTS = None", None),
        ("ACTS = 'stop'", None),
        ("ACTS = ['stop', 5]", None),
        ("ACTS = [*other]", None),
        ("ACTS = {[]: 1}", None),
        ("ACTS: list[str]", None),
        ("acts = ['stop']", None),
        ("ACTS = (", None),
    ],
)
def test_texts_are_read_from_a_literal_list_of_them(
    tmp_path: Path, line: str, expected: tuple[str, ...] | None
) -> None:
    module = tmp_path / "hearing.py"
    module.write_text(f'"""A parser."""\n{line}\n', "utf-8")
    assert text_constants(str(module), "ACTS") == expected
