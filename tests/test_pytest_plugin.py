"""The pytest plugin in somebody else's project."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.decisions.test_system_cases import FILE, HAND, OLD, YES
from tests.support.decisions import CALM, MERRY, edit, write_library
from treec.cli import main

ROOT = Path(__file__).parents[1]
OTHERS = [part for name in ("pytest-lsp", "asyncio", "anyio") for part in ("-p", f"no:{name}")]
"""Plugins that take a second to load, and that no project here uses."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A library with its decisions recorded, and a test of its own."""
    root = write_library(tmp_path)
    own = root / "tests/decisions/test_own.py"
    own.parent.mkdir(parents=True)
    own.write_text("def test_own():\n    assert True\n", "utf-8")
    assert main(["snapshot", "--record", "-L", str(root)]) == 0
    return root


def pytest_in(root: Path, *args: str) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *OTHERS, "-p", "no:cacheprovider", "-v", *args],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.thorough
def test_each_case_is_a_test_beside_those_of_the_project(project: Path) -> None:
    status, told = pytest_in(project)
    assert status == 0, told
    for name in ("test_own.py::test_own", f"cases::{MERRY}", "cases::every recording is used"):
        assert f"{name} PASSED" in told
    assert "5 passed" in told


@pytest.mark.thorough
def test_a_changed_prompt_fails_its_cases_with_the_word(project: Path) -> None:
    edit(project, "pack/Choose.decision.yaml", "Choose exactly one", "Choose just one")
    status, told = pytest_in(project, "tests/decisions")
    assert status == 1
    assert "2 failed, 3 passed" in told
    assert f"stale    {CALM}: the instructions changed" in told
    assert "instructions, line 1: 'exactly' → 'just'" in told
    assert "Traceback" not in told


@pytest.mark.thorough
def test_a_recording_that_cannot_be_read_fails_its_case_alone(project: Path) -> None:
    broken = project / f"tests/decisions/recordings/{CALM}.yaml"
    broken.write_text("recording: [", "utf-8")
    status, told = pytest_in(project, "tests/decisions")
    assert status == 1
    assert "1 failed, 4 passed" in told
    assert f"{CALM}.yaml:1:12: the '[' is never closed" in told


@pytest.mark.thorough
def test_one_file_is_run_alone(project: Path) -> None:
    status, told = pytest_in(project, "tests/decisions/test_own.py")
    assert status == 0
    assert "1 passed" in told


@pytest.mark.thorough
def test_a_library_that_cannot_be_read_is_said_to_be(project: Path) -> None:
    edit(project, "pack/Choose.decision.yaml", "sees: [mood", "seess: [mood")
    status, told = pytest_in(project)
    assert status != 0
    assert "pack/Choose.decision.yaml:3:1: TC101" in told


GUARDED = """\
import socket
import pytest

def test_that_reaches_out_and_gets_over_it():
    try:
        socket.create_connection(("example.invalid", 80))
    except Exception:
        pass

def test_that_stays_here():
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()

@pytest.mark.network
def test_that_may():
    with pytest.raises(OSError):
        socket.create_connection(("name.invalid", 80), timeout=1)
"""


@pytest.mark.thorough
def test_the_network_is_forbidden_where_that_is_set(project: Path) -> None:
    (project / "tests/test_net.py").write_text(GUARDED, "utf-8")
    out, here = "test_that_reaches_out_and_gets_over_it", "test_that_stays_here"
    status, told = pytest_in(project, "tests/test_net.py", "-k", "not may")
    assert status == 0, told
    (project / "pytest.ini").write_text("[pytest]\ntreec_forbid_network = true\n", "utf-8")
    status, told = pytest_in(project, "tests/test_net.py")
    assert status == 1
    assert f"{out} FAILED" in told
    assert "reached for the network: example.invalid" in told
    assert f"{here} PASSED" in told
    assert "test_that_may PASSED" in told


RECORDED = """\
import asyncio
from treec.ask.transport import Message, Request

def test_recorded(treec_recorded):
    transport = treec_recorded("tests/decisions/recordings")
    request = Request("Choose", "decision", (Message("user", "mood: odd"),), {}, {})
    try:
        asyncio.run(transport.ask(request))
    except Exception:
        pass  # as a node does, which goes on without an answer
"""


@pytest.mark.thorough
def test_a_question_that_nobody_recorded_fails_a_test_that_uses_recordings(project: Path) -> None:
    (project / "tests/test_mine.py").write_text(RECORDED, "utf-8")
    status, told = pytest_in(project, "tests/test_mine.py")
    assert status == 1
    assert "Choose: no recording answers this question; nearest is 'Choose/" in told
    assert "mood: odd" in told


@pytest.mark.thorough
def test_each_author_of_a_case_of_a_system_is_a_test(tmp_path: Path) -> None:
    root = write_library(tmp_path, **{FILE: YES + HAND})
    status, output = pytest_in(root, "tests/decisions", "-k", "a_yes")
    assert status == 1
    assert "cases::a_yes/rules PASSED" in output
    assert "cases::a_yes/lazy FAILED" in output
    assert "must, but never held: 'get pepper' in queue('R2')" in output
    assert "Traceback" not in output


@pytest.mark.thorough
def test_exchanges_of_older_versions_are_reported(tmp_path: Path) -> None:
    root = write_library(tmp_path, **{OLD: YES.replace("case:", "exchange:")})
    status, output = pytest_in(root)
    assert status != 0
    assert f"{OLD}:1:1: TC105: an exchange is a case now: rename it to '{FILE}'" in output
