"""Signals, threads, forks, outputs and disks against a run in a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.cli.conftest import ROOT

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX"),
]

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""

ARMS = """
import atexit, os, resource, shutil, signal, sys, threading, time
from treec import Outcome, Reported

DOES = os.environ["DOES"].split(",")
TOLD = os.environ["TOLD"]

def hang():
    threading.Event().wait()

def catch_all():
    while True:
        try:
            hang()
        except BaseException:
            pass

def install(handler):
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, handler)

    def wait():
        while handler in (signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)):
            time.sleep(0.001)
        say("RESTORED")

    threading.Thread(target=wait, daemon=True).start()

def ignore():
    install(signal.SIG_IGN)

def be_told():
    os.kill(os.getpid(), signal.SIGTERM)

def handle():
    install(lambda number, frame: None)

def hold():
    say("HANGS")
    catch_all()

def thread():
    threading.Thread(target=hang, name="drive").start()

def at_exit():
    atexit.register(hang)

def fork():
    os.fork()

def close_output():
    os.close(1)

def delete():
    shutil.rmtree(os.environ["RUNS"])

def fill():
    size = max(entry.stat().st_size for entry in os.scandir(next(os.scandir(os.environ["RUNS"]))))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 50, resource.RLIM_INFINITY))

def say(text):
    with open(TOLD, "a") as file:
        file.write(text + "\\n")
    os.write(2, text.encode() + b"\\n")

def do(call):
    for does in DOES:
        when, _, what = does.partition(":")
        if when == call:
            globals()[what]()

class Worker:
    def start(self, order, host):
        self.agent, self.work = order.agent, host.begin_external("arm", limit=1000)
        say(f"start {order.agent}")
        do(f"start {order.agent}")
        if "ends" in DOES:
            host.finish(order.id, Outcome(True, effects=order.after))
        elif order.agent == "R2":
            say("BEGUN")

    def cancel(self):
        say(f"cancel {self.agent}")
        do(f"cancel {self.agent}")
        return Outcome(False, Reported("cancelled"))
"""
BOTH = """\
tree: lib_main
about: Both robots drive.
root:
  parallel:
    - {skill: go_to, with: {agent: R1, place: table}}
    - {skill: go_to, with: {agent: R2, place: table}}
"""


class Started:
    """A run of two robots in a process of its own; ``does`` is what their workers do."""

    def __init__(self, folder: Path, does: str, *, stdout: int = subprocess.PIPE) -> None:
        self.library, self.runs, self.told = folder / "lib", folder / "runs", folder / "told"
        shutil.copytree(ROOT / "engine/treec/templates/empty", self.library)
        (self.library / "arms").mkdir()
        (self.library / "arms/__init__.py").write_text(ARMS)
        settings = self.library / "treec.toml"
        settings.write_text(settings.read_text() + 'package = "arms"\n')
        skill = self.library / "skills/go_to.skill.yaml"
        skill.write_text(skill.read_text().replace("treec.envs.symbolic:Effects", "arms:Worker"))
        robot = (self.library / "envs/R1.agent.yaml").read_text()
        (self.library / "envs/R2.agent.yaml").write_text(robot.replace("R1", "R2"))
        (tree,) = (self.library / "trees").glob("*_main.tree.yaml")
        tree.write_text(BOTH.replace("lib_main", tree.name.partition(".")[0]))
        self.environ = {**os.environ, "TOLD": str(self.told), "RUNS": str(self.runs)}
        command = ["run", "my_robot", "-L", str(self.library), "--runs", str(self.runs), "--fast"]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "treec", *command],
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            env={**self.environ, "DOES": does},
        )
        self.seen = ""
        self.guard = threading.Timer(GUARD, self.process.kill)
        self.guard.start()

    def wait_for(self, word: str) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.seen += line
            if word in line:
                return
        raise AssertionError(self.seen)

    def end(self) -> int:
        """The exit status; ``out`` and ``err`` are what was printed."""
        try:
            self.out, err = self.process.communicate(timeout=GUARD)
        finally:
            self.guard.cancel()
            self.process.kill()
        self.err = self.seen + err
        return self.process.returncode

    @property
    def calls(self) -> list[str]:
        return self.told.read_text().splitlines()

    def resume(self) -> int:
        """The exit status of the same run, resumed with workers that do nothing wrong."""
        (folder,) = self.runs.iterdir()
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "treec",
                "run",
                "--resume",
                folder,
                "-L",
                self.library,
                "--fast",
            ],
            capture_output=True,
            timeout=GUARD,
            env={**self.environ, "DOES": "ends"},
            check=False,
        )
        return done.returncode


@pytest.mark.parametrize(
    "number",
    [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)],
    ids=["SIGTERM", "SIGINT"],
)
def test_a_cancel_that_hangs_is_named_in_terminal_and_status(number: int, tmp_path: Path) -> None:
    run = Started(tmp_path, "cancel R1:catch_all")
    run.wait_for("BEGUN")
    run.process.send_signal(number)
    assert run.end() == 69, run.err
    assert "not stopped R1's go_to did not confirm its stop within 1 s" in run.out
    assert "R1         ■" not in run.out
    assert {"cancel R1", "cancel R2"} <= {*run.calls}
    assert run.resume() == 0


@pytest.mark.thorough
def test_a_second_signal_tells_all_and_names_who_does_not_confirm(tmp_path: Path) -> None:
    run = Started(tmp_path, "start R2:hold,cancel R1:hang")
    run.wait_for("HANGS")
    run.process.send_signal(signal.SIGINT)
    run.wait_for("cancel R1")
    run.process.send_signal(signal.SIGINT)
    assert run.end() == 130
    assert "treec: R1's go_to did not confirm its stop\n" in run.err
    assert "cancel R2" in run.calls
    assert run.resume() == 0


@pytest.mark.thorough
def test_a_loop_that_nobody_can_interrupt_is_left(tmp_path: Path) -> None:
    run = Started(tmp_path, "start R2:hold")
    run.wait_for("HANGS")
    run.process.send_signal(signal.SIGINT)
    assert run.end() == 69, run.err
    assert "did not confirm its stop within 1 s" in run.err
    assert "arms/__init__.py:" in run.err
    assert "cancel R1" in run.calls
    assert run.resume() == 0


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["ignore", "handle"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["SIGINT", "SIGTERM"])
def test_handlers_of_a_worker_keep_no_signal_from_the_run(
    how: str, number: int, tmp_path: Path
) -> None:
    run = Started(tmp_path, f"start R1:{how}")
    run.wait_for("RESTORED")
    run.process.send_signal(number)
    assert run.end() == 0
    assert {"cancel R1", "cancel R2"} <= {*run.calls}


@pytest.mark.thorough
def test_a_signal_that_comes_as_soon_as_a_worker_ignores_it_is_heard(tmp_path: Path) -> None:
    run = Started(tmp_path, "start R1:ignore,start R1:be_told")
    assert run.end() == 0, run.err
    assert "cancel R1" in run.calls


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("how", "what"),
    [
        ("thread", "the thread 'drive' (arms/__init__.py:"),
        ("at_exit", "the function of atexit in arms/__init__.py:"),
    ],
)
def test_what_keeps_the_process_is_named_and_ended(how: str, what: str, tmp_path: Path) -> None:
    run = Started(tmp_path, f"start R1:{how},ends")
    assert run.end() == 69
    assert what in run.err
    assert "did not end with the run, and was ended with its process" in run.err


@pytest.mark.thorough
def test_a_copy_of_the_process_is_ended_where_it_comes_back(tmp_path: Path) -> None:
    run = Started(tmp_path, "start R1:fork,ends")
    assert run.end() == 0
    assert "is a copy of this run that came back from os.fork: it was ended" in run.err
    assert run.calls == ["start R1", "start R2"]


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("delete", "journal.jsonl: it was deleted while its run went on"),
        ("fill", "journal.jsonl: it cannot be written: "),
    ],
)
def test_what_cannot_be_written_ends_the_run_in_order(how: str, why: str, tmp_path: Path) -> None:
    run = Started(tmp_path, f"start R1:{how}")
    assert run.end() == 74, run.out + run.err
    lines = [line for line in run.err.splitlines() if not line.startswith(("start", "cancel"))]
    (told, advice) = [line for line in lines if line != "BEGUN"]
    assert told.startswith("treec: the run was ended")
    assert why in told
    assert advice.startswith("to go on: treec run --resume ")
    assert "cancel R1" in run.calls
    assert run.resume() == 0


@pytest.mark.thorough
def test_a_worker_that_closes_the_output_closes_none_of_the_commands(tmp_path: Path) -> None:
    run = Started(tmp_path, "start R1:close_output,ends")
    assert run.end() == 0, run.err
    assert "nothing left to do after" in run.out


@pytest.mark.thorough
def test_a_full_disk_under_the_output_ends_the_run_in_order(tmp_path: Path) -> None:
    with open("/dev/full", "w") as full:
        run = Started(tmp_path, "", stdout=full.fileno())
        assert run.end() == 74
    assert "its output cannot be written: No space left on device" in run.err
    assert run.resume() == 0
