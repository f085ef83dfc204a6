"""Choosing the display of a run: panels or a chat, which a package brings, or a line per event."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from io import StringIO
from typing import TextIO, cast

from treec.cli.display import RunDisplay
from treec.cli.terminal_text import is_terminal
from treec.source.errors import TreecError
from treec.source.tools import find_tool

_WITHOUT = {
    "chat": "words are read and printed line by line; the chat's prompt cannot be used",
    "screen": "the run is printed line by line; the whole screen cannot be used",
}
"""What is told where no package brings a display."""


def make_display(
    out: TextIO,
    *,
    live: bool,
    chat: bool,
    stdin: TextIO | None = None,
    lines: Sequence[str] = (),
    blind: bool = False,
) -> RunDisplay:
    """The display for an output. ``live``: it may wait so that people can watch.

    ``lines`` are what the user of a chat says before anything is read; ``blind``: they are not told
    which system it is.
    """
    given = stdin or sys.stdin or StringIO()  # a daemon may have no standard input
    if chat:
        is_typed = (live or not lines) and is_terminal(out) and given.isatty()
        if is_typed and (chat_display := _found("chat")) is not None:
            return chat_display(out, lines=lines, blind=blind)
        from treec.cli.live_piped import PipedDisplay

        more = StringIO() if lines and given.isatty() else given  # of --fast
        return PipedDisplay(out, more, first=lines, real=live)
    screen_display = _found("screen") if live and is_terminal(out) else None
    return RunDisplay(out) if screen_display is None else screen_display(out)


def _found(name: str) -> Callable[..., RunDisplay] | None:
    """A display of the package that is installed; where none is, that is told."""
    try:
        return cast("Callable[..., RunDisplay]", find_tool(name, _WITHOUT[name]))
    except TreecError as error:
        print(f"treec: {error}", file=sys.stderr)
        return None
