"""Reads lines that somebody types or another program writes, until a run is stopped."""

from __future__ import annotations

import os
import select
from contextlib import suppress
from threading import Event
from typing import TextIO


def read_line(stdin: TextIO | None, stopped: Event) -> str | None:
    """The next line, as soon as it is there; None at the end, or when the run is stopped."""
    if stdin is None:  # of a daemon
        return None
    line = bytearray()
    try:
        while not stopped.is_set():
            if not select.select([stdin], [], [], 0.2)[0]:
                continue
            byte = os.read(stdin.fileno(), 1)  # a buffer would hide the next lines from `select`
            line += byte
            if byte in (b"", b"\n"):
                return line.decode("utf-8", "replace") or None
        return None
    except (OSError, ValueError):  # no file that can be waited for
        with suppress(OSError, ValueError):
            return stdin.readline() or None
        return None  # what cannot be read is at its end
