"""A library in another style of YAML means what it meant, and nothing in it is wrong."""

from __future__ import annotations

import pytest

from benchmarks.bench_styles import SYSTEMS, judge
from benchmarks.styles import STYLES

CORRECTED = {"anchors and aliases", "merge keys"}
"""What is not read as it is; `--fix` writes it out."""
OF_PROGRAMS = (
    *("safe_dump", "keys sorted", "width 40", "flow, width 40", "all in double quotes"),
    *("canonical", "merge keys", "anchors and aliases", "comments everywhere"),
)


@pytest.mark.parametrize("name", STYLES)
def test_a_style_is_right(name: str) -> None:
    told, left, changed = judge(SYSTEMS["empty"], STYLES[name])
    assert (told if name not in CORRECTED else 0, left, changed) == (0, 0, [])


@pytest.mark.few(3)
@pytest.mark.parametrize("name", OF_PROGRAMS)
def test_the_warehouse_as_a_program_writes_it_is_right(name: str) -> None:
    told, left, changed = judge(SYSTEMS["warehouse"], STYLES[name])
    assert (told if name not in CORRECTED else 0, left, changed) == (0, 0, [])
    assert told > 0 or name not in CORRECTED
