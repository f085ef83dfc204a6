"""Whole processes of treec: how long from start to exit, how much memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECK = (sys.executable, "-m", "treec", "check")


@dataclass(frozen=True)
class Exited:
    """A process that has ended: real seconds, CPU seconds, peak memory in MB, exit status."""

    seconds: float
    cpu: float
    peak: float
    status: int


def run_process(
    command: Sequence[str], env: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> Exited:
    """Run a command to its end, its output thrown away."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=cwd,
        env=dict(os.environ if env is None else env),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    return Exited(
        seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, process.returncode
    )


def with_byte_code(folder: Path) -> dict[str, str]:
    """An environment in which Python keeps byte code, as after any first run; below ``folder``."""
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return {**env, "PYTHONPYCACHEPREFIX": str(folder)}
