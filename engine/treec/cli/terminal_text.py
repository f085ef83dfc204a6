"""Text on a terminal, with control characters removed and optional colours.

Text of users, models and files is untrusted: control characters become �, and markup is not
interpreted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from io import TextIOBase
from shutil import get_terminal_size
from typing import TextIO, TypeVar, cast

from treec.render.measure import cells, one_line

T = TypeVar("T")
Piece = tuple[str, str]
"""A text and its style, as `rich` names it; '' for none."""

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
    """A text on one line, without control characters."""
    return one_line(str(text))


def clock(seconds: float) -> str:
    """Seconds as minutes and hours: 1:05 or 1:02:05."""
    whole = int(seconds)
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def paint(pieces: Iterable[Piece], colour: bool) -> str:
    """The text of a line, with ANSI codes if ``colour``."""
    if not colour:
        return "".join(text for text, _ in pieces).rstrip()
    return "".join(
        f"\x1b[{_ANSI[style]}m{text}\x1b[0m" if style and text else text for text, style in pieces
    ).rstrip()


def wrap_pieces(
    pieces: Iterable[Piece], width: int | None, head: int = 2
) -> list[tuple[Piece, ...]]:
    """A line wrapped at words; continuation lines are indented by the first ``head`` pieces."""
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
    """Whether a stream is a terminal that supports cursor movement."""
    return stream.isatty() and environ.get("TERM", "") not in ("dumb", "unknown")


def wants_colour(stream: TextIO, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether to use colours on a stream; see https://no-color.org."""
    return is_terminal(stream, environ) and not environ.get("NO_COLOR")


class Output(TextIOBase):
    """A stream of text that is no longer written once it cannot be; ``error`` says why."""

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self.error: OSError | ValueError | None = None

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream."""
        return self._out.encoding or "utf-8"

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self._try(self._out.isatty, False)

    def fileno(self) -> int:
        """Its file descriptor."""
        return self._out.fileno()

    def write(self, text: str, /) -> int:
        """Write a text, if it can be."""
        return self._try(lambda: self._out.write(text), len(text))

    def flush(self) -> None:
        """Flush what was written."""
        self._try(self._out.flush, None)

    def _try(self, call: Callable[[], T], instead: T) -> T:
        if self.error is not None:
            return instead
        try:
            return call()
        except (OSError, ValueError) as error:  # nobody reads it, it is closed, the disk is full
            self.error = error
            return instead


class Printer:
    """Prints lines; characters that the encoding lacks become '?'."""

    def __init__(self, out: TextIO, colour: bool | None = None) -> None:
        self._output = Output(out)
        self.out = cast(TextIO, self._output)
        self.colour = wants_colour(out) if colour is None else colour

    @property
    def error(self) -> OSError | ValueError | None:
        """Why the output is not written any more, if it is not."""
        return self._output.error

    @property
    def width(self) -> int | None:
        """Columns of the terminal; None if the output is not a terminal."""
        return get_terminal_size().columns if is_terminal(self.out) else None

    def __call__(self, *pieces: Piece) -> None:
        """Print a line and flush."""
        self.out.write(self.text(*pieces))
        self.out.flush()

    def text(self, *pieces: Piece) -> str:
        """A line as it is printed."""
        text = paint(pieces, self.colour)
        encoding = self.out.encoding or "utf-8"
        return text.encode(encoding, "replace").decode(encoding) + "\n"
