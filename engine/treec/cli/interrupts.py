"""What Ctrl-C, SIGTERM and SIGHUP do to a run: the first ends it in order, the second at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from typing import NoReturn

_owned = threading.Event()


def own_process() -> None:
    """Say that the command line is all that this process does, so that a signal may end it."""
    _owned.set()


@contextmanager
def handle_interrupts(
    stop: Callable[[], None], abort: Callable[[], None] = lambda: None
) -> Iterator[None]:
    """The first Ctrl-C, SIGTERM or SIGHUP calls ``stop``.

    The next one calls ``abort``. A process of its own (:func:`own_process`) then ends at once with
    128 plus the signal's number as its status, whatever blocks: code of others that catches all
    exceptions, a call outside Python, a thread that nobody ends, also while the process exits.
    Elsewhere it acts as if never handled. A signal that is ignored, as SIGHUP under nohup, stays
    ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread receives signals
        return
    names = ("SIGINT", "SIGTERM", "SIGHUP")  # Windows has no SIGHUP
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handlers = {number: signal.getsignal(number) for number in numbers}
    before = {n: found for n, found in handlers.items() if found not in (signal.SIG_IGN, None)}
    is_stopped = False

    def restore() -> None:
        for number, handler in before.items():
            signal.signal(number, handler)

    def on_signal(number: int, frame: object) -> None:
        nonlocal is_stopped
        is_stopped = True
        for other in before:
            signal.signal(other, on_next_signal)
        if _owned.is_set():
            _leave_at_next(before, abort)
        stop()

    def on_next_signal(number: int, frame: object) -> None:
        if _owned.is_set():
            _leave(number, abort)
        restore()
        abort()
        signal.raise_signal(number)

    for number in before:
        signal.signal(number, on_signal)
    try:
        yield
    finally:
        if not (is_stopped and _owned.is_set()):
            restore()


def _leave_at_next(numbers: Collection[int], abort: Callable[[], None]) -> None:
    """Leave at the next signal even if the main thread is in a call that does not return.

    A handler in Python waits for the main thread; the number of the signal is written at once.
    """
    read, write = os.pipe()
    os.set_blocking(write, False)
    try:
        taken = signal.set_wakeup_fd(write, warn_on_full_buffer=False)
    except ValueError:  # not the main interpreter's
        return
    if taken != -1:
        signal.set_wakeup_fd(taken)  # an event loop's: it must go on
        return

    def watch() -> None:
        while data := os.read(read, 64):
            for number in data:
                if number in numbers:
                    _leave(number, abort)

    threading.Thread(target=watch, name="treec second signal", daemon=True).start()


def _leave(number: int, abort: Callable[[], None]) -> NoReturn:
    """End the process. What the journal has is on disk; nothing else is worth waiting for."""
    try:
        with suppress(Exception):
            abort()
        with suppress(OSError):
            os.write(2, b"treec: stopped\n")
    finally:
        os._exit(128 + number)
