"""Tells others that a run's loop is alive, so that they can stop the robots when it is not.

The loop itself beats, not a thread beside it: code that holds the loop stops the beats.
"""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable
from contextlib import suppress

EVERY = 0.25
"""Real seconds between two beats, at most; while nothing happens the loop wakes for them."""


class Heartbeat:
    """Beats into a file, whose time of change is that of the last beat, or into a socket.

    ``where`` is a path, ``unix:PATH`` or ``udp:HOST:PORT``. A socket gets the datagrams of systemd:
    ``READY=1``, ``WATCHDOG=1`` with each beat, ``STOPPING=1`` when the run ends in order. The file
    has the process's id and the time of the run, and is removed in the end. Raises OSError and
    ValueError.
    """

    def __init__(
        self,
        where: str,
        now: Callable[[], float],
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._now = now
        self._monotonic = monotonic
        self._last = float("-inf")
        self._path = where
        self._socket: socket.socket | None = None
        scheme, _, rest = where.partition(":")
        if scheme == "unix":
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self._socket.connect(rest)
        elif scheme == "udp":
            host, _, port = rest.rpartition(":")
            self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self._socket.connect((host, int(port)))
        if self._socket is None:
            self._file = os.open(where, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o644)
        else:
            self._socket.setblocking(False)
            self._send(b"READY=1")

    def beat(self) -> None:
        """Beat, if it is time; the loop calls this after each tick and while it waits."""
        now = self._monotonic()
        if now - self._last < EVERY / 2:
            return
        self._last = now
        if self._socket is not None:
            self._send(b"WATCHDOG=1")
        else:
            with suppress(OSError):  # a full disk stops the beats, and not the run
                os.pwrite(self._file, f"{os.getpid():<10} {self._now():<15.3f}\n".encode(), 0)

    def close(self) -> None:
        """Tell that the run ends in order."""
        if self._socket is not None:
            self._send(b"STOPPING=1")
            self._socket.close()
        else:
            os.close(self._file)
            with suppress(OSError):
                os.unlink(self._path)

    def _send(self, data: bytes) -> None:
        assert self._socket is not None
        with suppress(OSError):  # whoever listens may begin later
            self._socket.send(data)
