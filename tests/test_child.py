"""A child process ends with the command that started it, and so does what the child started."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from treec import child

GUARD = 60.0
"""Seconds after which a test gives up."""

STARTS = "sleep 1000 & echo $! > {0}.new && mv {0}.new {0}; {1}"
"""A program with a child of its own, whose number is written to a file."""

PARENT = """
import sys
from treec import child
child.run(["sh", "-c", sys.argv[1]])
"""
POOL = """
import sys
from treec import child, crash
from multiprocessing import get_context
from tests.test_child import work_on
if __name__ == "__main__":
    process = get_context("spawn").Process(target=crash.contain, args=(work_on, sys.argv[1]))
    process.start()
    process.join()
"""


def work_on(file: str) -> None:
    """Write this process's number, and go on for ever."""
    Path(f"{file}.new").write_text(str(os.getpid()), "utf-8")
    Path(f"{file}.new").rename(file)
    while True:
        time.sleep(1000)


def is_alive(pid: int) -> bool:
    """Whether a process goes on; one that has ended may wait for its status to be read."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def wait_until_gone(pid: int) -> None:
    until = time.monotonic() + GUARD
    while is_alive(pid):
        if time.monotonic() > until:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
            pytest.fail("the grandchild goes on")
        time.sleep(0.01)


def written(file: Path) -> int:
    until = time.monotonic() + GUARD
    while not file.exists():
        assert time.monotonic() < until, "the child has not started"
        time.sleep(0.01)
    return int(file.read_text("utf-8"))


def test_what_it_prints_and_its_status_come_back(tmp_path: Path) -> None:
    done = child.run(["sh", "-c", "pwd; echo no >&2; exit 3"], cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (3, f"{tmp_path}\n", "no\n")
    assert child.run(["sh", "-c", "kill -9 $$"]).returncode == -signal.SIGKILL


@pytest.mark.thorough
def test_at_the_time_limit_the_grandchild_ends(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    with pytest.raises(subprocess.TimeoutExpired):
        child.run(["sh", "-c", STARTS.format(file, "wait")], timeout=1.0)
    wait_until_gone(written(file))


def test_a_grandchild_does_not_outlive_its_program(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    assert (
        child.run(["sh", "-c", f"exec 1>&- 2>&-; {STARTS.format(file, 'exit 4')}"]).returncode == 4
    )
    wait_until_gone(written(file))


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_signal_to_the_command_ends_the_grandchild(tmp_path: Path, number: int) -> None:
    file = tmp_path / "pid"
    command = [sys.executable, "-c", PARENT, STARTS.format(file, "wait")]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as parent:
        grandchild = written(file)
        parent.send_signal(number)
        parent.wait(GUARD)
    wait_until_gone(grandchild)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_worker_ends_with_the_process_that_started_it(tmp_path: Path, number: int) -> None:
    script, file = tmp_path / "pool.py", tmp_path / "pid"
    script.write_text(POOL, "utf-8")
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
    with subprocess.Popen([sys.executable, str(script), str(file)], env=environment) as parent:
        worker = written(file)
        parent.send_signal(number)
        parent.wait(GUARD)
    wait_until_gone(worker)
