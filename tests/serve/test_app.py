"""The page of runs: what it answers, and what it refuses."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.library import copy_warehouse
from treec.cli import main
from treec.serve.app import PAGE, make_app

TOKEN = "secret-token"
HOST = "127.0.0.1:8000"

Get = Callable[..., httpx.Response]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with one run of the warehouse."""
    folder = tmp_path_factory.mktemp("serve")
    library = copy_warehouse(folder / "library")
    args = ["run", "warehouse", "--scenario", "morning_shift", "--fast", "-L", str(library)]
    assert main([*args, "--runs", str(folder / "runs")]) == 0
    return folder / "runs"


@pytest.fixture
def get(runs: Path) -> Get:
    """Sends a request to the application."""
    app = make_app(runs, TOKEN, (HOST,))

    def send(path: str, method: str = "GET", **headers: str) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(app=app)
            async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}") as client:
                return await client.request(method, path, headers=headers)

        return asyncio.run(ask())

    return send


def only_run(get: Get) -> str:
    (run,) = get(f"/{TOKEN}/runs").json()
    return str(run["run"])


def test_runs_are_listed_and_opened(get: Get) -> None:
    (run,) = get(f"/{TOKEN}/runs").json()
    assert (run["system"], run["state"]) == ("warehouse", "ended")
    about = get(f"/{TOKEN}/runs/{run['run']}").json()
    assert about["ticks"] == sorted(about["ticks"])
    assert about["seconds"] >= about["ticks"][-1] > 0


def test_a_moment_shows_all_that_the_page_draws(get: Get) -> None:
    path = f"/{TOKEN}/runs/{only_run(get)}/at"
    end: dict[str, Any] = get(path).json()
    assert {node["path"] for node in end["nodes"]} >= {"warehouse_main"}
    assert end["talk"]
    assert set(end["agents"]) == {"Hauler", "Scout", "operator"}
    assert any(one["status"] == "done" for one in end["subtasks"])
    assert any(one.get("choose") for one in end["decisions"])
    times = [one["t"] for one in end["decisions"]]
    assert times == sorted(times, reverse=True)
    assert end["facts"]
    first = get(f"{path}?moment=%231").json()
    assert first["tick"] == 1
    assert len(first["talk"]) < len(end["talk"])


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 403),
        ("/wrong/runs", 403),
        (f"/{TOKEN}x/runs", 403),
        (f"/{TOKEN}/none", 404),
        (f"/{TOKEN}/runs/none", 404),
        (f"/{TOKEN}/runs/..%2F..%2Fetc", 404),
        (f"/{TOKEN}/..%2Fapp.py", 404),
        (f"/{TOKEN}/app.py", 404),
        (f"/{TOKEN}/runs/%00", 404),
        (f"/{TOKEN}/runs?{'x' * 3000}", 414),
    ],
)
def test_nothing_else_is_served(path: str, status: int, get: Get) -> None:
    assert get(path).status_code == status


def test_a_moment_that_is_none_is_told(get: Get) -> None:
    answer = get(f"/{TOKEN}/runs/{only_run(get)}/at?moment=soon")
    assert (answer.status_code, "is no moment" in answer.text) == (400, True)


def test_other_hosts_and_origins_are_refused(get: Get) -> None:
    path = f"/{TOKEN}/runs"
    assert get(path, host="evil.example").status_code == 403
    assert get(path, origin="http://evil.example").status_code == 403
    assert get(path, origin="null").status_code == 403
    assert get(path, origin=f"http://{HOST}").status_code == 200


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_nothing_can_be_changed(method: str, get: Get) -> None:
    assert get(f"/{TOKEN}/runs", method).status_code == 405


@pytest.mark.parametrize("name", ["", "page.js", "page.css"])
def test_the_page_may_load_its_own_files_only(name: str, get: Get) -> None:
    answer = get(f"/{TOKEN}/{name}")
    assert answer.status_code == 200
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert "unsafe" not in answer.headers["content-security-policy"]


def test_the_page_makes_no_markup_of_text() -> None:
    script = (PAGE / "page.js").read_text("utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(", script)
    page = (PAGE / "index.html").read_text("utf-8")
    assert not re.search(r"https?://|\son\w+=|style=", page)
