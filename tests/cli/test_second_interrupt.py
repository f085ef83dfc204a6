"""A second Ctrl-C ends the process at once, whatever blocks, and its journal stays readable."""

from __future__ import annotations

import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import IO

import pytest

from tests.cli.conftest import ROOT, Treec

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

STUCK = """
import ctypes, os, sys, threading
from treec.nodes.worker import Outcome

never = threading.Event()

def say(text):
    os.write(2, text.encode() + b"\\n")

def catch_all():
    while True:
        try:
            say("WAITS")
            never.wait()
        except BaseException:
            pass

def outside_python():
    ours, theirs = os.pipe()
    byte = ctypes.create_string_buffer(1)
    say("WAITS")
    while True:
        ctypes.CDLL(None).read(ours, byte, 1)

class Worker:
    def start(self, order, host):
        host.begin_external("stuck")
        if HOW == "thread":
            threading.Thread(target=never.wait).start()  # the process waits for it at its exit
        say("BEGUN")

    def cancel(self):
        if HOW != "thread":
            {"catches": catch_all, "outside": outside_python}[HOW]()
        return Outcome(False)

class Blocking(Worker):
    blocks = 1000.0

    def start(self, order, host):
        say("BEGUN")
        never.wait()

    def cancel(self):
        catch_all()
"""


@pytest.mark.thorough
@pytest.mark.parametrize("how", ["catches", "outside", "thread", "blocks"])
def test_a_second_interrupt_ends_the_process_at_once(
    how: str, tmp_path: Path, treec: Treec
) -> None:
    library = tmp_path / "library"
    shutil.copytree(ROOT / "engine/treec/templates/empty", library)
    skill = library / "skills/go_to.skill.yaml"
    worker = "stuck:Blocking" if how == "blocks" else "stuck:Worker"
    skill.write_text(skill.read_text().replace("treec.envs.symbolic:Effects", worker))
    (library / "stuck").mkdir()
    (library / "stuck/__init__.py").write_text(f"HOW = {how!r}\n{STUCK}")
    settings = library / "treec.toml"
    settings.write_text(settings.read_text() + 'package = "stuck"\n')
    runs = tmp_path / "runs"
    command = [sys.executable, "-m", "treec", "run", "my_robot", "-L", library, "--runs", runs]
    with subprocess.Popen(
        [*map(str, command), "--fast"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stderr is not None
        assert child.stdout is not None
        try:
            seen = _read_until(child.stderr, "BEGUN")
            child.send_signal(signal.SIGINT)
            if how == "thread":
                seen += _read_until(child.stdout, "  run  ")  # the summary: the run has ended
            else:
                seen += _read_until(child.stderr, "WAITS")
            child.send_signal(signal.SIGINT)
            assert child.wait(30) == 130, seen
        finally:
            child.kill()
    journal = next(runs.glob("*/journal.jsonl"))
    assert treec("journal", "verify", journal.parent).status == 0
    assert treec("replay", journal.parent).status == 0


def _read_until(stream: IO[str], word: str) -> str:
    seen = ""
    for line in stream:
        seen += line
        if word in line:
            return seen
    raise AssertionError(seen)
