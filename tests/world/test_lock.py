"""One writer a journal: a second one is refused, a dead one's lock is free."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from treec.world.events import RunBegin
from treec.world.journal import Journal, JournalError

HOLD = """
import sys
from pathlib import Path
from treec.world.journal import Journal
journal = Journal.resume(Path(sys.argv[1]))
print("locked", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.jsonl"
    journal = Journal.create(path)
    journal.append(RunBegin(system="depot"), "run", 0.0)
    journal.close()
    return path


def test_a_journal_is_written_by_one_only(path: Path) -> None:
    first = Journal.resume(path)
    with pytest.raises(JournalError, match=f"is running: process {os.getpid()} on"):
        Journal.resume(path)
    first.close()
    Journal.resume(path).close()


def test_a_new_journal_is_locked_too(tmp_path: Path) -> None:
    journal = Journal.create(tmp_path / "journal.jsonl")
    with pytest.raises(JournalError, match="is running"):
        Journal.create(tmp_path / "journal.jsonl")
    journal.close()


def test_nothing_is_left_when_it_is_closed(path: Path) -> None:
    files = ["journal.jsonl", "journal.jsonl.sums"]
    journal = Journal.resume(path)
    assert sorted(os.listdir(path.parent)) == [*files[:1], "journal.jsonl.lock", *files[1:]]
    journal.close()
    assert sorted(os.listdir(path.parent)) == files


def test_the_lock_of_a_killed_process_is_free(path: Path) -> None:
    before = path.read_bytes()
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline() == b"locked\n"
        with pytest.raises(JournalError, match=f"process {owner.pid} on"):
            Journal.resume(path)
        owner.send_signal(signal.SIGKILL)
        owner.wait()
    assert path.with_name("journal.jsonl.lock").exists()
    journal = Journal.resume(path)
    assert journal.last == 1
    journal.close()
    assert path.read_bytes() == before


def test_a_lock_file_that_says_nothing_is_no_obstacle(path: Path) -> None:
    path.with_name("journal.jsonl.lock").write_text("{")
    Journal.resume(path).close()
