"""Watches from a thread of its own that nobody holds the loop, until all is halted.

Code of others that blocks (a driver that waits, an endless loop) stops everything: no tick, no
stop, no Ctrl-C. The watchdog names the line that holds the loop. When the run is to end and the
loop does not come to it, it tells all workers to cancel itself, then interrupts that line, and if
nothing helps it ends the run without the loop.
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

from treec.foreign import (
    HeldTooLong,
    guard,
    insist,
    is_foreign,
    is_overdue,
    line_of,
    module_inside,
    overdue_call,
)
from treec.run.loop import Loop, node_at_work

HELD = 5.0
"""Real seconds without a step of the loop after which the line that blocks it is reported."""

GRACE = 0.01
"""Real seconds in which a loop comes to a stop by itself; then its watchdog tells the workers."""

STOPPING = 1.0
"""Real seconds that it may hold a run that is to end, before it is interrupted."""

LAST = 0.5
"""Real seconds that it has after that, before the run ends without it."""

SWITCH = 0.0005
"""Seconds that an endless loop keeps another thread waiting; several of them pass on a stop."""

INSISTS = 2
"""After so many interrupts that a call has caught, it is interrupted at each of its lines."""

LOOK = 0.1
"""Real seconds between two looks."""

INTERRUPT: signal.Signals | None = getattr(signal, "SIGUSR1", None)
"""The signal that interrupts the loop; not Ctrl-C's, the second of which ends the process."""

_log = logging.getLogger("treec.watchdog")


def _nothing() -> None:
    """Do nothing."""


class LoopWatchdog:
    """Watches the loop that the current thread runs, between ``start`` and ``stop``.

    As a context manager it does both. ``tell`` tells all workers in flight to cancel, ``interrupt``
    interrupts the loop's thread, and ``abandon`` ends the run without it: it is given the line that
    holds the loop. While a stop ``is_awaited`` (of a robot that was told, and is not known to be at
    rest) code that holds the loop has no more time than where the run is to end. ``repair`` is
    called on the loop's thread whenever ``is_broken``.
    """

    def __init__(
        self,
        loop: Loop,
        *,
        tell: Callable[[], None] = _nothing,
        abandon: Callable[[str], None] = lambda line: None,
        is_awaited: Callable[[], bool] = lambda: False,
        is_broken: Callable[[], bool] = lambda: False,
        repair: Callable[[], None] = _nothing,
        monotonic: Callable[[], float] = time.monotonic,
        frames: Callable[[], Mapping[int, FrameType]] = sys._current_frames,
        interrupt: Callable[[], None] | None = None,
    ) -> None:
        self._loop = loop
        self._tell = tell
        self._abandon = abandon
        self._is_awaited = is_awaited
        self._is_broken = is_broken
        self._repair = repair
        self._monotonic = monotonic
        self._frames = frames
        self._interrupt = interrupt or self._send_interrupt
        self._ended = threading.Event()
        self._thread = threading.get_ident()
        self._beats, self._since = loop.beats, monotonic()
        self._is_named = self._has_told = False
        self._stopping_since: float | None = None
        self._interrupted_at: float | None = None
        self._call: guard | None = None
        """The call that took too long and was interrupted last."""
        self._call_interrupted = 0.0
        self._call_interrupts = 0
        self._interrupts = False
        """Whether the signal that was sent last is to interrupt, not only to repair."""
        self._switch = sys.getswitchinterval()
        self._ending = threading.Lock()
        self._handler: Any = None
        """What handled ``INTERRUPT`` before, while it watches."""

    def __enter__(self) -> LoopWatchdog:
        self._thread = threading.get_ident()
        sys.setswitchinterval(SWITCH)
        if INTERRUPT is not None and threading.current_thread() is threading.main_thread():
            self._handler = signal.getsignal(INTERRUPT)
            if self._handler is not None:
                signal.signal(INTERRUPT, self._on_signal)
        threading.Thread(target=self._run, name="treec watchdog", daemon=True).start()
        return self

    def __exit__(self, *error: object) -> None:
        with self._ending:
            self._ended.set()
        sys.setswitchinterval(self._switch)
        if self._handler is not None and INTERRUPT is not None:
            signal.signal(INTERRUPT, self._handler)

    def _run(self) -> None:
        while not self._ended.is_set():
            self.look()
            if self._loop.is_stopping:
                self._ended.wait(GRACE)
            else:
                self._loop.wait_for_stop(min(LOOK, (self._loop.tick_budget or LOOK) / 2))

    def look(self) -> None:
        """Look once; called every ``LOOK`` seconds, and at once when the run is to end."""
        now, beats, is_stopping = self._monotonic(), self._loop.beats, self._loop.is_stopping
        if not is_stopping:
            self._stopping_since, self._has_told = None, False
        elif self._stopping_since is None:
            self._stopping_since = now
        elif not self._has_told and now - self._stopping_since >= GRACE:
            self._has_told = True
            self._tell()
        self._look_at_turn()
        if self._is_broken():
            self._signal(interrupts=False)
        if beats != self._beats:
            self._beats, self._since = beats, now
            self._is_named, self._interrupted_at = False, None
            return
        is_awaited = not is_stopping and self._is_awaited()
        self._look_at_call(STOPPING if is_awaited else None)
        if now - self._since < (STOPPING if is_stopping or is_awaited else HELD):
            return
        line = foreign_line(self._frames().get(self._thread), module_inside(self._thread))
        if line is None:
            return
        if not self._is_named:
            self._is_named = True
            _log.warning(
                "%s has blocked the loop for %.0f s, and everything waits for it: what takes "
                "time belongs in a thread (begin_external)",
                line,
                now - self._since,
            )
        if not is_stopping:
            return
        if self._interrupted_at is None:
            self._interrupted_at = now
            self._interrupt()
        elif now - self._interrupted_at >= LAST:
            self._interrupted_at = now
            self._abandon(line)

    def _look_at_turn(self) -> None:
        """Note what a turn is at that has taken a good part of its time."""
        loop, began = self._loop, self._loop.turn_began
        if began is None or time.monotonic() - began < (loop.tick_budget or 0) / 4:
            return
        frame = self._frames().get(self._thread)
        node, line = node_at_work(frame), foreign_line(frame, module_inside(self._thread))
        path = str(getattr(node, "path", None) or getattr(node, "name", ""))
        where = " in ".join(filter(None, (line, path)))
        if where:
            loop.suspect = where

    def _look_at_call(self, hurry: float | None) -> None:
        """Interrupt a call that has taken longer than it may, again each second.

        One that catches all interrupts ends the run.
        """
        now = time.monotonic()
        call = overdue_call(self._thread, now, hurry)
        if call is None or now - self._call_interrupted < STOPPING:
            return
        if call is not self._call:
            self._call, self._call_interrupts = call, 0
        self._call_interrupted, call.is_overdue = now, True
        self._call_interrupts += 1
        if self._call_interrupts <= INSISTS + 1:
            self._interrupt()
        else:
            line = foreign_line(self._frames().get(self._thread), module_inside(self._thread))
            self._abandon(line or call.module)

    def _send_interrupt(self) -> None:
        """Interrupt the loop's thread as Ctrl-C does."""
        if self._handler is not None:
            self._signal(interrupts=True)
        else:  # no signal reaches it: what waits outside Python goes on
            from ctypes import c_ulong, py_object, pythonapi

            raised = py_object(HeldTooLong)
            pythonapi.PyThreadState_SetAsyncExc(c_ulong(self._thread), raised)

    def _signal(self, *, interrupts: bool) -> None:
        with self._ending:
            if self._handler is not None and INTERRUPT is not None and not self._ended.is_set():
                self._interrupts = interrupts
                signal.pthread_kill(self._thread, INTERRUPT)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Repair what is to be repaired, and interrupt the code of others that runs, if any."""
        interrupts, self._interrupts = self._interrupts, False
        self._repair()
        module = module_inside(self._thread)
        line = foreign_line(frame, module) if interrupts else None
        if line is not None or is_overdue(self._thread):
            if line is not None and module is not None and self._call_interrupts >= INSISTS:
                insist(frame, module)
            raise HeldTooLong


def foreign_line(frame: FrameType | None, module: str | None) -> str | None:
    """The innermost line of a user's code that a run has called; None if it does not hold the run.

    ``module`` is what was called. What treec imports when it is first needed is not that code's.
    """
    if module is None or not is_foreign(module):
        return None
    package, inner = module.partition(".")[0], ""
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        top = name.partition(".")[0]
        if name == "treec.run.run":
            return None  # what called the run does not hold it
        if top == package:
            return line_of(frame)
        if inner in IMPORTING and not is_foreign(top):
            return None
        inner, frame = name, frame.f_back
    return None  # it does not run


IMPORTING = ("importlib", "importlib._bootstrap")
"""The modules of Python that carry out an `import` statement and `import_module`."""
