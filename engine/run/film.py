"""Pictures of a run: of what an environment with bodies kept of it, by whoever can read that.

An extension declares a function (``films``) that is given a run's folder and returns a `FilmOfRun`,
or None where it finds nothing of its own. It may be slow to make pictures, but not to say that
there are none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast

from treec.extensions import ExtensionError, registry
from treec.world.journal import Record, events
from treec.world.values import thaw


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


class NoFilm(Exception):
    """A film that is there and cannot be read; the text says why."""


@dataclass(frozen=True, slots=True)
class SkillDone:
    """An agent's skill, from when to when, on what, and how it ended."""

    agent: str
    words: str
    things: tuple[str, ...]
    start: float
    end: float
    how: str


def find_film(folder: Path) -> FilmOfRun | None:
    """The film that an environment kept in a run's folder; None for none. Raises NoFilm."""
    tables = registry()
    for name, target in tables.films.items():
        try:
            find = cast("Callable[[Path], FilmOfRun | None]", tables.load(target))
            film = find(folder)
        except Exception as error:  # an extension is anybody's code
            cause = error.__cause__ if isinstance(error, ExtensionError) else error
            raise NoFilm(f"pictures of '{name}' cannot be made: {cause}") from error
        if film is not None:
            return film
    return None


def skills_done(records: Iterable[Record]) -> list[SkillDone]:
    """The skills that took time, in the order of their beginnings."""
    begun: dict[str, tuple[float, Mapping[str, Any]]] = {}
    found = []
    for record in records:
        for event in events(record):
            data: Mapping[str, Any] = event.data
            if event.kind == "skill.started":
                begun[data["id"]] = event.t, data
            elif event.kind == "skill.ended" and data.get("id") in begun:
                start, told = begun.pop(data["id"])
                if event.t > start:
                    found.append(_done(start, event.t, told, _how(data)))
    return sorted(found, key=lambda one: (one.start, one.end, one.agent))


def _done(start: float, end: float, told: Mapping[str, Any], how: str) -> SkillDone:
    args = thaw(told["args"])
    values = [str(value) for value in args.values()] if isinstance(args, dict) else []
    words = f"{told['skill']}({', '.join(values)})"
    return SkillDone(str(told["agent"]), words, tuple(values), start, end, how)


def _how(data: Mapping[str, Any]) -> str:
    if data["ok"]:
        return "done"
    if data.get("cancelled"):
        return "stopped"
    return f"failed: {data.get('reason', '')}"
