"""Writes the film of a run as an animated image (.webp, .gif)."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from treec.cli.common import Stop
from treec.cli.report import SUFFIXES

if TYPE_CHECKING:
    from treec_live.film import FilmOfRun

FRAMES = 120
"""Maximum number of frames: a few megabytes, rendered within a minute."""


def open_film(folder: Path) -> FilmOfRun | None:
    """The film in a run's folder, or None; prints why it cannot be read."""
    from treec_live.film import FilmError, find_film

    try:
        film = find_film(folder)
    except FilmError as error:
        print(f"treec: {error}", file=sys.stderr)
        return None
    if film is not None:
        print(f"treec: rendering the run, {film.how}", file=sys.stderr)
    return film


def check_suffix(output: Path) -> None:
    """Raise Stop for an unsupported suffix."""
    if output.suffix not in SUFFIXES:
        raise Stop(f"a film must end in {' or '.join(SUFFIXES)}, not '{output.suffix}'")


def encode_film(folder: Path, output: Path, run: str) -> bytes:
    """The film in a folder, in the format of the output. Raises Stop if there is none."""
    film = open_film(folder)
    if film is None:
        raise Stop(f"no film {run}")
    return film.animation(FRAMES, output.suffix)


def write_film(folder: Path, output: Path, run: str) -> None:
    """Write the film in a folder to a file. Raises Stop."""
    data = encode_film(folder, output, run)
    try:
        output.write_bytes(data)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: {len(data) / 1000:.0f} kB")
