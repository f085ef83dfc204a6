"""Watches from a thread of its own that nobody holds the loop.

Code of others that blocks (a driver that waits, an endless loop) stops everything: no tick, no
stop, no Ctrl-C. The watchdog names the line that holds the loop, and when the run is to end it
interrupts that line.
"""

from __future__ import annotations

import logging
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from types import FrameType
from typing import Any

from treec.foreign import line_of
from treec.run.loop import Loop

HELD = 5.0
"""Real seconds without a step of the loop after which the line that holds it is told."""

STOPPING = 1.0
"""Real seconds that it may hold a run that is to end, before it is interrupted."""

LOOK = 0.5
"""Real seconds between two looks."""

INTERRUPT: signal.Signals | None = getattr(signal, "SIGUSR1", None)
"""The signal that interrupts the loop; not Ctrl-C's, the second of which ends the process."""

_log = logging.getLogger("treec.watchdog")


class LoopWatchdog:
    """Watches the loop that the current thread runs, between ``start`` and ``stop``.

    As a context manager it does both. ``interrupt`` interrupts the loop's thread.
    """

    def __init__(
        self,
        loop: Loop,
        *,
        monotonic: Callable[[], float] = time.monotonic,
        frames: Callable[[], Mapping[int, FrameType]] = sys._current_frames,
        interrupt: Callable[[], None] | None = None,
    ) -> None:
        self._loop = loop
        self._monotonic = monotonic
        self._frames = frames
        self._interrupt = interrupt or self._send_interrupt
        self._ended = threading.Event()
        self._thread = threading.get_ident()
        self._beats, self._since = loop.beats, monotonic()
        self._is_told = self._is_interrupted = False
        self._ending = threading.Lock()
        self._handler: Any = None
        """What handled ``INTERRUPT`` before, while it watches."""

    def __enter__(self) -> LoopWatchdog:
        self._thread = threading.get_ident()
        if INTERRUPT is not None and threading.current_thread() is threading.main_thread():
            self._handler = signal.getsignal(INTERRUPT)
            if self._handler is not None:
                signal.signal(INTERRUPT, signal.default_int_handler)
        threading.Thread(target=self._run, name="treec watchdog", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._ending:
            self._ended.set()
        if self._handler is not None and INTERRUPT is not None:
            signal.signal(INTERRUPT, self._handler)

    def _run(self) -> None:
        while not self._ended.wait(LOOK):
            self.look()

    def look(self) -> None:
        """Look once; called every ``LOOK`` seconds."""
        now, beats = self._monotonic(), self._loop.beats
        if beats != self._beats:
            self._beats, self._since, self._is_told = beats, now, False
            return
        is_stopping = self._loop.is_stopping
        if now - self._since < (STOPPING if is_stopping else HELD):
            return
        line = foreign_line(self._frames().get(self._thread))
        if line is None:
            return
        if not self._is_told:
            self._is_told = True
            _log.warning(
                "%s has held the loop for %.0f s, and nobody else can move meanwhile: what takes "
                "time belongs in a thread (begin_external)",
                line,
                now - self._since,
            )
        if is_stopping and not self._is_interrupted:
            self._is_interrupted = True
            self._interrupt()

    def _send_interrupt(self) -> None:
        """Interrupt the loop's thread as Ctrl-C does; only the main thread can be."""
        with self._ending:
            if self._handler is not None and INTERRUPT is not None and not self._ended.is_set():
                signal.pthread_kill(self._thread, INTERRUPT)


OURS = ("treec.envs", "treec_")
"""Beginnings of packages of ours that may take their time, as a simulator planning a motion."""


def foreign_line(frame: FrameType | None) -> str | None:
    """The innermost line of the package of others that a run has called, if it is in one."""
    stack: list[tuple[FrameType, str]] = []
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        if name == "treec.run.run":
            break  # what called the run does not hold it
        stack.append((frame, name))
        frame = frame.f_back
    else:
        return None  # it does not run
    called: list[tuple[FrameType, str]] = []  # by the engine: from the first of others on
    for inner, name in reversed(stack):
        package = name.partition(".")[0]
        if name.startswith(OURS):
            return None
        is_engine = package in ("treec", "py_trees") or package in sys.stdlib_module_names
        if (called and package == called[0][1]) or (not called and not is_engine):
            called.append((inner, package))
    return line_of(called[-1][0]) if called else None
