"""The page's server: from when on it takes connections, who is cut off, how it ends."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.serve.test_app import library, runs  # noqa: F401  # fixtures
from treec.serve.app import MAX_WAITING, make_app
from treec.serve.server import CLOSING, MAX_CONNECTIONS, PageServer

GUARD = 60.0
"""Real seconds after which what does not come is given up; no timing."""


class Asked:
    """An application that counts the requests for a moment that have come."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.moments = threading.Semaphore(0)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].endswith("/at"):
            self.moments.release()
        await self._app(scope, receive, send)


@pytest.fixture
def server(runs: Path) -> Iterator[tuple[PageServer, Asked]]:  # noqa: F811
    """A server over the folder with one run."""
    with PageServer() as made:
        app = Asked(make_app(runs, made.token, made.hosts, ending=made.ending))
        made.start(app)  # type: ignore[arg-type]
        yield made, app


def connect(server: PageServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), GUARD)


def waiting(server: PageServer, run: str, after: int = 10**9) -> socket.socket:
    """A connection on which a client waits for a run to go on."""
    found = connect(server)
    path = f"/{server.token}/runs/{run}/at?after={after}"
    found.sendall(f"GET {path} HTTP/1.1\r\nHost: {server.hosts[0]}\r\n\r\n".encode())
    return found


def is_cut(connection: socket.socket) -> bool:
    """Whether the other side has ended it; waits for that."""
    try:
        return connection.recv(100) == b""
    except ConnectionError:
        return True


def run_in(runs: Path) -> str:  # noqa: F811
    (run,) = (path.name for path in runs.iterdir() if path.is_dir())
    return run


def test_whoever_has_the_address_is_not_refused_before_it_answers() -> None:
    with PageServer() as server:
        connect(server).close()


def test_answers_are_sent_at_once(
    server: tuple[PageServer, Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without TCP_NODELAY the second part of an answer waits 40 ms for an acknowledgement."""
    set_at: list[tuple[int, int]] = []
    original = socket.socket.setsockopt

    def note(self: socket.socket, level: int, option: int, *value: object) -> None:
        set_at.append((level, option))
        original(self, level, option, *value)  # type: ignore[call-overload]

    monkeypatch.setattr(socket.socket, "setsockopt", note)
    page, _ = server
    with httpx.Client(base_url=page.url, trust_env=False, timeout=GUARD) as client:
        set_at.clear()
        client.get("runs")
    own = set_at.count((socket.IPPROTO_TCP, socket.TCP_NODELAY))
    assert own == 2, "the client's and the server's"


def test_it_ends_at_once_and_quietly_while_somebody_waits(
    server: tuple[PageServer, Asked],
    runs: Path,  # noqa: F811
    capfd: pytest.CaptureFixture[str],
) -> None:
    """The page that follows a run waits up to ten seconds for what is new."""
    page, app = server
    with waiting(page, run_in(runs)) as client:
        assert app.moments.acquire(timeout=GUARD)
        page.stop()
        assert page.is_over
        assert client.recv(100).startswith(b"HTTP/1.1 204")
    assert capfd.readouterr() == ("", "")


def test_two_hundred_clients_that_vanish_keep_nobody_out(
    server: tuple[PageServer, Asked],
    runs: Path,  # noqa: F811
    capfd: pytest.CaptureFixture[str],
) -> None:
    page, app = server
    gone = [waiting(page, run_in(runs)) for _ in range(100)]
    for _ in range(MAX_WAITING):
        assert app.moments.acquire(timeout=GUARD)
    for one in gone:
        one.close()
    silent = [connect(page) for _ in range(100)]
    for one in silent[::2]:
        one.sendall(b"GET / HTTP/1.1\r\nHost: ")
    with httpx.Client(base_url=page.url, trust_env=False, timeout=GUARD) as client:
        assert client.get("runs").status_code == 200
        path = f"runs/{run_in(runs)}/at?after=0"
        while client.get(path).headers["treec-ask-again"] != "0":
            pass  # the server has not seen yet that those who waited are gone
    for one in silent:
        one.close()
    page.stop()
    assert page.is_over
    assert capfd.readouterr() == ("", "")


def test_the_oldest_of_too_many_connections_is_cut(server: tuple[PageServer, Asked]) -> None:
    page, _ = server
    held = [connect(page) for _ in range(MAX_CONNECTIONS + 20)]
    with httpx.Client(base_url=page.url, trust_env=False, timeout=GUARD) as client:
        assert client.get("runs").status_code == 200
    assert all(is_cut(one) for one in held[:20])
    for one in held:
        one.close()


def test_closing_takes_less_than_a_process_waits_for() -> None:
    from treec.cli.serve_process import CLOSING as PATIENCE

    assert 2 * CLOSING < PATIENCE
