"""The budget of CPU time: what is too slow fails, and is told what to do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import budget

CONFTEST = """\
import pytest
from tests.support import budget, tiers

budget.slowness = lambda: 1.0  # whatever this machine is

def pytest_addoption(parser):
    tiers.add_option(parser)
    budget.add_options(parser)

def pytest_configure(config):
    tiers.configure(config)
    config.addinivalue_line("markers", "thorough: slow")
    config.pluginmanager.register(budget.Budget(config))
"""
TESTS = """\
import time
import pytest
from tests.support.tiers import many

def spend(seconds):
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass

@pytest.fixture(scope="module")
def shared():
    spend(0.2)

def test_quick(shared):
    assert many(100, 3) == 3

def test_that_takes_long():
    spend(0.2)

@pytest.mark.thorough
def test_that_may():
    spend(0.2)
"""


def run(folder: Path, *options: str) -> tuple[int, str]:
    (folder / "conftest.py").write_text(CONFTEST, "utf-8")
    (folder / "test_some.py").write_text(TESTS, "utf-8")
    (folder / "pytest.ini").write_text("[pytest]\ntest_seconds = 0.15\n", "utf-8")
    plain = ("-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:treec", "--rootdir", str(folder))
    command = [sys.executable, "-m", "pytest", "-q", *plain, *options, str(folder)]
    root = Path(__file__).parents[1]
    done = subprocess.run(
        command, cwd=root, capture_output=True, text=True, check=False, timeout=120
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.thorough
def test_one_test_that_takes_too_long_fails_but_not_for_what_it_shares(tmp_path: Path) -> None:
    status, told = run(tmp_path, "--time-budget", "100")
    assert status == 1
    assert "1 failed, 2 passed" in told
    assert "FAILED" in told
    assert "test_that_takes_long" in told
    assert "of CPU time; a fast test may take 0.15 s" in told
    assert "over the budget" not in told


@pytest.mark.thorough
def test_all_tests_together_may_take_so_much(tmp_path: Path) -> None:
    options = ("-k", "quick or may", "--time-budget")
    status, told = run(tmp_path, *options, "0.1")
    assert status == 1
    assert "2 passed" in told
    assert "over the budget: make it faster" in told
    assert "fixtures that tests share" in told
    assert run(tmp_path, *options, "100")[0] == 0


@pytest.mark.thorough
def test_a_thorough_run_has_no_limit_and_tries_everything(tmp_path: Path) -> None:
    status, told = run(tmp_path, "--thorough")
    assert status == 1
    assert "1 failed, 2 passed" in told  # many(100, 3) is 100 there
    assert "assert 100 == 3" in told


@pytest.mark.parametrize(
    ("seconds", "slower"), [(budget.REFERENCE * 3, 3.0), (budget.REFERENCE / 3, 1.0)]
)
def test_a_slower_machine_may_take_longer_and_a_faster_one_no_less(
    monkeypatch: pytest.MonkeyPatch, seconds: float, slower: float
) -> None:
    monkeypatch.setattr(budget, "_timed", lambda: seconds)
    assert budget.slowness() == pytest.approx(slower)
