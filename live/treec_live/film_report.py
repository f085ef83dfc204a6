"""The film in a report: the whole run, and images of each skill."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from treec.render.page import PagePart
from treec.world.journal import Record
from treec_live.film import FilmedSkill, FilmOfRun, Shot, filmed_skills
from treec_live.film_output import FRAMES, encode_film, open_film
from treec_live.film_page import render_film, render_shots, style

ROWS = 60
"""Maximum number of skills; of a longer run the first and the last half."""


def film_parts(film: FilmOfRun, skills: Sequence[FilmedSkill]) -> Iterator[PagePart]:
    """The parts of the report about the film."""
    made = "rendered by SAPIEN" if film.how == "rendered" else "made by ray casts, not rendered"
    frames = [(still.t, still.data) for still in film.frames(FRAMES)]
    yield PagePart("The run as a film", html=render_film(frames, made), style=style())
    shown, note = _select_skills(skills)
    if shown:
        yield PagePart(
            "Each skill's beginning and end", html=_rows(film, shown), note=note, style=style()
        )
    pictures = [
        (f"{name} at {still.t:.1f} s", still.data) for name, still in film.depth_pictures(film.end)
    ]
    shots = render_shots([("Light is near; each thing has its colour.", pictures)])
    yield PagePart("What a camera measures at the end", html=shots, style=style())


def _select_skills(skills: Sequence[FilmedSkill]) -> tuple[Sequence[FilmedSkill], str]:
    if len(skills) <= ROWS:
        return skills, ""
    half = ROWS // 2
    note = f"The first and the last {half} of {len(skills)} skills."
    return [*skills[:half], *skills[-half:]], note


def _rows(film: FilmOfRun, skills: Sequence[FilmedSkill]) -> str:
    rows = []
    for skill in skills:
        stills = film.shot(Shot((skill.start, skill.end), skill.things, skill.agent))
        about = f"{skill.agent}: {skill.words}, {skill.how}"
        rows.append((about, [(f"{still.t:.1f} s", still.data) for still in stills]))
    return render_shots(rows)


class Films:
    """What `treec report` asks of this package."""

    def encoded(self, folder: Path, output: Path) -> bytes:
        """The film in a run's folder, in the format of the output. Raises Stop."""
        return encode_film(folder, output, f"in {folder}")

    def parts(self, folder: Path, records: Sequence[Record]) -> Iterable[PagePart]:
        """The parts of a report about the film; none if there is none."""
        film = open_film(folder)
        return () if film is None else film_parts(film, filmed_skills(records))


FILMS = Films()
"""What the extension names."""
