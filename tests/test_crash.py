"""A bug in treec has an exit status of its own, in every process, and no test overlooks one."""

from __future__ import annotations

import subprocess
import sys
from multiprocessing import get_context
from pathlib import Path

import pytest

from tests.serve.client import HOST, TOKEN, sender
from tests.support import crashes
from treec import crash
from treec.cli import explain, main
from treec_serve import process as serve_process
from treec_serve import runs as runs_of_page
from treec_serve.app import make_app


def broken(page: object = None) -> None:
    raise ZeroDivisionError("a slip of ours")


def test_a_crash_of_a_command_has_its_own_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(explain, "command", lambda: broken())
    with crashes.expected():
        assert main(["explain"]) == crash.STATUS == 70
    error = capsys.readouterr().err
    assert "ZeroDivisionError: a slip of ours" in error
    assert error.endswith("treec: this is a bug in treec, not in your files\n")
    monkeypatch.undo()
    assert main(["explain", "no such rule"]) == 2


def test_a_crash_of_another_process_is_noticed() -> None:
    code = (
        "import sys\nfrom treec.cli import explain, main\n"
        "explain.command = lambda: 1 / 0\nsys.argv = ['treec', 'explain']\nsys.exit(main())\n"
    )
    with crashes.expected():
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, "ZeroDivisionError" in done.stderr) == (70, True)


def test_a_page_that_crashed_goes_on_and_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    get = sender(make_app(tmp_path, TOKEN, (HOST,)))
    with monkeypatch.context() as patched, crashes.expected():
        patched.setattr(runs_of_page.RunArchive, "listing", broken)
        found = get(f"/{TOKEN}/runs")
    assert found.status_code == 500
    assert found.text == f"{crash.BUG}: ZeroDivisionError: a slip of ours"
    assert "a slip of ours" in capsys.readouterr().err
    assert get(f"/{TOKEN}/runs").json() == []


@pytest.mark.thorough
def test_a_page_that_crashed_ends_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the page, and with it the command that started it."""
    with crashes.expected(), serve_process.PageProcess(0) as page:
        page.address()
        page._write.write(b"this is not JSON\n")  # what only a bug sends
        page._write.flush()
        page._process.wait(60)
    before = crash.count()
    page.close()
    assert crash.count() > before


def fails(answer: str) -> None:
    raise ZeroDivisionError(answer)


@pytest.mark.parametrize(("function", "status"), [(fails, crash.STATUS), (len, 0)])
def test_a_worker_that_crashed_ends_so(function: object, status: int) -> None:
    process = get_context("spawn").Process(target=crash.contain, args=(function, "text"))
    process.start()
    process.join()
    assert process.exitcode == status
