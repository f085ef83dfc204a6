"""Run tests in forks of a process that has imported what they import from elsewhere.

Reads a line of JSON for each run, ``{"tests": […], "seconds": N}``, and answers with one:
``{"status": STATUS, "test": the test that failed}``, where the status is pytest's, or None after
so many seconds of CPU time. The first failure ends a run. Nothing of treec is imported before the
fork.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

PRELOADED = (
    *("hypothesis", "pytest_asyncio.plugin", "pytest_lsp", "xdist.plugin", "anyio.pytest_plugin"),
    *("pydantic", "jinja2", "yaml", "py_trees", "typer", "rich.console", "rapidfuzz", "httpx"),
    *("numpy", "networkx", "starlette.applications", "uvicorn", "jsonschema", "pygls.lsp.server"),
)
PATIENCE = 5
"""Seconds on the clock for each of CPU time: others may be at work, or a mutant waits for ever."""
MEMORY = 16 << 30
"""Bytes of addresses that a run may take: a mutant may never stop allocating."""


class FirstFailure:
    """A plugin that writes the name of the test that fails."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            os.write(self._pipe, report.nodeid.encode() + b"\n")


def run(tests: list[str], seconds: float, scratch: Path) -> dict[str, Any]:
    """Run tests in a fork, until one fails."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        _child(tests, int(seconds), scratch, writing)
    os.close(writing)
    watched = os.pidfd_open(pid)
    ended, _, _ = select.select([watched], [], [], PATIENCE * seconds)
    with contextlib.suppress(ProcessLookupError):  # and what the tests have left running
        os.killpg(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(watched)
    with os.fdopen(reading, "rb") as pipe:
        failed = pipe.read().decode().partition("\n")[0]
    code = os.waitstatus_to_exitcode(status)
    in_time = ended and code != -signal.SIGXCPU
    return {"status": code if in_time else None, "test": failed}


def _child(tests: list[str], seconds: int, scratch: Path, pipe: int) -> None:
    status = 3
    try:
        os.setpgid(0, 0)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
        null = os.open(os.devnull, os.O_RDWR)
        log = os.open(scratch / "log", os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        for stream, target in enumerate((null, log, log)):
            os.dup2(target, stream)
        options = ["-x", "-p", "no:cacheprovider", "--tb=short", "-o", "test_seconds=0"]
        options.append(f"--basetemp={scratch / 'tmp'}")
        status = int(pytest.main([*options, *tests], [FirstFailure(pipe)]))
    finally:
        sys.stdout.flush()
        os._exit(status)


def main() -> None:
    """Answer until the input ends."""
    scratch = Path(sys.argv[1])
    for name in PRELOADED:
        with contextlib.suppress(ImportError):
            import_module(name)
    for line in sys.stdin:
        print(json.dumps(run(**json.loads(line), scratch=scratch)), flush=True)


if __name__ == "__main__":
    main()
