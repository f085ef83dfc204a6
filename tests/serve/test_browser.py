"""The page in headless Chromium, where that is installed."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import threading
from pathlib import Path

import pytest
import uvicorn

from tests.support.library import copy_warehouse
from treec.cli import main
from treec.serve.app import make_app

CHROMIUM = shutil.which("chromium")
TOKEN = "secret-token"

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed"),
]


def test_the_page_draws_a_run(tmp_path: Path) -> None:
    library = copy_warehouse(tmp_path / "library")
    args = ["run", "warehouse", "--scenario", "morning_shift", "--fast", "-L", str(library)]
    assert main([*args, "--runs", str(tmp_path / "runs")]) == 0
    (run,) = (path.name for path in (tmp_path / "runs").iterdir())
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        app = make_app(tmp_path / "runs", TOKEN, (f"127.0.0.1:{port}",))
        server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            url = f"http://127.0.0.1:{port}/{TOKEN}/#run={run}&tick=5"
            page = subprocess.run(
                [
                    str(CHROMIUM),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    f"--user-data-dir={tmp_path / 'profile'}",
                    "--virtual-time-budget=8000",
                    "--dump-dom",
                    url,
                ],
                capture_output=True,
                text=True,
                timeout=60,
                check=True,
            ).stdout
        finally:
            server.should_exit = True
            thread.join()
    assert re.search(r"tick 5 of \d+", page)
    assert re.search(r'<span class="(RUNNING|SUCCESS)"[^>]*>[^<]*warehouse_main', page)
    assert "<strong>Hauler: </strong>" in page
    assert '<p id="message" role="status"></p>' in page
