"""Workers, parsers and node classes that end their process, crash it or hold it in C."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from typing import Any

from tests.testing.bad_workers import Good
from treec.nodes.worker import Host, Outcome, WorkOrder


class ExitsAtStart(Good):
    """Ends the process without cleaning up."""

    def start(self, order: WorkOrder, host: Host) -> None:
        os._exit(3)  # here


class ExitsWhenCancelled(Good):
    """Only its cancel ends the process."""

    def cancel(self) -> Outcome:
        os._exit(0)  # here


class Crashes(Good):
    """Reads where nothing is, as a library in C may."""

    def start(self, order: WorkOrder, host: Host) -> None:
        ctypes.string_at(0)  # here


class HoldsInC(Good):
    """Waits in C without giving Python's lock back, so that nothing can interrupt it."""

    def start(self, order: WorkOrder, host: Host) -> None:
        ctypes.PyDLL(None).pause()  # here


class Spins(Good):
    """Never comes back."""

    def start(self, order: WorkOrder, host: Host) -> None:
        while self.cancel:  # here
            pass


def exiting_parser(text: str, context: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """A parser that ends the process."""
    os._exit(5)  # here
