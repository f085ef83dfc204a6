"""Crashes of treec, in the process of the tests and in those that they start: none is expected.

Of other processes those count that the tests have waited for, by their exit status.
"""

from __future__ import annotations

import subprocess
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from treec import crash

_found: list[str] = []


def install() -> None:
    """Note crashes from now on; before commands are imported."""
    report, poll, wait = crash.report, subprocess.Popen.poll, subprocess.Popen.wait

    def noted(error: BaseException) -> int:
        _found.append("".join(traceback.format_exception(error)))
        return report(error)

    def polled(self: subprocess.Popen[Any]) -> int | None:
        before = self.returncode
        return _noted(self, before, poll(self))

    def waited(self: subprocess.Popen[Any], timeout: float | None = None) -> int:
        before = self.returncode
        status = wait(self, timeout)
        _noted(self, before, status)
        return status

    crash.report = noted
    subprocess.Popen.poll = polled  # type: ignore[method-assign]
    subprocess.Popen.wait = waited  # type: ignore[method-assign]


def _noted(process: subprocess.Popen[Any], before: int | None, status: int | None) -> int | None:
    if before is None and status == crash.STATUS:
        _found.append(f"exit status {status}: {process.args!r}")
    return status


def take() -> list[str]:
    """What crashed since this was last asked."""
    found, _found[:] = _found[:], []
    return found


@contextmanager
def expected() -> Iterator[None]:
    """For a test of crashes themselves: there is one in the block."""
    assert not take()
    yield
    if not take():
        pytest.fail("nothing crashed")
