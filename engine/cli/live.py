"""What shows a run: panels on a terminal, a conversation, or a line for each event."""

from __future__ import annotations

import sys
from typing import TextIO

from treec.cli.live_paint import is_terminal
from treec.cli.show import Show


def make_show(out: TextIO, *, live: bool, chat: bool, stdin: TextIO | None = None) -> Show:
    """What shows a run on this output; ``live`` says whether people may be made to wait."""
    given = sys.stdin if stdin is None else stdin
    if chat:
        if is_terminal(out) and given.isatty():
            from treec.cli.live_chat import ChatShow

            return ChatShow(out)
        from treec.cli.live_piped import PipedShow

        return PipedShow(out, given)
    if live and is_terminal(out):
        from treec.cli.live_screen import ScreenShow

        return ScreenShow(out)
    return Show(out)
