"""Pictures of a run, made from what a physical or simulated environment recorded.

An extension declares a function (``films``) that takes a run's folder and returns a `FilmOfRun`, or
None if the folder has no recording of its kind. Making pictures may be slow; returning None must
not be.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

from treec.extensions import ExtensionError, registry
from treec.foreign import ForeignError, guard, text_of
from treec.nodes.events import SkillEnded, SkillStarted
from treec.run.state import describe_step
from treec.world.events import flat
from treec.world.journal import Record


@dataclass(frozen=True, slots=True)
class Still:
    """A picture as a WebP file, taken ``t`` seconds into the run."""

    t: float
    data: bytes


@dataclass(frozen=True, slots=True)
class Shot:
    """A request for pictures from one viewpoint: the times, and which things (empty: all).

    ``by`` is the acting agent, who may be in the picture too.
    """

    times: tuple[float, ...]
    things: tuple[str, ...] = ()
    by: str = ""


class FilmOfRun(Protocol):
    """The film of a run. Pictures are made on request."""

    @property
    def how(self) -> str:
        """How the pictures are made: rendered or ray cast."""

    @property
    def end(self) -> float:
        """The end of the film in seconds of the run."""

    def frames(self, most: int) -> Iterable[Still]:
        """Pictures of the whole scene, at most ``most``."""

    def still(self, t: float) -> Still:
        """The whole scene at a moment, or at the last one before it, as in `frames`."""

    def shot(self, request: Shot) -> Iterable[Still]:
        """The requested pictures, one for each time."""

    def depth_pictures(self, t: float) -> Iterable[tuple[str, Still]]:
        """Images of per-pixel measurements with their names: depth, things."""

    def animation(self, most: int, suffix: str) -> bytes:
        """The frames as one animated file, .webp or .gif."""


class FilmError(Exception):
    """A film exists but cannot be read; the message says why."""


@dataclass(frozen=True, slots=True)
class FilmedSkill:
    """A finished skill: agent, things, start and end in seconds, and how it ended."""

    agent: str
    words: str
    things: tuple[str, ...]
    start: float
    end: float
    how: str


def find_film(folder: Path) -> FilmOfRun | None:
    """Find the film in a run's folder; None if there is none. Raises FilmError."""
    tables = registry()
    for name, target in tables.films.items():
        try:
            find = cast("Callable[[Path], FilmOfRun | None]", tables.load(target))
            with guard(target.partition(":")[0]):
                film = find(folder)
        except (ExtensionError, ForeignError) as error:
            cause = error.__cause__ or error
            raise FilmError(f"pictures of '{name}' cannot be made: {text_of(cause)}") from error
        if film is not None:
            return film
    return None


def filmed_skills(records: Iterable[Record]) -> list[FilmedSkill]:
    """The finished skills that took time, sorted by start."""
    running: dict[str | None, tuple[float, SkillStarted]] = {}
    found: list[FilmedSkill] = []
    for record in records:
        for event in flat(record.event):
            if isinstance(event, SkillStarted):
                running[event.id] = record.t, event
            elif isinstance(event, SkillEnded) and event.id in running:
                start, skill = running.pop(event.id)
                if record.t > start:
                    found.append(_filmed_skill(skill, event, start, record.t))
    return sorted(found, key=lambda one: (one.start, one.end, one.agent))


def _filmed_skill(skill: SkillStarted, ended: SkillEnded, start: float, end: float) -> FilmedSkill:
    if ended.asked_again:
        how = f"asked again: {ended.reason}"
    else:
        is_stopped = ended.cancelled and not ended.unconfirmed
        how = "done" if ended.ok else "stopped" if is_stopped else f"failed: {ended.reason}"
    things = tuple(map(str, skill.args.values()))
    return FilmedSkill(skill.agent, describe_step(skill), things, start, end, how)
