"""Messages with a hole: where a value is missing in what people are told.

Looked at are the problems of each check, what ends a command, and the errors of treec that tests
catch with `pytest.raises`: an empty quotation, two spaces or a space before a comma say that a
value was forgotten. A test that wants one says so in its ``match``.
"""

from __future__ import annotations

import re
from typing import Any

import pytest

from treec.cli.basics import Stop
from treec.source.diagnostics import Diagnostic

HOLE = re.compile(
    r"(?<![\w'])''(?![\w'])"  # the system '' is unknown
    r"|\w \(\)"  # of this kind ()
    r"|\w  \w"  # unknown  'x'
    r"|\w [,:;](?=\s|$)"  # line : this
    r"|^ \w|\w $|^[:,;] "
)
ROOMS = {
    *("ask", "check", "cli", "compile", "decisions", "editor", "files", "hearing", "interchange"),
    *("judge", "live", "memory", "nodes", "prove", "serve", "source", "team", "testing", "voice"),
    *("world",),
}
"""Folders of tests in which a hole fails the test."""
_found: list[str] = []


def look(message: str) -> None:
    """Note a message with a hole."""
    if HOLE.search(message):
        _found.append(message)


def install() -> None:
    """Look at messages from now on."""
    make, leave, stop = Diagnostic.__init__, pytest.RaisesExc.__exit__, Stop.__init__

    def made(self: Diagnostic, *args: Any, **given: Any) -> None:
        make(self, *args, **given)
        look(self.message)

    def stopped(self: Stop, text: str, *args: Any, **given: Any) -> None:
        stop(self, text, *args, **given)
        look(text)

    def left(self: Any, kind: Any, error: BaseException | None, trace: Any) -> bool:
        caught = leave(self, kind, error, trace)
        wanted = self.match is not None and re.search(r"''|\\\(\\\)", self.match.pattern)
        if caught and not wanted and type(error).__module__.startswith("treec"):
            look(str(error))
        return caught

    Diagnostic.__init__ = made  # type: ignore[method-assign]
    Stop.__init__ = stopped  # type: ignore[method-assign]
    pytest.RaisesExc.__exit__ = left  # type: ignore[method-assign]


def take() -> list[str]:
    """The messages with a hole since this was last asked."""
    found, _found[:] = _found[:], []
    return found
