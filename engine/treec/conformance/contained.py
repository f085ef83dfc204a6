"""Makes trials in a child process, which somebody's code may end, crash or hold for ever.

The child is a fork and says over a pipe what it tries and what came of it. When it ends before it
is done, the trial in progress has found that, and a new child goes on with the next one. Where a
process cannot be forked (Windows) the trials are made in this one.
"""

from __future__ import annotations

import faulthandler
import multiprocessing
import os
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import IO, Any, NoReturn

from treec.conformance.known_trials import find_trial
from treec.conformance.places import place_in_dump
from treec.conformance.subjects import Subject
from treec.conformance.trial import CodePlace, Trial, TrialReport
from treec.run.skill_trial import CannotTry

SILENCE = 30.0
"""Real seconds without a sign of life after which a child is held, by code that is not Python."""

MOST_HELD = 2
"""Trials of one subject whose child did not end by itself; the rest of them is not made."""

_HELD = "it held the process for {:g} s and could not be interrupted"

_BEAT = 0.2

_TO_END = 2.0
"""Real seconds in which a child that has closed its pipe, or was aborted, ends."""


@dataclass
class Tried:
    """A subject and how its trials went, as far as they were made."""

    name: str
    about: str
    trials: tuple[str, ...]
    results: list[TrialReport] = field(default_factory=list)
    untried: str = ""
    """Why nothing of it could be tried."""
    held: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether all of its trials are over."""
        return bool(self.untried) or len(self.results) == len(self.trials)

    def give_up(self, why: str) -> None:
        """Leave the rest of its trials out."""
        for id in self.trials[len(self.results) :]:
            self.results.append(TrialReport(_trial(id), not_tried=why))


def make_contained(subjects: Iterable[Subject], silence: float = SILENCE) -> list[Tried]:
    """Make all trials of subjects; these are looked up in the child, too, if they are lazy.

    Raises CannotTry if they cannot be looked up.
    """
    if not hasattr(os, "fork"):  # pragma: no cover
        return _make_here(subjects)
    found: list[Tried] = []
    while not _Child(subjects, found, silence).run():
        pass
    return found


class _Child:
    """One child process, as its parent sees it."""

    def __init__(self, subjects: Iterable[Subject], found: list[Tried], silence: float) -> None:
        self._subjects = subjects
        self._found = found
        self._silence = silence
        self._doing: str | None = None  # the trial in progress
        self._method: CodePlace | None = None  # and the method that it is about

    def run(self) -> bool:
        """Take what it says until it ends; returns whether it was done. Raises what it raised."""
        sys.stdout.flush()
        sys.stderr.flush()
        here, there = multiprocessing.Pipe(duplex=False)
        with tempfile.TemporaryFile() as dump:
            pid = os.fork()
            if pid == 0:
                here.close()
                _Teller(there, dump).tell(self._subjects, self._found)
            there.close()
            try:
                is_done, is_held = self._listen(here)
            except BaseException:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                raise
            finally:
                here.close()
            status = _end(pid, is_held)
            if not is_done:
                dump.seek(0)
                text = dump.read().decode("utf-8", "replace")
                what = _HELD.format(self._silence) if is_held else _describe(status)
                self._note_end(what, is_held or status is None, text)
        return is_done

    def _listen(self, pipe: Connection) -> tuple[bool, bool]:
        """Whether the child was done, and whether it was held."""
        while True:
            if not pipe.poll(self._silence):
                return False, True
            try:
                what, *data = pipe.recv()
            except (EOFError, OSError):
                return False, False
            if what == "done":
                return True, False
            self._take(what, data)

    def _take(self, what: str, data: list[Any]) -> None:
        match what:
            case "subject":
                self._found.append(Tried(*data))
            case "begin":
                self._doing, self._method = data
            case "end":
                id, *rest = data
                self._found[-1].results.append(TrialReport(_trial(id), *rest))
                self._doing = None
            case "untried":
                self._found[-1].untried = data[0]
            case "error":
                raise data[0]

    def _note_end(self, what: str, is_held: bool, dump: str) -> None:
        place = place_in_dump(dump)
        subject = self._found[-1] if self._found and not self._found[-1].is_complete else None
        if subject is None or self._doing is None:
            where = f" ({place.file}:{place.line})" if place is not None else ""
            problem = f"{what}{where} before anything was tried"
            if subject is None:
                raise CannotTry(problem)
            subject.untried = problem
            return
        trial = _trial(self._doing)
        before = [r.trial.id for r in subject.results if (r.wrong, r.place) == (what, place)]
        if before and place is not None:
            report = TrialReport(trial, not_tried=f"it ends as {before[0]}")
        else:
            report = TrialReport(trial, what, place or self._method)
        subject.results.append(report)
        subject.held += is_held
        if subject.held >= MOST_HELD:
            subject.give_up(f"{MOST_HELD} trials did not end and could not be interrupted")


class _Teller:
    """The child: makes trials and tells the parent."""

    def __init__(self, pipe: Connection, dump: IO[bytes]) -> None:
        self._pipe = pipe
        self._dump = dump
        self._sending = threading.Lock()
        self._exit: Callable[[int], NoReturn] = os._exit

    def tell(self, subjects: Iterable[Subject], found: list[Tried]) -> NoReturn:
        """Make the trials that are not in ``found``, and exit."""
        try:
            faulthandler.enable(self._dump.fileno())
            os._exit = self._exit_noted
            threading.Thread(target=self._beat, name="treec beat", daemon=True).start()
            self._make(subjects, found)
            self._send("done")
        except BaseException as error:
            self._send_error(error)
        finally:
            self._exit(0)

    def _make(self, subjects: Iterable[Subject], found: list[Tried]) -> None:
        for number, subject in enumerate(subjects):
            if number < len(found):
                tried = found[number]
                if tried.is_complete:
                    continue
                over = {result.trial.id for result in tried.results}
            else:
                over = set()
                self._send(
                    "subject", subject.name, subject.about, tuple(t.id for t in subject.trials.all)
                )
            try:
                self._try(subject, over)
            except CannotTry as error:
                self._send("untried", str(error))

    def _try(self, subject: Subject, over: set[str]) -> None:
        def begin(trial: Trial) -> None:
            self._send("begin", trial.id, subject.place_of(trial.method))

        for report in subject.make_trials(over, begin):
            self._send("end", report.trial.id, report.wrong, report.place, report.not_tried)

    def _send(self, *message: object) -> None:
        with self._sending:
            self._pipe.send(message)

    def _send_error(self, error: BaseException) -> None:
        with suppress(Exception):
            try:
                self._send("error", error)
            except Exception:  # it cannot be pickled
                self._send("error", RuntimeError(f"{type(error).__name__}: {error}"))

    def _beat(self) -> None:
        with suppress(OSError):
            while True:
                time.sleep(_BEAT)
                self._send("alive")

    def _exit_noted(self, status: int) -> NoReturn:
        """In the place of ``os._exit``: note by whom it is called."""
        faulthandler.dump_traceback(self._dump.fileno(), all_threads=False)
        self._exit(status)


def _make_here(subjects: Iterable[Subject]) -> list[Tried]:  # pragma: no cover
    found = []
    for subject in subjects:
        tried = Tried(subject.name, subject.about, tuple(t.id for t in subject.trials.all))
        found.append(tried)
        try:
            tried.results += subject.make_trials((), lambda trial: None)
        except CannotTry as error:
            tried.untried = str(error)
    return found


def _trial(id: str) -> Trial:
    trial = find_trial(id)
    assert trial is not None, id
    return trial


def _end(pid: int, is_held: bool) -> int | None:
    """The status of a child that has ended; one that goes on is killed and has none."""
    if is_held:
        os.kill(pid, signal.SIGABRT)  # its handler notes where it is
    until = time.monotonic() + _TO_END
    while time.monotonic() < until:
        ended, status = os.waitpid(pid, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.002)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def _describe(status: int | None) -> str:
    if status is None:
        return "it replaced the process by another program, which was killed"
    if os.WIFSIGNALED(status):
        return f"it ended the process by {signal.Signals(os.WTERMSIG(status)).name}"
    return f"it ended the process, with exit status {os.WEXITSTATUS(status)}"
