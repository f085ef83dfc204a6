"""Pictures of a run: of what an environment with bodies kept of it, by whoever can read that.

An extension declares a function (``films``) that is given a run's folder and returns a `FilmOfRun`,
or None where it finds nothing of its own. It may be slow to make pictures, but not to say that
there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from treec.extensions import ExtensionError, registry
from treec.run.state import SkillSpan, fold, step_words
from treec.world.journal import Record


@dataclass(frozen=True, slots=True)
class Still:
    """A picture, as a WebP file, of the moment ``t`` seconds into the run."""

    t: float
    data: bytes


@dataclass(frozen=True, slots=True)
class Shot:
    """Pictures that are wanted from one place: when, of which things (none: all), and by whom.

    ``by`` is whose deed it is, who may be seen beside them.
    """

    times: tuple[float, ...]
    things: tuple[str, ...] = ()
    by: str = ""


class FilmOfRun(Protocol):
    """The film of a run; its pictures are made when they are asked for."""

    @property
    def how(self) -> str:
        """How the pictures are made: rendered, ray cast."""

    @property
    def end(self) -> float:
        """When the film ends, in seconds of the run."""

    def frames(self, most: int) -> Iterable[Still]:
        """The whole scene at so many moments, or fewer."""

    def shot(self, wanted: Shot) -> Iterable[Still]:
        """The pictures that are wanted, one for each time."""

    def measured(self, t: float) -> Iterable[tuple[str, Still]]:
        """What is known of each pixel, in colours, each with its name: depth, things."""

    def moving(self, most: int, suffix: str) -> bytes:
        """The frames as one file that moves, .webp or .gif."""


class FilmError(Exception):
    """A film that is there and cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class FilmedSkill:
    """An agent's skill, from when to when, on what, and how it ended."""

    agent: str
    words: str
    things: tuple[str, ...]
    start: float
    end: float
    how: str


def find_film(folder: Path) -> FilmOfRun | None:
    """The film that an environment kept in a run's folder; None for none. Raises FilmError."""
    tables = registry()
    for name, target in tables.films.items():
        try:
            find = cast("Callable[[Path], FilmOfRun | None]", tables.load(target))
            film = find(folder)
        except Exception as error:  # an extension is anybody's code
            cause = error.__cause__ if isinstance(error, ExtensionError) else error
            raise FilmError(f"pictures of '{name}' cannot be made: {cause}") from error
        if film is not None:
            return film
    return None


def filmed_skills(records: Iterable[Record]) -> list[FilmedSkill]:
    """The skills that took time, in the order of their beginnings."""
    found = [_done(one) for one in fold(records).skills if one.end > one.start]
    return sorted(found, key=lambda one: (one.start, one.end, one.agent))


def _done(span: SkillSpan) -> FilmedSkill:
    skill, ended = span.started, span.ended
    how = "done" if ended.ok else "stopped" if ended.cancelled else f"failed: {ended.reason}"
    things = tuple(map(str, skill.args.values()))
    return FilmedSkill(skill.agent, step_words(skill), things, span.start, span.end, how)
