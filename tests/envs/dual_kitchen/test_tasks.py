"""DAG-Plan's tasks through the command line, with physics: one here, the others are slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from treec.cli import main

OTHERS = [pytest.param(number, marks=pytest.mark.slow) for number in range(2, 10)]


@pytest.mark.slow
@pytest.mark.parametrize("task", [1, *OTHERS])
def test_both_arms_do_the_task(
    task: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    order = ["run", "dag_plan", "--env", "sapien", "--task", f"task_{task}", "--seed", "1"]
    status = main([*order, "--fast", "--runs", str(tmp_path)])
    told = capsys.readouterr().out
    assert status == 0, told[-2000:]
    assert "the task is done" in told
