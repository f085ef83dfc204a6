"""The page's server: on the loopback address, in a thread of its own."""

from __future__ import annotations

import secrets
import socket
import threading

import uvicorn
from starlette.types import ASGIApp

CLOSING = 2
"""Seconds that open connections have when the server ends."""


class PageServer:
    """Listens on 127.0.0.1 from the beginning, and answers from :meth:`start` to :meth:`stop`."""

    def __init__(self, port: int = 0) -> None:
        """``port`` 0 takes a free one. Raises OSError if it cannot be used."""
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            self._socket.bind(("127.0.0.1", port))
        except OSError:
            self._socket.close()
            raise
        self.port: int = self._socket.getsockname()[1]
        self.token = secrets.token_urlsafe(24)
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

    def start(self, app: ASGIApp) -> None:
        """Answer by an application from now on."""
        config = uvicorn.Config(
            app,
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
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(2 * CLOSING)
        self._socket.close()

    def __enter__(self) -> PageServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()
