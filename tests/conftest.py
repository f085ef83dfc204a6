"""What holds for every test: see docs/testing.md."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.support import budget, checked, crashes, holes, tiers
from tests.support.forget import withdraw_packages

# A shell without job control starts what runs in the background with Ctrl-C ignored, and what is
# started from here would inherit it: tests of Ctrl-C want what a terminal gives.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Without compiled files each process that a test starts would compile what it imports: 1 s each.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A process of these tests for each core: threads of numerical libraries would wait for one another,
# and spin meanwhile. Set before anything imports such a library.
for _threads in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")

gc.disable()  # until all is collected: it stays


_cache = pytest.StashKey[str]()
"""What treec remembers between commands: of these tests alone."""


def pytest_addoption(parser: pytest.Parser) -> None:
    tiers.add_option(parser)
    budget.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    os.environ["TREEC_CACHE"] = config.stash[_cache] = tempfile.mkdtemp(prefix="treec-tests-")
    tiers.configure(config)
    checked.install()
    crashes.install()
    holes.install()
    config.pluginmanager.register(budget.Budget(config), "treec-time-budget")


def pytest_unconfigure(config: pytest.Config) -> None:
    shutil.rmtree(config.stash[_cache], ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort into tiers; skip what is about a system that is not installed."""
    tiers.mark_few(items)
    installed = {point.name for point in entry_points(group="treec.extensions")}
    for item in items:
        for marker in item.iter_markers("needs_system"):
            if not installed.issuperset(marker.args):
                item.add_marker(pytest.mark.skip(reason=f"{marker.args[0]} is not installed"))


@pytest.fixture(autouse=True)
def no_package_of_a_library_stays() -> Iterator[None]:
    """Libraries of several tests may have packages of one name."""
    yield
    withdraw_packages()


@pytest.fixture(autouse=True)
def no_command_crashes() -> Iterator[None]:
    """A command that ends with "this is a bug in treec" fails the test; see `crashes.expected`."""
    yield
    if found := crashes.take():
        pytest.fail("a bug in treec:\n" + "\n".join(found), pytrace=False)


@pytest.fixture(autouse=True)
def no_message_has_a_hole(request: pytest.FixtureRequest) -> Iterator[None]:
    """No value is missing in what a check says, or an error that a test catches."""
    yield
    looked_at = not holes.ROOMS.isdisjoint(request.path.relative_to(request.config.rootpath).parts)
    any_text = hasattr(request.function, "is_hypothesis_test")  # messages quote it
    if (found := holes.take()) and looked_at and not any_text:
        pytest.fail("a value is missing in: " + "; ".join(found), pytrace=False)


def _is_in(folder: Path) -> bool:
    try:
        return Path.cwd() == folder
    except FileNotFoundError:  # it was removed
        return False


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """A test that leaves another working directory behind fails, and not one after it."""
    yield
    start = item.config.invocation_params.dir
    if not _is_in(start):
        os.chdir(start)
        pytest.fail("it leaves another working directory behind: monkeypatch.chdir does not")


def pytest_collection_finish() -> None:
    # What was imported and collected lives until the end: looking through it for garbage after
    # every few tests takes a tenth of the time.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 10, 50)
    gc.enable()
