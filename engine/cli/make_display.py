"""Choosing the display of a run: panels, a chat, or a line per event."""

from __future__ import annotations

import sys
from io import StringIO
from typing import TextIO

from treec.cli.display import RunDisplay
from treec.cli.terminal_text import is_terminal


def make_display(out: TextIO, *, live: bool, chat: bool, stdin: TextIO | None = None) -> RunDisplay:
    """The display for an output. ``live``: it may wait so that people can watch."""
    given = stdin or sys.stdin or StringIO()  # a daemon may have no standard input
    if chat:
        if is_terminal(out) and given.isatty():
            from treec.cli.live_chat import ChatDisplay

            return ChatDisplay(out)
        from treec.cli.live_piped import PipedDisplay

        return PipedDisplay(out, given)
    if live and is_terminal(out):
        from treec.cli.live_screen import ScreenDisplay

        return ScreenDisplay(out)
    return RunDisplay(out)
