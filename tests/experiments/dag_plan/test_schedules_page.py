"""docs/schedules.md: its table is what the readings of the paper's rule give today."""

from __future__ import annotations

import pytest

from experiments.dag_plan import make_schedules


@pytest.mark.thorough
def test_the_table_is_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert make_schedules.main(["--check"]) == 0, capsys.readouterr().out


def test_our_reading_and_no_narrower_one_gives_the_papers_counts() -> None:
    row = [
        make_schedules.counts(graph, make_schedules.PaperVariant())
        for graph in make_schedules.graphs()
    ]
    assert row == [str(count) for count in make_schedules.PAPER]
