"""What Ctrl-C, SIGTERM and SIGHUP do to a run: the first ends it in order, the second at once."""

from __future__ import annotations

import _thread
import itertools
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, NoReturn

GRACE = 0.03
"""Real seconds that a handler waits for the stop that it has begun in a thread."""

_owned = threading.Event()
_watching: Interrupts | None = None
"""Whose signals a thread watches; a process has one place where they are noted."""

_set_handler = signal.signal


def own_process() -> None:
    """Say that the command line is all that this process does, so that a signal may end it."""
    _owned.set()
    signal.signal = _set_handler_outside


def _set_handler_outside(signalnum: int, handler: Any) -> Any:
    """`signal.signal`, which leaves alone what a run handles while it calls code of others.

    A signal that is ignored even for a moment, until the handler is put back, may be a stop.
    """
    if _watching is not None and _watching.keeps(signalnum):
        return signal.getsignal(signalnum)
    return _set_handler(signalnum, handler)


def owns_process() -> bool:
    """Whether this process may be ended."""
    return _owned.is_set()


@contextmanager
def handle_interrupts(
    stop: Callable[[], None], abort: Callable[[], None] = lambda: None
) -> Iterator[Interrupts]:
    """The first Ctrl-C, SIGTERM or SIGHUP calls ``stop``.

    The next one calls ``abort``. A process of its own (:func:`own_process`) then ends at once with
    128 plus the signal's number as its status, whatever blocks: code of others that catches all
    exceptions, a call outside Python, a thread that nobody ends, also while the process exits.
    Elsewhere it acts as if never handled. A signal that is ignored, as SIGHUP under nohup, stays
    ignored.
    """
    interrupts = Interrupts(stop, abort)
    if threading.current_thread() is not threading.main_thread():
        yield interrupts  # only the main thread receives signals
        return
    interrupts.begin()
    try:
        yield interrupts
    finally:
        interrupts.end()


class Interrupts:
    """The handlers of the signals; see :func:`handle_interrupts`."""

    def __init__(self, stop: Callable[[], None], abort: Callable[[], None]) -> None:
        from treec.world.bounded import BOUND  # only a run needs it, and a handler imports nothing

        self._stop = stop
        self._abort = abort
        self._bound = BOUND
        self._before: dict[int, Any] = {}
        """What handled the signals before."""
        self._is_handled = False
        """Whether the first signal was handled."""
        self._claims = itertools.count()
        """Who takes the first of it stops the run: the handler, or the thread that watches."""
        self._pipe: tuple[int, int] | None = None

    def begin(self) -> None:
        """Handle the signals from now on."""
        names = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
        numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
        handlers = {number: signal.getsignal(number) for number in numbers}
        left = (signal.SIG_IGN, None)
        self._before = {number: found for number, found in handlers.items() if found not in left}
        if _owned.is_set():
            self._watch()
        self.put_back()

    def end(self) -> None:
        """Leave the signals to whom they were; a process that is to end keeps its handlers."""
        if not (self._is_handled and _owned.is_set()):
            self._restore()

    def keeps(self, number: int) -> bool:
        """Whether it handles a signal, and this thread is inside code of others."""
        from treec.foreign import module_inside  # only a run needs it

        return number in self._before and module_inside(threading.get_ident()) is not None

    def is_replaced(self) -> bool:
        """Whether code of others has put handlers of its own in the place of these."""
        return any(signal.getsignal(number) != self._handle for number in self._before)

    def put_back(self) -> None:
        """Handle the signals again; on the main thread."""
        for number in self._before:
            _set_handler(number, self._handle)

    def _restore(self) -> None:
        global _watching
        if _watching is self:
            signal.set_wakeup_fd(-1)
            _watching = None
        if self._pipe is not None:
            os.close(self._pipe[1])  # which ends the thread that reads
            self._pipe = None
        for number, handler in self._before.items():
            _set_handler(number, handler)

    def _handle(self, number: int, frame: object) -> None:
        if self._is_first():
            _call_beside(self._stop, GRACE)
        else:
            self._handle_next(number)

    def _is_first(self) -> bool:
        """Whether this signal, or what else has told of it, is the first."""
        self._is_handled = True
        return next(self._claims) == 0

    def _handle_next(self, number: int) -> None:
        if _owned.is_set():
            if self._pipe is None:  # else the thread that watches has counted it
                _leave(number, self._abort, self._bound)
            return
        self._restore()
        _call_beside(self._abort, self._bound)
        signal.raise_signal(number)

    def _watch(self) -> None:
        """See signals even if the main thread is in a call that does not return.

        A handler in Python waits for the main thread; the number of the signal is written at once.
        """
        global _watching
        read, write = os.pipe()
        os.set_blocking(write, False)
        try:
            taken = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
        except ValueError:  # not the main interpreter's
            taken = 0
        if taken != -1:  # an event loop's: it must go on
            if taken:
                signal.set_wakeup_fd(taken)
            os.close(read)
            os.close(write)
            return
        self._pipe, _watching = (read, write), self
        threading.Thread(target=self._look, args=(read,), name="treec signals", daemon=True).start()

    def _look(self, read: int) -> None:
        count = 0
        while data := os.read(read, 64):
            for number in data:
                if number not in self._before:
                    continue
                count += 1
                if count > 1:
                    _leave(number, self._abort, self._bound)
                elif self._is_first():
                    _call_beside(self._stop, GRACE)
        os.close(read)


def _call_beside(call: Callable[[], None], seconds: float) -> None:
    """Call it in a thread of its own, and wait for it, but not for long.

    A handler interrupts the main thread wherever it is, also where it holds a lock that the call
    needs: `Event.set` would wait for ever for an `Event.wait` that it has interrupted. The thread
    gets the lock once the handler has returned. No lock of `threading` is taken on the way.
    """
    done = _thread.allocate_lock()
    done.acquire()

    def run() -> None:
        try:
            with suppress(Exception):
                call()
        finally:
            done.release()

    _thread.start_new_thread(run, ())
    done.acquire(timeout=seconds)


def _leave(number: int, abort: Callable[[], None], bound: float) -> NoReturn:
    """End the process. What the journal has is on disk; nothing else is worth waiting for."""
    try:
        _call_beside(abort, bound)
        with suppress(OSError):
            os.write(2, b"treec: ended at once\n")
    finally:
        os._exit(128 + number)


def _forget_in_child() -> None:
    """In a copy of the process that code of others has made, signals are not the run's."""
    if _watching is not None:
        _watching._restore()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_in_child)
