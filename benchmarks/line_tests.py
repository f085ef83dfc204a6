"""Which tests run which lines, recorded by coverage.py and kept in a folder between draws.

As a plugin of pytest (``-p benchmarks.line_tests``, the folder named by `FOLDER` in the
environment) it writes one file for each module of tests, with the check sum of the module's text:
only modules that have changed since are recorded again.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from docs.make_house import FOLDERS

FOLDER = "LINE_TESTS"
MISSING = "recording which tests run which lines takes coverage.py: pip install 'coverage>=7.6,<8'"


@dataclass
class LineTests:
    """What was recorded: the tests that passed, and those that run each line of some files."""

    seconds: dict[str, float] = field(default_factory=dict)
    """CPU time of each test."""
    lines: dict[str, dict[int, set[str]]] = field(default_factory=dict)
    """Path → line → tests."""
    changed: set[str] = field(default_factory=set)
    """Files whose text was another for some tests: their lines may not be what they were."""

    def of(self, path: str, lines: Iterable[int]) -> set[str]:
        """The tests that run one of the lines; of a file that has changed, any line of it."""
        recorded = self.lines.get(path, {})
        chosen = recorded.values() if path in self.changed else map(recorded.get, lines)
        return {test for tests in chosen for test in tests or ()}


def read(folder: Path, texts: Mapping[str, str]) -> LineTests:
    """Read what was recorded of some files, given as path → text."""
    result = LineTests()
    sums = {path: check_sum(text) for path, text in texts.items()}
    for file in folder.glob("*.json"):
        module = json.loads(file.read_text("utf-8"))
        tests = list(module["tests"])
        result.seconds.update(module["tests"])
        for path in sums.keys() & module["lines"].keys():
            if module["sums"][path] != sums[path]:
                result.changed.add(path)
            recorded = result.lines.setdefault(path, defaultdict(set))
            for line, numbers in module["lines"][path].items():
                recorded[int(line)].update(tests[number] for number in numbers)
    return result


def stale(folder: Path, root: Path) -> list[str]:
    """Modules of tests that are new or have changed since they were recorded."""
    modules = [str(path.relative_to(root)) for path in sorted((root / "tests").rglob("test_*.py"))]
    return [module for module in modules if not _is_recorded(folder, root, module)]


def _is_recorded(folder: Path, root: Path, module: str) -> bool:
    file = _file(folder, module)
    text = (root / module).read_text("utf-8")
    return file.is_file() and json.loads(file.read_text("utf-8"))["sum"] == check_sum(text)


def _file(folder: Path, module: str) -> Path:
    return folder / f"{module.replace('/', '+')}.json"


def check_sum(text: str) -> str:
    """What tells one text from another."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Recorder:
    """A plugin of pytest that records each test that passes."""

    def __init__(self, root: Path, folder: Path) -> None:
        try:
            from coverage import Coverage  # type: ignore[import-not-found]  # optional
        except ModuleNotFoundError as error:
            raise pytest.UsageError(MISSING) from error
        self._root, self._folder = root, folder
        self._modules: set[str] = set()
        self._seconds: dict[str, float] = {}
        self._unusable: set[str] = set()
        self._coverage: Any = Coverage(
            data_file=None,
            config_file=False,
            messages=False,
            include=[f"{root / name}/*" for name in FOLDERS],
        )
        self._coverage.start()

    def pytest_itemcollected(self, item: pytest.Item) -> None:
        """Note modules that may have no test that is run."""
        self._modules.add(item.nodeid.partition("::")[0])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Attribute lines and CPU time to the test."""
        self._coverage.switch_context(item.nodeid)
        begun = _cpu_seconds()
        result = yield
        self._seconds[item.nodeid] = round(_cpu_seconds() - begun, 3)
        self._coverage.switch_context("")
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test that fails or is skipped notices nothing."""
        if not report.passed:
            self._unusable.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write what was recorded."""
        self._coverage.stop()
        data = self._coverage.get_data()
        sums: dict[str, str] = {}
        lines: dict[str, dict[str, dict[int, list[str]]]] = defaultdict(dict)
        for file in data.measured_files():
            path = str(Path(file).relative_to(self._root))
            sums[path] = check_sum(Path(file).read_text("utf-8"))
            for line, tests in data.contexts_by_lineno(file).items():
                for test in set(tests) - self._unusable - {""}:
                    files = lines[test.partition("::")[0]]
                    files.setdefault(path, {}).setdefault(line, []).append(test)
        self._folder.mkdir(parents=True, exist_ok=True)
        for module in self._modules:
            self._write(module, lines[module], sums)

    def _write(
        self, module: str, files: Mapping[str, dict[int, list[str]]], sums: Mapping[str, str]
    ) -> None:
        seconds = {
            test: spent
            for test, spent in self._seconds.items()
            if test.partition("::")[0] == module and test not in self._unusable
        }
        number = {test: place for place, test in enumerate(seconds)}
        recorded = {
            "sum": check_sum((self._root / module).read_text("utf-8")),
            "tests": seconds,
            "sums": {path: sums[path] for path in files},
            "lines": {
                path: {line: [number[test] for test in tests] for line, tests in by_line.items()}
                for path, by_line in files.items()
            },
        }
        _file(self._folder, module).write_text(json.dumps(recorded), "utf-8")


def _cpu_seconds() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def pytest_configure(config: pytest.Config) -> None:
    """Record, if a folder is named."""
    if folder := os.environ.get(FOLDER):
        config.pluginmanager.register(Recorder(config.rootpath, Path(folder)))
