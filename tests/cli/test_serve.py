"""``treec serve``: a run and its page begin and end together."""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from tests.cli.conftest import Treec
from tests.serve.client import HOST, TOKEN
from tests.serve.test_live import hostile
from tests.support.library import copy_warehouse
from treec.run.folder import JOURNAL
from treec_serve.server import PageServer

GUARD = 60.0
"""Seconds after which a process that does not end fails; no timing."""


def test_without_its_package_the_command_says_what_to_install(
    treec: Treec, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("treec.companions._is_found", lambda module: False)
    done = treec("serve")
    assert (done.status, done.out) == (2, "")
    assert "pip install 'treec[serve]'" in done.err


def test_a_folder_that_is_not_there_is_told(treec: Treec, tmp_path: Path) -> None:
    done = treec("serve", "--runs", tmp_path / "none")
    assert (done.status, "no folder" in done.err) == (2, True)


def test_it_serves_this_computer_under_a_random_address(
    treec: Treec, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[str] = []

    def show(server: PageServer, *_: object, **__: object) -> int:
        served.append(server.url)
        return 0

    monkeypatch.setattr("treec_serve.command._show", show)
    assert [treec("serve", "--runs", tmp_path).status for _ in range(2)] == [0, 0]
    assert all(url.startswith("http://127.0.0.1:") for url in served)
    token, other = (url.split("/")[3] for url in served)
    assert len(token) >= 32
    assert token != other


@pytest.mark.parametrize(
    ("args", "words"),
    [
        (("--scenario", "morning_shift"), "specify the system to run"),
        (("--speed", "2"), "specify the system to run"),
        (("warehouse", "--offline", "--model", "openai/x"), "exclude each other"),
        (("nothing",), "nothing"),
        (("warehouse", "--scenario", "nothing"), "nothing"),
    ],
)
def test_what_cannot_be_served(
    args: tuple[str, ...], words: str, treec: Treec, tmp_path: Path
) -> None:
    library = copy_warehouse(tmp_path / "library")
    (library / "runs").mkdir()
    done = treec("serve", *args, "-L", str(library))
    assert (done.status, words in done.err) == (2, True), done.err
    assert list((library / "runs").iterdir()) == []


@contextmanager
def serving(library: Path, *args: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command, and the address that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "treec", "serve", *args, "-L", str(library)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().strip()
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def interrupt(process: subprocess.Popen[str]) -> tuple[int, str]:
    """Press Ctrl-C once; the status and what was printed."""
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=GUARD)
    return process.returncode, out


def ask(url: str, path: str, body: object = None) -> httpx.Response:
    """A request as the page sends it."""
    origin = url.rsplit("/", 2)[0]
    with httpx.Client(base_url=url, trust_env=False, timeout=GUARD) as client:
        if body is None:
            return client.get(path)
        return client.post(path, json=body, headers={"origin": origin})


def ends(library: Path) -> list[dict[str, object]]:
    """The last record of each run."""
    journals = sorted((library / "runs").glob(f"*/{JOURNAL}"))
    return [json.loads(journal.read_text("utf-8").splitlines()[-1]) for journal in journals]


@pytest.mark.thorough
def test_a_signal_ends_the_run_in_order_and_the_page(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    with serving(library, "warehouse", "--scenario", "morning_shift", "--speed", "1") as found:
        process, url = found
        live = ask(url, "live").json()
        assert (live["over"], live["stopped"]) == (False, [])
        assert ask(url, "live/stop", {}).status_code == 200
        status, out = interrupt(process)
    assert (status, "ended after" in out) == (1, True), out
    (end,) = ends(library)
    assert (end["kind"], end["data"]) == ("run.end", {"reason": "stopped", "ok": False})


@pytest.mark.thorough
def test_the_page_starts_runs_one_at_a_time(tmp_path: Path) -> None:
    """From nothing: started, ended, gone on with, run again; a wrong order says what is wrong."""
    library = copy_warehouse(tmp_path / "library")
    with serving(library) as (process, url):
        systems = {one["name"]: one for one in ask(url, "start").json()["systems"]}
        assert "morning_shift" in [one["name"] for one in systems["warehouse"]["scenarios"]]
        wrong = ask(url, "start", {"system": "warehouse", "scenario": "evening"})
        assert (wrong.status_code, "evening" in wrong.text) == (400, True)
        wrong = ask(url, "start", {"system": "warehouse", "seed": "three"})
        assert (wrong.status_code, wrong.text[:6]) == (400, "'seed'")
        wrong = ask(url, "start", {"system": str(library / "trees/orders.tree.yaml")})
        assert (wrong.status_code, "not a file" in wrong.text) == (400, True)
        assert ask(url, "start", {"again": "../secrets"}).status_code == 404
        assert ask(url, "live").json() is None
        shift = {"system": "warehouse", "scenario": "morning_shift", "seed": 5}
        run = ask(url, "start", {**shift, "speed": 1, "faults": ["out Scout"]}).json()["run"]
        live = ask(url, "live").json()
        assert (live["run"], live["over"]) == (run, False)
        again = ask(url, "start", {"again": run})
        assert (again.status_code, "end it first" in again.text) == (409, True)
        assert ask(url, "live/end", {}).status_code == 200
        while not ask(url, "live").json()["over"]:
            pass
        assert ask(url, "start", {"resume": run}).json()["run"] == run
        process.send_signal(signal.SIGTERM)  # ends what the page has started, too
        process.wait(GUARD)
        (end,) = ends(library)
        assert (end["kind"], end["data"]["reason"]) == ("run.end", "stopped")
        begin, *rest = (library / "runs" / run / JOURNAL).read_text("utf-8").splitlines()
        assert json.loads(begin)["data"]["faults"] == ["out Scout"]
        assert '"for":"resume"' in "".join(rest)


@pytest.mark.slow
def test_a_run_is_run_again_as_it_was(tmp_path: Path) -> None:
    """By the page of another run, once that has ended."""
    library = copy_warehouse(tmp_path / "library")
    with serving(library, "warehouse", "--scenario", "direct_orders", "--speed", "1") as (_, url):
        first = ask(url, "live").json()["run"]
        ask(url, "live/end", {})
        while not ask(url, "live").json()["over"]:
            pass
        run = ask(url, "start", {"again": first}).json()["run"]
        assert run != first
        assert ask(url, "live").json()["run"] == run
        begins = [
            (library / "runs" / one / JOURNAL).read_text("utf-8").splitlines()[0]
            for one in (first, run)
        ]
        assert begins[0] == begins[1]


@pytest.mark.thorough
def test_a_person_alone_talks_on_the_real_clock(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    with serving(library, "warehouse") as (process, url):
        live = ask(url, "live").json()
        assert ask(url, "live/say", {"text": "Hello there."}).status_code == 200
        path = f"runs/{live['run']}/at"
        said: list[str] = []
        n = 0
        while "Hello there." not in said:  # each answer comes with something new
            found = ask(url, f"{path}?after={n}")
            if found.status_code == 200:
                n = found.json()["n"]
                said = [one["text"] for one in found.json()["talk"]]
        status, out = interrupt(process)
    assert status in (0, 1), out
    assert [end["kind"] for end in ends(library)] == ["run.end"]


@pytest.mark.thorough
def test_the_page_stays_when_the_run_has_ended(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    args = ("warehouse", "--scenario", "direct_orders", "--speed", "1000")
    with serving(library, *args) as (process, url):
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        assert any("the page stays open" in line for line in lines)
        live = ask(url, "live").json()
        assert live["over"] is True
        assert ask(url, "live/stop", {}).status_code == 409
        ended = {"reason": "done", "ok": True, "expected": True, "failed": False}
        assert ask(url, f"runs/{live['run']}/at").json()["ended"] == ended
        status, _ = interrupt(process)
    assert status == 0


@pytest.mark.thorough
def test_recorded_runs_are_served_until_a_signal(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    (library / "runs").mkdir()
    with serving(library) as (process, url):
        assert ask(url, "runs").json() == []
        assert ask(url, "live").json() is None
        status, _ = interrupt(process)
    assert status == 0


@pytest.mark.thorough
def test_the_page_ends_with_a_run_that_is_killed(tmp_path: Path) -> None:
    """Its process ends with the pipe to it, whatever ended the run's."""
    library = copy_warehouse(tmp_path / "library")
    with serving(library, "warehouse") as (process, url):
        run = ask(url, "live").json()["run"]
        process.kill()
        answers = iter(lambda: ask(url, f"runs/{run}/at?after={10**9}"), None)
        with pytest.raises(httpx.TransportError):
            list(answers)  # there are some until the process has seen it


@pytest.mark.thorough
def test_a_run_outlives_its_page_and_says_so(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    with serving(library, "warehouse") as (process, url):
        assert ask(url, "live").status_code == 200
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not children.is_file():
            pytest.skip("this system does not list children")
        (page,) = children.read_text().split()
        os.kill(int(page), signal.SIGKILL)
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        assert any("the page's process has ended" in line for line in lines)
        interrupt(process)
    assert [end["kind"] for end in ends(library)] == ["run.end"]


@pytest.mark.thorough
def test_a_port_that_is_taken_is_told_before_anything_runs(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    with PageServer() as other, serving(library, "warehouse", "--port", str(other.port)) as found:
        process, line = found
        assert process.wait(GUARD) == 2
    assert line.startswith(f"treec: port {other.port} cannot be used:")
    assert not (library / "runs").exists() or list((library / "runs").iterdir()) == []


@pytest.mark.thorough
def test_a_signal_while_the_page_waits_prints_no_error(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    with serving(library, "warehouse") as (process, url):
        run = ask(url, "live").json()["run"]
        page = urlsplit(url)
        with socket.create_connection((page.hostname, page.port), GUARD) as waiting:
            path = f"{page.path}runs/{run}/at?after={10**9}"
            waiting.sendall(f"GET {path} HTTP/1.1\r\nHost: {page.netloc}\r\n\r\n".encode())
            assert ask(url, "runs").status_code == 200  # it is served: the other one, too
            _, out = interrupt(process)
    assert not re.search("Traceback|ERROR|Error", out), out


@pytest.mark.thorough
def test_hostile_and_vanishing_clients_leave_the_run_as_it_was(tmp_path: Path) -> None:
    """On virtual time a run is a function of its inputs: its journal is that of nobody watching."""
    library = copy_warehouse(tmp_path / "library")
    args = ("warehouse", "--scenario", "morning_shift")
    quiet = [sys.executable, "-m", "treec", "run", *args, "--fast", "-L", str(library)]
    subprocess.run(quiet, check=True, capture_output=True, timeout=GUARD)
    rng = random.Random(5)
    with serving(library, *args, "--speed", "60") as (process, url):
        page = urlsplit(url)
        host, token = page.netloc, page.path.strip("/")
        gone = []
        for number in range(1000):
            path, method, body, headers = hostile(rng)
            path = path.replace(TOKEN, token)
            headers = {"host": host, "origin": f"http://{host}"} | headers
            headers = {name: text.replace(HOST, host) for name, text in headers.items()}
            if headers["origin"] == host:
                headers["origin"] = "file://"
            given = "".join(f"{name}: {text}\r\n" for name, text in headers.items())
            client = socket.create_connection((page.hostname, page.port), GUARD)
            with suppress(ConnectionError):  # it may have been refused before its end
                client.sendall(
                    f"{method} {path} HTTP/1.1\r\n{given}"
                    f"content-length: {len(body)}\r\n\r\n".encode()
                    + body
                )
            if number % 5 == 0:
                gone.append(client)  # nobody reads what it is answered
            else:
                with suppress(ConnectionError):
                    assert not client.recv(100).startswith(b"HTTP/1.1 2")
                client.close()
        assert len(gone) == 200
        for one in gone:
            one.close()
        assert ask(url, "live").status_code == 200
        assert process.stdout is not None
        assert any("the page stays open" in line for line in iter(process.stdout.readline, ""))
        interrupt(process)
    alone, watched = (
        journal.read_bytes() for journal in sorted((library / "runs").glob(f"*/{JOURNAL}"))
    )
    assert watched == alone


@pytest.mark.thorough
def test_a_run_is_held_and_stopped_from_its_page(tmp_path: Path) -> None:
    """The page has a process of its own, and the run is held in this one's child."""
    library = copy_warehouse(tmp_path / "library")
    args = ("warehouse", "--scenario", "morning_shift", "--speed", "1")
    with serving(library, *args) as (process, url):

        def debug(did: str, about: str = "") -> httpx.Response:
            return ask(url, "live/debug", {"did": did, "about": about})

        def until(is_so: Callable[[dict[str, Any]], bool]) -> None:
            while not is_so(ask(url, "live").json()):
                assert process.poll() is None

        assert debug("pause").status_code == 200
        until(lambda live: live["debug"]["held"])
        assert ask(url, "live/stop", {}).status_code == 200
        until(lambda live: live["stopped"] == ["Hauler", "Scout"])
        assert ask(url, "live").json()["debug"]["held"] is True
        assert debug("inject", "fail driv").status_code == 400
        assert debug("inject", "fail drive x2").status_code == 200
        assert debug("go on").status_code == 200
        until(lambda live: not live["debug"]["held"])
        status, out = interrupt(process)
    assert status == 1, out
    assert "debugging: pause" in out
    assert "injected: fail drive x2" in out
