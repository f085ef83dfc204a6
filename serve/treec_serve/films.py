"""The films of runs, one picture at a time, for the page.

A film is found once, and again while its run goes on. Pictures are kept, so that a slider that goes
back and forth costs nothing twice.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from treec_live.film import FilmError, FilmOfRun, Still, find_film

KEPT_FILMS, KEPT_STILLS = 2, 200
"""How many films, and pictures of each, are kept in memory."""

AGAIN = 1.0
"""Seconds after which a film of a run that goes on is looked at anew."""


class NoFilm(Exception):
    """A run has no film; the text says why if it has one that cannot be read."""


@dataclass
class _OpenFilm:
    film: FilmOfRun | None
    since: float
    problem: str
    stills: OrderedDict[float, Still]


class RunFilms:
    """Finds and keeps the films of runs. May be used from several threads."""

    def __init__(self, *, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._lock = threading.Lock()
        self._open: OrderedDict[Path, _OpenFilm] = OrderedDict()

    def has(self, folder: Path, *, goes_on: bool) -> bool:
        """Whether a run has a film; the run may be going on. Raises NoFilm if it is broken."""
        with self._lock:
            found = self._found(folder, goes_on)
        if found.problem:
            raise NoFilm(found.problem)
        return found.film is not None

    def still(self, folder: Path, t: float, *, goes_on: bool) -> Still:
        """The whole scene at a moment of a run. Raises NoFilm."""
        with self._lock:  # one picture at a time: more would not come sooner
            found = self._found(folder, goes_on)
            if found.film is None:
                raise NoFilm(found.problem or "no film of this run")
            if t in found.stills:
                found.stills.move_to_end(t)
                return found.stills[t]
            try:
                still = found.film.still(t)
            except Exception as error:  # films are made by extensions
                raise NoFilm(f"no picture can be made: {error}") from error
            if t <= found.film.end:  # else it is older than that
                found.stills[t] = still
            while len(found.stills) > KEPT_STILLS:
                found.stills.popitem(last=False)
            return still

    def _found(self, folder: Path, goes_on: bool) -> _OpenFilm:
        now = self._monotonic()
        found = self._open.get(folder)
        if found is None or (goes_on and now - found.since >= AGAIN):
            problem, film = "", None
            try:
                film = find_film(folder)
            except FilmError as error:
                problem = str(error)
            kept = OrderedDict() if found is None else found.stills
            found = self._open[folder] = _OpenFilm(film, now, problem, kept)
        self._open.move_to_end(folder)
        while len(self._open) > KEPT_FILMS:
            self._open.popitem(last=False)
        return found
