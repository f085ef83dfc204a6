"""A budget of CPU time for the fast tests, so that `make test` stays fast.

Counted is the CPU time of this process and of the children that it waited for, which a loaded
machine changes little, unlike the time on the wall. A fixture that several tests share counts
towards the total, but not towards the test that happened to ask for it first.

Limits are seconds of a machine as fast as `REFERENCE` says: on a slower one, which a short piece of
work shows, they are as much longer.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from typing import Any

import pytest

TIERS = ("thorough", "package", "slow")
"""Markers of tests that `make test` leaves out."""
ADVICE = (
    "make it faster, try fewer examples (tests.support.tiers.many), or mark it "
    "@pytest.mark.thorough so that only `make test-all` runs it; see docs/testing.md"
)
SHOWN = 15
REFERENCE = 0.02
"""CPU seconds that `_work` takes on two cores of an AMD EPYC (2026) with little other load."""
_TEST, _SHARED = "cpu seconds", "cpu seconds of shared fixtures"


def add_options(parser: pytest.Parser) -> None:
    """Declare the options and settings of the budget."""
    parser.getgroup("budget").addoption(
        "--time-budget",
        type=float,
        default=None,
        metavar="SECONDS",
        help="fail if all tests together take more CPU time; list the slowest",
    )
    parser.addini("test_seconds", "CPU seconds that one unmarked test may take", default="0")


def cpu_seconds() -> float:
    """CPU time of this process and of its children that have ended, in seconds."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _work() -> int:
    """A fixed piece of work of the kind that tests do: objects, dicts and text."""
    found: dict[str, tuple[int, str]] = {}
    for number in range(60_000):
        key = f"{number % 977}:{number & 15}"
        found[key] = (number, key.upper())
    return sum(len(text) + number for number, text in found.values())


def slowness() -> float:
    """How many times longer than on the reference machine work takes here; 1 if it is faster."""
    usual = sorted(_timed() for _ in range(9))[4]
    return max(1.0, usual / REFERENCE)


def _timed() -> float:
    begun = time.process_time()
    _work()
    return time.process_time() - begun


def message(seconds: float, limit: float) -> str:
    """What a test that takes too long is told."""
    return f"the test took {seconds:.1f} s of CPU time; a fast test may take {limit:g} s: {ADVICE}"


class Budget:
    """Measures every test, fails one that takes too long, and the run if all of them do."""

    def __init__(self, config: pytest.Config) -> None:
        limit = 0.0 if config.getoption("thorough") else float(config.getini("test_seconds"))
        total: float | None = config.getoption("time_budget")
        slower = slowness() if limit or total else 1.0
        self._limit = limit * slower
        self._total = None if total is None else total * slower
        self._reports = not hasattr(config, "workerinput")
        self._spent: dict[str, float] = defaultdict(float)
        self._shared = 0.0
        self._phase = 0.0  # of the test that runs: its current phase
        self._test = 0.0  # of the test that runs: all phases so far
        self._aside = 0.0  # of the current phase: shared fixtures
        self._depth = 0

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, Any, Any]:
        self._test = 0.0
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, Any, Any]:
        return (yield from self._measured())

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_teardown(self) -> Generator[None, Any, Any]:
        return (yield from self._measured())

    def _measured(self) -> Generator[None, Any, Any]:
        self._aside = 0.0
        begun = cpu_seconds()
        try:
            return (yield)
        finally:
            self._phase = cpu_seconds() - begun - self._aside
            self._test += self._phase

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        if fixturedef.scope == "function" or self._depth:
            return (yield)
        self._depth += 1
        begun = cpu_seconds()
        try:
            return (yield)
        finally:
            self._depth -= 1
            self._aside += cpu_seconds() - begun

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item) -> Generator[None, Any, Any]:
        report: pytest.TestReport = yield
        report.user_properties += [(_TEST, self._phase), (_SHARED, self._aside)]
        over = 0 < self._limit < self._test and not any(map(item.get_closest_marker, TIERS))
        if over and report.when == "call" and report.passed:
            report.outcome = "failed"
            report.longrepr = message(self._test, self._limit)
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Add up what every process measured."""
        for name, value in report.user_properties if self._reports else ():
            if name == _TEST:
                self._spent[report.nodeid] += float(str(value))
            elif name == _SHARED:
                self._shared += float(str(value))

    @property
    def spent(self) -> float:
        """CPU time of all tests so far, in seconds."""
        return sum(self._spent.values()) + self._shared

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail a run whose tests take too long together."""
        if self._total is not None and self._reports and self.spent > self._total:
            session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Print the total and, if it is more than the budget, what to do."""
        if self._total is None:
            return
        terminalreporter.section("CPU time of the tests")
        for line in self._summary(self._total):
            terminalreporter.write_line(line)

    def _summary(self, total: float) -> Iterable[str]:
        yield f"{self.spent:7.1f} s of {total:g} s"
        yield f"{self._shared:7.1f} s  fixtures that tests share"
        slowest = sorted(self._spent.items(), key=lambda item: -item[1])
        for name, seconds in slowest[:SHOWN]:
            yield f"{seconds:7.1f} s  {name}"
        files: dict[str, float] = defaultdict(float)
        for name, seconds in slowest:
            files[name.partition("::")[0]] += seconds
        if self.spent > total:
            yield f"over the budget: {ADVICE}"
            for name, seconds in sorted(files.items(), key=lambda item: -item[1])[:SHOWN]:
                yield f"{seconds:7.1f} s  {name}"
