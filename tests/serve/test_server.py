"""The page's server: from when on it takes connections, who is cut off, how it ends."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp, Receive, Scope, Send

from tests.serve.test_app import library, runs  # noqa: F401  # fixtures
from treec_serve import server as server_module
from treec_serve.app import MAX_WAITING, make_app
from treec_serve.server import (
    ADDRESS,
    CLOSING,
    MAX_CONNECTIONS,
    PageServer,
    keep_address,
    known_address,
)

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


def arriving(server: PageServer, what: str = "live/say") -> socket.socket:
    """A connection on which a request with the token comes whose body never ends."""
    found = connect(server)
    host = server.hosts[0]
    head = f"POST /{server.token}/{what} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\n"
    head += "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{"
    found.sendall(head.encode())
    return found


@pytest.mark.parametrize("fresh", [0.0, 1.0], ids=["settled", "fresh"])
def test_whatever_others_hold_open_the_newest_is_answered(
    server: tuple[PageServer, Asked],
    runs: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    fresh: float,
) -> None:
    """110 requests with endless bodies locked everybody out: the newest was the idle one."""
    page, _ = server
    monkeypatch.setattr(server_module, "FRESH", fresh)
    held = [arriving(page) for _ in range(110)]
    held += [waiting(page, run_in(runs)) for _ in range(110)]
    held += [connect(page) for _ in range(110)]
    headers = {"origin": page.url.partition(f"/{page.token}")[0]}
    with httpx.Client(base_url=page.url, trust_env=False, timeout=GUARD) as client:
        for _ in range(3):
            answer = client.post("live/stop", json={}, headers=headers)
            assert answer.status_code == 409, "no run was started here"
    for one in held:
        one.close()


@pytest.mark.parametrize("what", ["body", "headers", "nothing", "second"])
def test_a_request_has_some_seconds_to_come(
    server: tuple[PageServer, Asked], monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    page, _ = server
    monkeypatch.setattr(server_module, "ARRIVING", 0.05)
    if what == "body":
        client = arriving(page)
    else:
        client = connect(page)
        whole = f"GET /{page.token}/none HTTP/1.1\r\nHost: {page.hosts[0]}\r\n\r\n"
        sent = {"headers": whole[:30], "nothing": "", "second": whole + whole[:30]}[what]
        client.sendall(sent.encode())
    with client:
        while not is_cut(client):
            assert what == "second", "only a whole request has an answer"


@pytest.mark.thorough
def test_an_answer_that_nobody_reads_is_cut(
    server: tuple[PageServer, Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, _ = server
    cut = threading.Event()
    monkeypatch.setattr(server_module, "READING", 0.05)
    original = server_module._BoundedProtocol.connection_lost

    def lost(self: object, error: Exception | None) -> None:
        original(self, error)  # type: ignore[arg-type]
        cut.set()

    monkeypatch.setattr(server_module._BoundedProtocol, "connection_lost", lost)
    with connect(page) as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        ask = f"GET /{page.token}/page.js HTTP/1.1\r\nHost: {page.hosts[0]}\r\n\r\n".encode()
        client.settimeout(GUARD)
        with contextlib.suppress(ConnectionError):  # it is cut while more is asked for
            for _ in range(2000):
                client.sendall(ask)
                if cut.is_set():
                    break
        assert cut.wait(GUARD)


def test_a_server_that_is_started_again_has_the_same_address(tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    urls = []
    for _ in range(2):
        with PageServer(runs=folder) as page:
            assert not urls or page.url == urls[0]
            page.start(make_app(folder, page.token, page.hosts))
            urls.append(page.url)
    assert urls[0] == urls[1]
    assert (folder / ADDRESS).stat().st_mode & 0o777 == 0o600
    with PageServer(runs=tmp_path / "others") as other:
        assert other.token not in urls[0]


def test_two_servers_of_a_folder_have_two_ports(tmp_path: Path) -> None:
    with PageServer(runs=tmp_path) as page:
        page.start(make_app(tmp_path, page.token, page.hosts))
        with PageServer(runs=tmp_path) as other:
            assert other.port != page.port
            assert other.token == page.token
        with pytest.raises(OSError, match="in use"):
            PageServer(page.port, tmp_path)


@pytest.mark.parametrize("what", ["readable", "link", "junk", "token", "port"])
def test_a_file_that_others_may_have_written_counts_for_nothing(tmp_path: Path, what: str) -> None:
    keep_address(tmp_path, 4321, "a" * 32)
    file = tmp_path / ADDRESS
    assert known_address(tmp_path) == (4321, "a" * 32)
    if what == "readable":
        file.chmod(0o644)
    elif what == "link":
        file.rename(tmp_path / "elsewhere")
        file.symlink_to(tmp_path / "elsewhere")
    elif what == "junk":
        file.write_bytes(b"\xff[[[")
    else:
        keep_address(
            tmp_path, 0 if what == "port" else 4321, "short" if what == "token" else "a" * 32
        )
    assert known_address(tmp_path) == (0, "")


def test_the_oldest_of_too_many_connections_is_cut(
    server: tuple[PageServer, Asked], monkeypatch: pytest.MonkeyPatch
) -> None:
    page, _ = server
    monkeypatch.setattr(server_module, "MAX_FRESH", 0)
    held = [connect(page) for _ in range(MAX_CONNECTIONS + 20)]
    with httpx.Client(base_url=page.url, trust_env=False, timeout=GUARD) as client:
        assert client.get("runs").status_code == 200
    assert all(is_cut(one) for one in held[:20])
    for one in held:
        one.close()


def test_closing_takes_less_than_a_process_waits_for() -> None:
    from treec_serve.process import CLOSING as PATIENCE

    assert 2 * CLOSING < PATIENCE
