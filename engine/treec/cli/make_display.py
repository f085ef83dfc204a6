"""Choosing the display of a run: panels, a chat, or a line per event."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import StringIO
from typing import TextIO

from treec.cli.display import RunDisplay
from treec.cli.terminal_text import is_terminal


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
        if (live or not lines) and is_terminal(out) and given.isatty():
            from treec.cli.live_chat import ChatDisplay

            return ChatDisplay(out, lines=lines, blind=blind)
        from treec.cli.live_piped import PipedDisplay

        more = StringIO() if lines and given.isatty() else given  # of --fast
        return PipedDisplay(out, more, first=lines, real=live)
    if live and is_terminal(out):
        from treec.cli.live_screen import ScreenDisplay

        return ScreenDisplay(out)
    return RunDisplay(out)
