"""`treec journal list`: what has become of each run."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.cli.conftest import WAREHOUSE, Treec
from tests.cli.test_run import MORNING
from treec.world.events import RunEnd
from treec.world.journal import Journal


@pytest.fixture
def runs(treec: Treec, tmp_path: Path) -> Path:
    """Five runs: one that ended, three that did not, one without its first record."""
    folder = tmp_path / "runs"
    treec(*MORNING, "--runs", folder)
    (ended,) = folder.iterdir()
    ended = ended.rename(folder / "1-ended")
    for name in ("2-cut-off", "3-stopped", "4-error"):
        shutil.copytree(ended, folder / name)
        journal = folder / name / "journal.jsonl"
        lines = journal.read_bytes().splitlines(keepends=True)
        journal.write_bytes(b"".join(lines[:40]))
        journal.with_name("journal.jsonl.sums").unlink()
        if name != "2-cut-off":
            resumed = Journal.resume(journal)
            resumed.append(RunEnd(name[2:], False), "run", 99.0)
            resumed.close()
    (folder / "5-empty").mkdir()
    (folder / "5-empty/journal.jsonl").touch()
    return folder


def test_each_run_is_listed_with_its_state(treec: Treec, runs: Path) -> None:
    running = Journal.resume(runs / "2-cut-off/journal.jsonl")
    result = treec("journal", "list", "--runs", runs)
    running.close()
    lines = [line.split(maxsplit=1) for line in result.out.splitlines()]
    assert lines[:3] == [
        ["5-empty", "broken: nothing is recorded"],
        ["4-error", "broken: an error"],
        ["3-stopped", "stopped"],
    ]
    assert lines[3][1].startswith(f"running: process {os.getpid()} on ")
    assert lines[4:] == [["1-ended", "ended: done, as expected"]]
    assert result.status == 0


def test_a_listing_is_data_for_programs(treec: Treec, runs: Path) -> None:
    found = json.loads(treec("journal", "list", "--runs", runs, "--output-format", "json").out)
    assert [one["state"] for one in found] == ["broken", "broken", "stopped", "broken", "ended"]
    last = found[-1]
    assert (last["system"], last["scenario"]) == ("warehouse", "morning_shift")
    assert (last["reason"], last["ok"], last["holder"]) == ("done", True, None)
    assert last["started"]


def test_runs_in_a_message_have_their_state(treec: Treec, runs: Path) -> None:
    result = treec("replay", "zzz", "--runs", runs)
    assert result.status == 2
    assert "5-empty (broken), 4-error (broken), 3-stopped (stopped)" in result.err


def test_a_folder_without_runs(treec: Treec, tmp_path: Path) -> None:
    result = treec("journal", "list", "--runs", tmp_path)
    assert (result.status, result.out) == (0, f"no runs in {tmp_path}\n")
    result = treec("journal", "list", "-L", WAREHOUSE, "--output-format", "json")
    assert isinstance(json.loads(result.out), list)
