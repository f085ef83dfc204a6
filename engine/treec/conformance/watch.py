"""Watches one play: deadlines, prints, threads left behind, and changes to the process."""

from __future__ import annotations

import ctypes
import io
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout

from treec.conformance.places import place_of_error, place_of_frame
from treec.conformance.trial import CodePlace, Misbehaviour


class Interrupted(BaseException):
    """Raised in the thread of a play that does not come back."""


class PlayWatch:
    """What is noticed around a play.

    ``beat`` is called by the play whenever a call of somebody's code has returned; without a beat
    for ``patience`` real seconds the play is held, and interrupted where Python can be.
    """

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self.beats = 0
        self.held: CodePlace | None = None
        self.is_held = False
        self.prints: list[tuple[str, CodePlace | None]] = []
        self._threads_left: list[threading.Thread] = []
        self.changes: list[str] = []
        self._before = set(threading.enumerate())
        self._thread: threading.Thread | None = None

    def beat(self) -> None:
        """Take note that the play goes on."""
        self.beats += 1

    def run(self, play: Callable[[], None]) -> None:
        """Run a play in a thread of its own. Raises what it raises, except when it was held."""
        errors: list[BaseException] = []

        def run() -> None:
            try:
                play()
            except BaseException as error:
                errors.append(error)

        self._before = set(threading.enumerate())
        thread = self._thread = threading.Thread(target=run, name="treec trial", daemon=True)
        with self._noted_changes(), redirect_stdout(_Prints(self)):
            thread.start()
            self._wait(thread)
            if not self.is_held:
                self._threads_left = self.join_threads(self.patience / 20)
        if errors and not self.is_held:
            if not isinstance(errors[0], Exception):
                what = f"it raised {type(errors[0]).__name__}: {errors[0]}"
                raise Misbehaviour(what, place_of_error(errors[0])) from errors[0]
            raise errors[0]

    @property
    def threads_left(self) -> list[str]:
        """The names of the threads that were left behind and are still alive."""
        return [thread.name for thread in self._threads_left if thread.is_alive()]

    def new_threads(self) -> list[threading.Thread]:
        """The threads that are alive and were started by the play."""
        known = {*self._before, self._thread}
        return [thread for thread in threading.enumerate() if thread not in known]

    def join_threads(self, patience: float) -> list[threading.Thread]:
        """Wait for the threads that the play has started; those that go on."""
        for thread in self.new_threads():
            thread.join(patience)
        return self.new_threads()

    def _wait(self, thread: threading.Thread) -> None:
        beats = -1
        while thread.is_alive():
            thread.join(self.patience)
            if thread.is_alive() and beats == self.beats:
                frame = sys._current_frames().get(thread.ident or 0)
                self.is_held, self.held = True, place_of_frame(frame)
                _interrupt(thread)
                return
            beats = self.beats

    @contextmanager
    def _noted_changes(self) -> Iterator[None]:
        before = _process_state()
        yield
        after = _process_state()
        self.changes = [name for name in before if before[name] != after[name]]
        if "the working directory" in self.changes:
            os.chdir(str(before["the working directory"]))
        if "environment variables" in self.changes:
            os.environ.clear()
            os.environ.update(before["environment variables"])  # type: ignore[call-overload]
        if "the seed of `random`" in self.changes:
            random.setstate(before["the seed of `random`"])  # type: ignore[arg-type]


def _interrupt(thread: threading.Thread) -> None:
    """Raise in a thread that runs Python; one that waits in C goes on, as a daemon."""
    ident = ctypes.c_ulong(thread.ident or 0)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ident, ctypes.py_object(Interrupted))
    thread.join(0.1)


def _process_state() -> dict[str, object]:
    return {
        "the working directory": os.getcwd(),
        "environment variables": dict(os.environ),
        "the seed of `random`": random.getstate(),
        "`sys.path`": list(sys.path),
        "the handler of Ctrl-C": signal.getsignal(signal.SIGINT),
        "`sys.excepthook`": sys.excepthook,
        "`threading.excepthook`": threading.excepthook,
    }


class _Prints(io.TextIOBase):
    """Standard output during a play: nothing is shown, all is noted with its line."""

    def __init__(self, watch: PlayWatch) -> None:
        self._watch = watch

    def write(self, text: str) -> int:
        """Take note of what is printed."""
        if text.strip():
            self._watch.prints.append((text.strip(), place_of_frame(sys._getframe(1))))
        return len(text)
