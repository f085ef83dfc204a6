"""Words on a terminal: harmless whoever wrote them, coloured only where colours are wanted.

What users, models and files say is shown, never obeyed: control characters become �, and nothing
is read as markup.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from shutil import get_terminal_size
from typing import TextIO

from treec.render.measure import cells, one_line

Piece = tuple[str, str]
"""A text and its style; '' for none. The styles have the names that `rich` has for them."""

_ANSI = {
    "bold": "1",
    "dim": "2",
    "green": "32",
    "red": "31",
    "yellow": "33",
    "cyan": "36",
    "magenta": "35",
    "bold cyan": "1;36",
    "bold magenta": "1;35",
    "bold green": "1;32",
    "bold red": "1;31",
    "bold yellow": "1;33",
}

PERSON = "bold cyan"
ASSISTANT = "bold magenta"


def safe(text: object) -> str:
    """A text on one line that does nothing to a terminal."""
    return one_line(str(text))


def clock(seconds: float) -> str:
    """Seconds since the run began, as people read them: 1:05 or 1:02:05."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def paint(pieces: Iterable[Piece], colour: bool) -> str:
    """A line of pieces, with the terminal's codes for their styles if colours are wanted."""
    if not colour:
        return "".join(text for text, _ in pieces).rstrip()
    return "".join(
        f"\x1b[{_ANSI[style]}m{text}\x1b[0m" if style and text else text for text, style in pieces
    ).rstrip()


def wrapped(pieces: Iterable[Piece], width: int | None, head: int = 2) -> list[tuple[Piece, ...]]:
    """A line cut between words to fit a terminal; it goes on under what follows its ``head``."""
    line = tuple(pieces)
    indent = sum(cells(text) for text, _ in line[:head])
    if width is None or width < indent + 10 or sum(cells(text) for text, _ in line) <= width:
        return [line]
    lines = [list(line[:head])]
    used = indent
    for text, style in line[head:]:
        for word in re.findall(r"\s*\S+|\s+$", text):
            if used > indent and used + cells(word) > width:
                lines.append([(" " * indent, "")])
                used, word = indent, word.lstrip()
            lines[-1].append((word, style))
            used += cells(word)
    return [tuple(pieces) for pieces in lines]


def is_terminal(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether a stream is a terminal that can do more than print one line after the other."""
    return stream.isatty() and environ.get("TERM", "") not in ("dumb", "unknown")


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether colours are wanted on a stream; https://no-color.org says how to refuse them."""
    return is_terminal(stream, environ) and not environ.get("NO_COLOR")


class Printer:
    """Prints lines; what an encoding lacks is shown as '?', so that no name can end a run."""

    def __init__(self, out: TextIO, colour: bool | None = None) -> None:
        self.out = out
        self.colour = wants_colour(out) if colour is None else colour

    @property
    def width(self) -> int | None:
        """The columns of a terminal; None elsewhere, where lines may be as long as they are."""
        return get_terminal_size().columns if is_terminal(self.out) else None

    def __call__(self, *pieces: Piece) -> None:
        """Print a line at once."""
        self.out.write(self.text(*pieces))
        self.out.flush()

    def text(self, *pieces: Piece) -> str:
        """A line as it is printed."""
        text = paint(pieces, self.colour)
        encoding = self.out.encoding or "utf-8"
        return text.encode(encoding, "replace").decode(encoding) + "\n"
