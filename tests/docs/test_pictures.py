"""The pictures of the README can be made."""

from __future__ import annotations

import pytest

from docs.make_pictures import error_rows, run_rows

pytestmark = [pytest.mark.thorough, pytest.mark.needs_system("mosaic")]


def _text(rows: object) -> str:
    return "\n".join("".join(part.text for part in row) for row in rows)  # type: ignore[attr-defined]


def test_the_picture_of_a_run_shows_robots_at_work() -> None:
    shown = _text(run_rows())
    assert "caesar_salad" in shown
    assert "pour(pepper, bowl)" in shown


def test_the_picture_of_an_error_shows_the_slip_with_its_caret() -> None:
    shown = _text(error_rows())
    assert "$ treec check" in shown
    assert "^" in shown
