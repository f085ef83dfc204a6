"""The film in a report: the whole run, and images of each skill."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treec.render.page import PagePart
    from treec.run.film import FilmedSkill, FilmOfRun

ROWS = 60
"""Maximum number of skills; of a longer run the first and the last half."""


def film_parts(film: FilmOfRun, skills: Sequence[FilmedSkill]) -> Iterator[PagePart]:
    """The parts of the report about the film."""
    from treec.cli.film_output import FRAMES
    from treec.render.film import render_film, render_shots
    from treec.render.page import PagePart

    made = "rendered by SAPIEN" if film.how == "rendered" else "made by ray casts, not rendered"
    frames = [(still.t, still.data) for still in film.frames(FRAMES)]
    yield PagePart("The run as a film", html=render_film(frames, made))
    shown, note = _select_skills(skills)
    if shown:
        yield PagePart("Each skill's beginning and end", html=_rows(film, shown), note=note)
    pictures = [
        (f"{name} at {still.t:.1f} s", still.data) for name, still in film.depth_pictures(film.end)
    ]
    about = "Light is near; each thing has its colour."
    yield PagePart("What a camera measures at the end", html=render_shots([(about, pictures)]))


def _select_skills(skills: Sequence[FilmedSkill]) -> tuple[Sequence[FilmedSkill], str]:
    if len(skills) <= ROWS:
        return skills, ""
    half = ROWS // 2
    note = f"The first and the last {half} of {len(skills)} skills."
    return [*skills[:half], *skills[-half:]], note


def _rows(film: FilmOfRun, skills: Sequence[FilmedSkill]) -> str:
    from treec.render.film import render_shots
    from treec.run.film import Shot

    rows = []
    for skill in skills:
        stills = film.shot(Shot((skill.start, skill.end), skill.things, skill.agent))
        about = f"{skill.agent}: {skill.words}, {skill.how}"
        rows.append((about, [(f"{still.t:.1f} s", still.data) for still in stills]))
    return render_shots(rows)
