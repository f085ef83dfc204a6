"""A run's film as one file that moves by itself, in a browser or a chat: .webp or .gif."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.common import Stop

if TYPE_CHECKING:
    from treec.run.film import FilmOfRun

MOVING = (".webp", ".gif")
"""What the name of such a file ends in."""

FRAMES = 120
"""Pictures of a film at most: a page of a few megabytes, made within a minute."""


def find(folder: Path) -> FilmOfRun | None:
    """The film in a run's folder, if one was kept and can be read; why it cannot is said."""
    from treec.run.film import FilmError, find_film

    try:
        film = find_film(folder)
    except FilmError as error:
        print(f"treec: {error}", file=sys.stderr)
        return None
    if film is not None:
        print(f"treec: making pictures of the run, {film.how}", file=sys.stderr)
    return film


def check_name(output: Path) -> None:
    """Raises Stop when a film's file has another suffix."""
    if output.suffix not in MOVING:
        raise Stop(f"a film's name ends in {' or '.join(MOVING)}, not '{output.suffix}'")


def moving(film: FilmOfRun | None, output: Path, run: str) -> bytes:
    """The film as a file of this name. Raises Stop when there is none."""
    if film is None:
        raise Stop(f"no film was kept {run}")
    return film.moving(FRAMES, output.suffix)


def write(folder: Path, output: Path, run: str) -> None:
    """Write the film in a folder to a file. Raises Stop."""
    data = moving(find(folder), output, run)
    try:
        output.write_bytes(data)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: {len(data) / 1000:.0f} kB")
