"""What a run costs when idle: MOSAIC on the real clock."""

from __future__ import annotations

import os
import pty
import resource
import select
import subprocess
import sys
import tempfile
import threading
import time

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from treec.files.library import load_library
from treec.files.view import View
from treec.run.run import Run
from treec.world.clock import RealClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec

GOAL = 1.0
_TICK = os.sysconf("SC_CLK_TCK")


def run(small: bool) -> list[Table]:
    """The loop by itself, and the whole command in a terminal."""
    seconds = 0.3 if small else 10.0
    rows = [loop(seconds)]
    if not small and sys.platform == "linux":
        rows.append(command(seconds))
    return [
        Table(
            "An idle run of MOSAIC",
            ("what", "real, s", "CPU, ms", "share of a core, %", "ticks"),
            rows,
            (f"Goal: under {GOAL:g} % of a core.",),
        )
    ]


def loop(seconds: float) -> tuple[Cell, ...]:
    """World, tree and loop, without a display; from the first tick on."""
    library = load_library(ROOT)
    system = library.find("system", "mosaic")
    ticks = 0

    def count() -> None:
        nonlocal ticks
        ticks += 1

    running = Run(
        View(library, system),
        RealClock(),
        Journal.in_memory(),
        RunSpec(chat=True),
        after_tick=[count],
    )
    timer = threading.Timer(seconds, running.loop.stop)
    timer.start()
    before, started = _cpu(), time.perf_counter()
    running.go()
    cpu, real = _cpu() - before, time.perf_counter() - started
    return ("the loop alone", real, cpu * 1000, cpu / real * 100, ticks)


def _cpu() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def command(seconds: float, settle: float = 4.0) -> tuple[Cell, ...]:
    """`treec run mosaic --chat` in a terminal of its own, once it has settled."""
    ours, theirs = pty.openpty()
    with tempfile.TemporaryDirectory() as runs:
        process = subprocess.Popen(
            [sys.executable, "-m", "treec", "run", "mosaic", "--chat", "--runs", runs],
            cwd=ROOT,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
        )
        os.close(theirs)
        try:
            _listen(ours, settle)
            before, started = _cpu_of(process.pid), time.perf_counter()
            _listen(ours, seconds)
            cpu, real = _cpu_of(process.pid) - before, time.perf_counter() - started
            if process.poll() is not None:
                raise SystemExit("treec run mosaic --chat does not stay: try it by hand")
        finally:
            process.kill()
            process.wait()
            os.close(ours)
    return ("treec run mosaic --chat, drawn", real, cpu * 1000, cpu / real * 100, "not counted")


def _listen(terminal: int, seconds: float) -> None:
    """Read what is drawn, so that the process never waits for us."""
    end = time.perf_counter() + seconds
    while (left := end - time.perf_counter()) > 0:
        if select.select([terminal], [], [], left)[0]:
            os.read(terminal, 65536)


def _cpu_of(pid: int) -> float:
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICK
