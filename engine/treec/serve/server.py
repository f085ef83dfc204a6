"""The page's server: on the loopback address, in a thread of its own."""

from __future__ import annotations

import asyncio
import itertools
import secrets
import socket
import threading

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

CLOSING = 2
"""Seconds that open connections have when the server ends."""

MAX_CONNECTIONS = 100
"""How many connections are open at once; beyond that the oldest is cut, idle ones first."""


class PageServer:
    """Takes connections on 127.0.0.1 from the beginning, and answers once it is started."""

    def __init__(self, port: int = 0) -> None:
        """``port`` 0 takes a free one. Raises OSError if it cannot be used."""
        # asyncio sends at once (TCP_NODELAY) only on sockets that say that they are TCP's: each
        # answer else waits 40 ms for the browser's delayed acknowledgement of its head.
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(("127.0.0.1", port))
            self._socket.listen()  # whoever has the address is not refused until it is started
        except OSError:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
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
        config = uvicorn.Config(
            app,
            http=_BoundedProtocol,
            log_level="error",
            access_log=False,
            ws="none",
            timeout_graceful_shutdown=CLOSING,
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


_ages = itertools.count()


class _BoundedProtocol(H11Protocol):
    """Bounds the open connections: whoever opens many and vanishes keeps nobody else out."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection; it is closed if nothing is asked on it before long."""
        super().connection_made(transport)
        self.age = next(_ages)
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )
        if len(self.connections) > MAX_CONNECTIONS:
            own = [one for one in self.connections if isinstance(one, _BoundedProtocol)]
            oldest = min(own, key=lambda one: (one.is_busy, one.age))
            self.connections.discard(oldest)  # it is told of its end later
            oldest.transport.abort()

    @property
    def is_busy(self) -> bool:
        """Whether a request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete
