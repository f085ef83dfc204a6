"""SIGTERM and SIGHUP end a program of somebody's own as Ctrl-C does: robots are stopped first."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_NUMBERS = tuple(filter(None, (signal.SIGTERM, getattr(signal, "SIGHUP", None))))
_runs: set[object] = set()
"""Those that go on in this process."""


@contextmanager
def end_as_ctrl_c() -> Iterator[None]:
    """Handle them while a run goes on, where nothing else does and this is the main thread.

    They would kill the process, and neither `with` nor `atexit` would tell a robot to stop.
    """
    run = object()
    _runs.add(run)
    if threading.current_thread() is threading.main_thread():
        for number in _NUMBERS:
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, _interrupt)
    try:
        yield
    finally:
        _runs.discard(run)
        give_back()


def give_back() -> None:
    """Handle them no longer, if no run goes on and this is the main thread."""
    if _runs or threading.current_thread() is not threading.main_thread():
        return
    for number in _NUMBERS:
        if signal.getsignal(number) is _interrupt:
            signal.signal(number, signal.SIG_DFL)


def _interrupt(number: int, frame: FrameType | None) -> None:
    if _runs:
        signal.default_int_handler(number, frame)
    give_back()  # the last one has ended in another thread
    signal.raise_signal(number)


def _forget() -> None:
    _runs.clear()
    give_back()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)  # a copy of the process has no robots
