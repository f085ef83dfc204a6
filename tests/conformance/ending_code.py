"""Workers, parsers and node classes that end their process, crash it or hold it in C."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
from collections.abc import Mapping
from typing import Any

from tests.conformance.bad_workers import Good
from treec.nodes.worker import Host, Outcome, WorkOrder


class ExitsAtStart(Good):
    """Ends the process without cleaning up."""

    def start(self, order: WorkOrder, host: Host) -> None:
        os._exit(3)  # here


class ExitsWhenCancelled(Good):
    """Only its cancel ends the process."""

    def cancel(self) -> Outcome:
        os._exit(0)  # here


class KillsItself(Good):
    """Ends the process by a signal that cannot be caught."""

    def start(self, order: WorkOrder, host: Host) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Crashes(Good):
    """Reads where nothing is, as a library in C may."""

    def start(self, order: WorkOrder, host: Host) -> None:
        ctypes.string_at(0)  # here


class HoldsInC(Good):
    """Waits in C without giving Python's lock back, so that nothing can interrupt it."""

    def start(self, order: WorkOrder, host: Host) -> None:
        ctypes.PyDLL(None).pause()  # here


class BecomesAnotherProgram(Good):
    """Replaces the process by another program, which does not end."""

    def start(self, order: WorkOrder, host: Host) -> None:
        os.execv(sys.executable, [sys.executable, "-c", "import time; time.sleep(60)"])


def exiting_parser(text: str, context: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A parser that ends the process."""
    os._exit(5)  # here
