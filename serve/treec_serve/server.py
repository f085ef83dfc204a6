"""The page's server: on the loopback address, in a thread of its own.

Whoever opens connections, sends half a request or does not read what was asked for keeps nobody
else out: a request has some seconds to arrive, its body included, and an answer to be read; of too
many connections the oldest goes, those first on which nothing was asked yet. The newest stays: it
may be the stop, which is answered as soon as it has arrived.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import secrets
import socket
import stat
import tempfile
import threading
from contextlib import suppress
from pathlib import Path

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

CLOSING = 2
"""Seconds that open connections have when the server ends."""

MAX_CONNECTIONS = 100
"""How many connections are open at once; beyond that the oldest is cut, never the newest."""

FRESH, MAX_FRESH = 1.0, 300
"""Seconds in which a connection is not cut for another one, unless so many more came meanwhile."""

ARRIVING, READING = 5.0, 20.0
"""Seconds in which a request must have come, with its body, and a part of an answer be read."""

AT_ONCE, QUEUE = 32, 1024
"""How many connections are taken before those that were taken are looked at, and how many wait."""

ADDRESS = ".page.json"
"""The file beside the runs with the page's last address, which only its owner may read."""

_TOKEN = re.compile(r"[A-Za-z0-9_-]{32}")


class _Listening(socket.socket):
    """Lets ``QUEUE`` connections wait, however many are taken at once."""

    def listen(self, backlog: int = QUEUE, /) -> None:
        super().listen(max(backlog, QUEUE))


class PageServer:
    """Takes connections on 127.0.0.1 from the beginning, and answers once it is started."""

    def __init__(self, port: int = 0, runs: Path | None = None) -> None:
        """``port`` 0 takes the one that the page of ``runs`` had before, or a free one.

        The token is that of this page, too, so that one that is still open goes on. Raises OSError
        if the port cannot be used.
        """
        last_port, token = known_address(runs) if runs is not None else (0, "")
        # asyncio sends at once (TCP_NODELAY) only on sockets that say that they are TCP's: each
        # answer else waits 40 ms for the browser's delayed acknowledgement of its head.
        self._socket = _Listening(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            try:
                self._socket.bind(("127.0.0.1", port or last_port))
            except OSError:
                if port:
                    raise
                self._socket.bind(("127.0.0.1", 0))
            self._socket.listen()  # whoever has the address is not refused until it is started
        except OSError:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self.token = token or secrets.token_urlsafe(24)
        self._runs = runs
        self.ending = threading.Event()
        """Set when it ends: requests that wait for something then stop waiting."""
        self._server: uvicorn.Server | None = None
        self._thread: threading.Thread | None = None

    @property
    def hosts(self) -> tuple[str, ...]:
        """The values of `Host` that are its own."""
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    @property
    def url(self) -> str:
        """The address of the page, with its token."""
        return f"http://127.0.0.1:{self.port}/{self.token}/"

    @property
    def is_over(self) -> bool:
        """Whether it has ended, with all that it was asked."""
        return self.ending.is_set() and (self._thread is None or not self._thread.is_alive())

    def start(self, app: ASGIApp) -> None:
        """Answer by an application from now on."""
        if self._runs is not None and known_address(self._runs) != (self.port, self.token):
            keep_address(self._runs, self.port, self.token)
        config = uvicorn.Config(
            app,
            http=_BoundedProtocol,
            log_level="error",
            access_log=False,
            ws="none",
            timeout_graceful_shutdown=CLOSING,
            backlog=AT_ONCE,
            server_header=False,
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(
            target=self._server.run,
            kwargs={"sockets": [self._socket]},
            name="treec page",
            daemon=True,
        )
        self._thread.start()

    def stop(self) -> None:
        """End it; open connections are cut after ``CLOSING`` seconds."""
        self.ending.set()
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(2 * CLOSING)
        self._socket.close()

    def __enter__(self) -> PageServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()


def known_address(runs: Path) -> tuple[int, str]:
    """The port and token that the page of a folder of runs had; 0 and empty if it had none.

    A file that anybody else could have written or read counts for nothing.
    """
    try:
        number = os.open(runs / ADDRESS, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
        with open(number, "rb") as file:
            status = os.fstat(number)
            own = not hasattr(os, "getuid") or status.st_uid == os.getuid()
            if not own or not stat.S_ISREG(status.st_mode) or status.st_mode & 0o077:
                return 0, ""
            known = json.loads(file.read(1000))
        port, token = known["port"], known["token"]
        if type(port) is int and 0 < port < 65536 and _TOKEN.fullmatch(token):
            return port, token
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        pass
    return 0, ""


def keep_address(runs: Path, port: int, token: str) -> None:
    """Keep an address where the next server finds it, if the folder can be written to."""
    with suppress(OSError):
        runs.mkdir(parents=True, exist_ok=True)
        number, new = tempfile.mkstemp(dir=runs)  # for its owner alone
        with open(number, "w", encoding="utf-8") as file:
            json.dump({"port": port, "token": token}, file)
        os.replace(new, runs / ADDRESS)


_ages = itertools.count()


class _BoundedProtocol(H11Protocol):
    """Bounds the open connections, and the time in which a request comes and an answer is read."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; if there are too many, cut another one."""
        super().connection_made(transport)
        self.age = next(_ages)
        self._arriving: asyncio.TimerHandle | None = self.loop.call_later(ARRIVING, self._cut)
        self._reading: asyncio.TimerHandle | None = None
        self._fresh_until = self.loop.time() + FRESH
        too_many = len(self.connections) - MAX_CONNECTIONS
        if too_many > 0:
            own = [one for one in self.connections if isinstance(one, _BoundedProtocol)]
            oldest = min(own, key=lambda one: (one is self, one.is_asked, one.age))
            if too_many > MAX_FRESH or oldest._fresh_until < self.loop.time():
                oldest._cut()

    @property
    def is_asked(self) -> bool:
        """Whether a whole request has arrived that is being answered."""
        cycle = self.cycle
        return cycle is not None and not cycle.response_complete and not cycle.more_body

    def data_received(self, data: bytes) -> None:
        """Take a part of a request."""
        super().data_received(data)
        self._look()

    def on_response_complete(self) -> None:
        """Go on with the next request, which may have begun to arrive."""
        super().on_response_complete()
        self._look()

    def _look(self) -> None:
        """Begin to count when a request begins to arrive, until it is there."""
        state = self.conn.their_state
        is_arriving = state is h11.SEND_BODY or (
            state is h11.IDLE and bool(self.conn.trailing_data[0])
        )
        if is_arriving and self._arriving is None:
            self._arriving = self.loop.call_later(ARRIVING, self._cut)
        elif not is_arriving and self._arriving is not None:
            self._arriving.cancel()
            self._arriving = None

    def pause_writing(self) -> None:
        """Wait until the other side has read what was sent, but not for ever."""
        super().pause_writing()
        self._reading = self.loop.call_later(READING, self._cut)

    def resume_writing(self) -> None:
        """Go on sending."""
        self._stop_reading()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Take note of its end."""
        if self._arriving is not None:
            self._arriving.cancel()
        self._stop_reading()
        super().connection_lost(exc)

    def _stop_reading(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None

    def _cut(self) -> None:
        self.connections.discard(self)  # it is told of its end later
        self.transport.abort()
