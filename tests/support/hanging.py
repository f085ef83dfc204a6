"""Workers and a node class that hang where a test says: in a sleep, a loop, a lock, a read."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec.nodes.python import NodePorts
from treec.nodes.worker import Host, Outcome, WorkOrder

GUARD = 30.0
"""Seconds after which a hung test fails; no timing."""

Hang = Callable[[threading.Event], object]


def waits(end: threading.Event) -> None:
    """Wait for something that does not come."""
    end.wait(GUARD)


def spins(end: threading.Event) -> None:
    """Loop without end."""
    while not end.is_set():
        pass


def locks(end: threading.Event) -> None:
    """Wait for a lock that nobody gives back."""
    lock = threading.Lock()
    lock.acquire()
    threading.Thread(target=lambda: (end.wait(GUARD), lock.release()), daemon=True).start()
    with lock:
        pass


def reads(end: threading.Event) -> None:
    """Read from a pipe that nobody writes to."""
    read, write = os.pipe()
    threading.Thread(target=lambda: (end.wait(GUARD), os.close(write)), daemon=True).start()
    os.read(read, 1)
    os.close(read)


HANGS: dict[str, Hang] = {"waits": waits, "spins": spins, "locks": locks, "reads": reads}


class Stage:
    """What the workers and the node do in a test, and what has become of them."""

    def __init__(self) -> None:
        self.does: dict[str, Hang] = {}
        """What is done in `cancel R1`, `start R1`, `update`, `terminate`, …"""
        self.calls: list[str] = []
        self.told = {name: threading.Event() for name in ("R1", "R2")}
        """Set when a worker's `cancel` is called."""
        self.end = threading.Event()
        """Set at the end of the test, so that no thread is left."""

    def do(self, call: str) -> None:
        """Note a call, and do what the test says."""
        self.calls.append(call)
        if call in self.does:
            self.does[call](self.end)


class Arm:
    """A worker whose order takes until it is cancelled."""

    stage: ClassVar[Stage]

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin."""
        self._agent = order.agent
        self.stage.do(f"start {order.agent}")

    def cancel(self) -> Outcome:
        """Stop."""
        self.stage.told[self._agent].set()
        self.stage.do(f"cancel {self._agent}")
        return Outcome(False)


class Spin(Behaviour):
    """A node that is RUNNING."""

    stage: ClassVar[Stage]

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        del ports

    def update(self) -> Status:
        """Go on."""
        self.stage.do("update")
        return Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        """End."""
        self.stage.do("terminate")

    def shutdown(self) -> None:
        """End for good."""
        self.stage.do("shutdown")
