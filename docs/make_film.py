"""The home page's film: the talk on the left, the kitchen on the right, and "Stop!".

``python docs/make_film.py RUN`` draws ``docs/pictures/home.webp`` from a run of `caesar_salad`
with physics, which takes some minutes of CPU time::

    treec run mosaic --scenario caesar_salad --env sapien --fast --film 0.25

Each part of the run is shown at its own speed, so that ten seconds have the order, the work, the
stop and what follows it. Needs the extra `sapien` and fonts of the DejaVu family.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from treec.team.events import Said
from treec.world.events import flat
from treec.world.journal import Record, read_journal
from treec_live.film import FilmedSkill, filmed_skills, find_film
from treec_sapien.view.images import encode_animation

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "pictures" / "home.webp"
SIZE, TALK = (800, 360), 350
"""Pixels: the film, and the width of the talk in it."""
RATE = 6
"""Pictures a second."""
FONT = "DejaVuSans.ttf"
PAPER, INK, FAINT, PERSON, TEAM, STOP = (
    "#181a1f",
    "#dcdfe4",
    "#8b9099",
    "#2f5d8a",
    "#2b2f36",
    "#b3261e",
)


def main(argv: list[str]) -> int:
    """Write the film of a run's folder."""
    if len(argv) != 1:
        print("usage: python docs/make_film.py RUN", file=sys.stderr)
        return 2
    folder = Path(argv[0])
    film = find_film(folder)
    if film is None:
        print(f"{folder} has no film: run with --film 0.25 in sapien", file=sys.stderr)
        return 1
    records = list(read_journal(folder / "journal.jsonl"))
    talk = [(r.t, e.who, e.text) for r in records for e in flat(r.event) if isinstance(e, Said)]
    skills = filmed_skills(records)
    pictures = []
    for t in moments(records, talk):
        with Image.open(io.BytesIO(film.still(t).data)) as still:
            pictures.append(draw(t, talk, skills, still.convert("RGB")))
    arrays = [np.asarray(picture) for picture in pictures]
    PICTURE.write_bytes(encode_animation(arrays, 1000 // RATE, PICTURE.suffix))
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size / 1000:.0f} kB")
    return 0


def moments(records: list[Record], talk: list[tuple[float, str, str]]) -> Iterator[float]:
    """Seconds of the run, one for each picture: slow around the stop, fast before and after."""
    stop = next(t for t, who, text in talk if who == "user" and text == "Stop!")
    parts = [(talk[0][0], stop - 4, 3.0), (stop - 4, stop + 3, 4.0), (stop + 3, stop + 24, 3.0)]
    for begin, end, seconds in parts:
        count = round(seconds * RATE)
        yield from (begin + (end - begin) * k / count for k in range(count))


def draw(
    t: float,
    talk: list[tuple[float, str, str]],
    skills: list[FilmedSkill],
    still: Image.Image,
) -> Image.Image:
    """A picture of the film: what was said until ``t``, and the kitchen with who does what."""
    picture = Image.new("RGB", SIZE, PAPER)
    room = SIZE[0] - TALK, SIZE[1]
    scale = max(room[0] / still.width, room[1] / still.height)
    still = still.resize((round(still.width * scale), round(still.height * scale)))
    left, top = (still.width - room[0]) // 2, (still.height - room[1]) // 2
    picture.paste(still.crop((left, top, left + room[0], top + room[1])), (TALK, 0))
    canvas = ImageDraw.Draw(picture)
    font, small = ImageFont.truetype(FONT, 15), ImageFont.truetype(FONT, 13)
    bottom = SIZE[1] - 14
    for _, who, text in reversed([line for line in talk if line[0] <= t]):
        lines = wrapped(text, font, TALK - 90)
        height = 20 * len(lines) + 12
        bottom -= height + 8
        if bottom < 8:
            break
        width = max(int(font.getlength(line)) for line in lines) + 20
        is_person = who == "user"
        x = TALK - 14 - width if is_person else 14
        colour = STOP if is_person and text == "Stop!" else PERSON if is_person else TEAM
        canvas.rounded_rectangle((x, bottom, x + width, bottom + height), 9, fill=colour)
        canvas.multiline_text((x + 10, bottom + 6), "\n".join(lines), INK, font, spacing=3)
    at_work = [skill for skill in skills if skill.start <= t < skill.end]
    y = 10
    for skill in at_work:
        words = f"{skill.agent}: {skill.words}"
        width = int(small.getlength(words)) + 16
        canvas.rounded_rectangle((TALK + 10, y, TALK + 10 + width, y + 23), 6, fill=TEAM)
        canvas.text((TALK + 18, y + 4), words, INK, small)
        y += 28
    canvas.text((SIZE[0] - 70, SIZE[1] - 24), f"{t:5.1f} s", FAINT, small)
    return picture


def wrapped(text: str, font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    """The text in lines of at most ``width`` pixels."""
    lines: list[str] = []
    for word in text.split():
        if lines and font.getlength(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
