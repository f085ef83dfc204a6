"""A stranger's package: workers, a node, a parser and an environment that keep a log of their own.

It is copied to where Python finds it and run by treec as anybody's code. The variable ``CHAOS``
holds its plan as JSON: ``log``, the file that every call is written to before anything else
happens, ``fault``, the call that goes wrong (``where``, for ``who``, the ``nth``), and ``how``, and
``signal``, which comes with the nth order that is begun.
The log has a line for each call: monotonic seconds, process, call, robot, order, item.
"""

from __future__ import annotations

import atexit
import ctypes
import json
import os
import shutil
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

PLAN: dict[str, Any] = json.loads(os.environ.get("CHAOS", "{}"))
HURRY = float(PLAN.get("hurry", 1.0))
"""Real seconds that a thread takes for each second of its order."""

_log = os.open(PLAN.get("log", os.devnull), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
_counts: Counter[tuple[str, str]] = Counter()


def note(*words: object) -> None:
    """Append a line to the log; one write, so that lines of threads and processes never mix."""
    line = " ".join([f"{time.monotonic():.6f}", str(os.getpid()), *map(str, words)])
    os.write(_log, line.encode() + b"\n")


def call(where: str, who: str = "-", order: str = "-", item: str = "-") -> None:
    """Note that treec has called, and go wrong if the plan says so."""
    note(where, who, order, item)
    _counts[where, who] += 1
    if where == "start" and PLAN.get("signal", (0, 0))[1] == sum(
        count for (what, _), count in _counts.items() if what == "start"
    ):
        note("signal", "-", "-", "-")
        os.kill(os.getpid(), PLAN["signal"][0])
    fault = PLAN.get("fault")
    if not fault or where != fault["where"] or fault["who"] not in (who, "-"):
        return
    if _counts[where, who] == fault["nth"]:
        note("strikes", who, order, fault["how"])
        HOW[fault["how"]]()


class Strange(BaseException):
    """What ``except Exception`` does not catch."""


def _deaf() -> None:
    while True:
        with suppress(BaseException):
            time.sleep(1000)


def _outside() -> None:
    """Block outside Python, in a call that is begun anew after each signal."""
    ours, _ = os.pipe()
    byte = ctypes.create_string_buffer(1)
    while True:
        ctypes.CDLL(None).read(ours, byte, 1)


def _spin() -> None:
    while True:
        pass


def _raise() -> None:
    raise RuntimeError("the rig is broken")


def _strange() -> None:
    raise Strange("the rig is strange")


def _stay() -> None:
    """Drive on in a thread for which the process waits."""

    def drive() -> None:
        while True:
            time.sleep(0.05)

    threading.Thread(target=drive).start()


def _ignore_signals() -> None:
    if threading.current_thread() is not threading.main_thread():
        return  # Python has handlers in the main thread alone
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)


def _jump() -> None:
    """Set the wall clock two hours back, as far as this process can see."""
    real = time.time
    time.time = lambda: real() - 7200.0


HOW: dict[str, Callable[[], object]] = {
    "sleeps": lambda: time.sleep(1000),
    "waits": threading.Event().wait,
    "spins": _spin,
    "is deaf": _deaf,
    "blocks outside Python": _outside,
    "raises": _raise,
    "raises no Exception": _strange,
    "exits": lambda: sys.exit(3),
    "leaves a thread": _stay,
    "hangs at exit": lambda: atexit.register(_deaf),
    "forks": os.fork,
    "ignores signals": _ignore_signals,
    "closes standard output": lambda: os.close(1),
    "deletes the run's folder": lambda: shutil.rmtree(PLAN["runs"]),
    "sets the clock back": _jump,
}
