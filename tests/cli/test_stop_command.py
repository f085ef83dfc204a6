"""`treec stop`: runs of other processes are stopped from another terminal."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Treec
from tests.cli.test_journal_list import runs
from tests.cli.test_stops import GUARD, Started
from treec.cli import stop
from treec.world.journal import Journal

__all__ = ["runs"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="locks and signals of POSIX")


def _stop(run: Started, *args: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "treec", "stop", *map(str, args)]
    return subprocess.run(command, capture_output=True, text=True, timeout=GUARD, check=False)


@pytest.mark.thorough
def test_a_run_in_another_terminal_is_stopped_and_can_go_on(tmp_path: Path) -> None:
    run = Started(tmp_path, "")
    run.wait_for("BEGUN")
    (folder,) = run.runs.iterdir()
    done = _stop(run, "--runs", run.runs)
    assert run.end() == 0
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{folder.name}: stopped; go on with: treec run --resume {folder}\n"
    assert {"cancel R1", "cancel R2"} <= {*run.calls}
    assert run.resume() == 0


@pytest.mark.thorough
def test_a_run_in_the_background_of_a_script_is_stopped(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as `treec run … &` inherits it
    try:
        run = Started(tmp_path, "")
    finally:
        signal.signal(signal.SIGINT, before)
    run.wait_for("BEGUN")
    done = _stop(run, "--runs", run.runs)
    assert run.end() == 0
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not tell it")
def test_a_process_that_handles_no_signal_is_named(
    treec: Treec, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "kill", lambda *call: pytest.fail("it was interrupted"))
    monkeypatch.setattr(stop, "WAIT", 0.0)
    journal = Journal.resume(runs / "4-error/journal.jsonl")
    both = (signal.SIGINT, signal.SIGTERM)  # a run of the Python API has this process handle both
    before = {number: signal.signal(number, signal.SIG_IGN) for number in both}
    try:
        result = treec("stop", "--runs", runs)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        journal.close()
    assert result.status == 69
    assert result.err.endswith(", which ignores Ctrl-C\n")
    assert "has not ended" not in result.err


@pytest.mark.thorough
def test_who_does_not_confirm_is_named_in_the_other_terminal(tmp_path: Path) -> None:
    run = Started(tmp_path, "cancel R1:catch_all")
    run.wait_for("BEGUN")
    (folder,) = run.runs.iterdir()
    done = _stop(run, folder)
    assert run.end() == 69
    assert done.returncode == 69
    assert done.stderr == "! R1's go_to did not confirm its stop within 1 s\n"


def test_only_a_run_that_is_running_is_stopped(treec: Treec, runs: Path) -> None:
    result = treec("stop", "--runs", runs)
    assert (result.status, result.err) == (1, f"treec: nothing runs in {runs}\n")
    result = treec("stop", "3-stopped", "--runs", runs)
    assert (result.status, result.err) == (1, "treec: 3-stopped is not running (stopped)\n")
    result = treec("stop", "3-stoppd", "--runs", runs)
    assert result.status == 2
    assert "did you mean '3-stopped'?" in result.err


def test_a_process_is_interrupted_once_and_may_hang(
    treec: Treec, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *call: told.append(call))
    monkeypatch.setattr(stop, "WAIT", 0.0)
    both = [Journal.resume(runs / name / "journal.jsonl") for name in ("2-cut-off", "4-error")]
    result = treec("stop", "--runs", runs)
    for one in both:
        one.close()
    assert told == [(os.getpid(), signal.SIGINT)]
    assert result.status == 69
    assert "4-error has not ended within 0 s: process" in result.err
    assert "the same command again ends it at once" in result.err


def test_a_process_of_another_machine_is_left_alone(
    treec: Treec, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "kill", lambda *call: pytest.fail("a process here was interrupted"))
    journal = Journal.resume(runs / "4-error/journal.jsonl")
    lock = runs / "4-error/journal.jsonl.lock"
    lock.write_text(json.dumps({**json.loads(lock.read_text()), "host": "arm-pc"}))
    result = treec("stop", "--runs", runs)
    journal.close()
    assert result.status == 69
    assert "4-error belongs to process" in result.err
    assert "on arm-pc, since" in result.err
