"""Workers that misbehave."""

from __future__ import annotations

import threading
from typing import ClassVar

from treec.nodes.worker import Effect, Host, Outcome, WorkOrder
from treec.world.failures import Reported


class Endless:
    """Never ends of itself."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin."""

    def cancel(self) -> Outcome:
        """Stop with what was done."""
        return Outcome(False, Reported("cancelled"), "tests")


class RaisesAtStart(Endless):
    """Cannot begin."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Raise."""
        raise OSError("no such robot")


class BlocksQuietly(Endless):
    """Waits in its start, which is called in a thread, and reports nothing of `at_start`."""

    blocks = 30.0

    def __init__(self) -> None:
        self._stop = threading.Event()

    def start(self, order: WorkOrder, host: Host) -> None:
        """Wait until it is stopped."""
        self._stop.wait(self.blocks)

    def cancel(self) -> Outcome:
        """Let the thread end."""
        self._stop.set()
        return super().cancel()


class Faulty(Endless):
    """Has its planned fault at once."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Fail as planned."""
        if order.fault is not None:
            host.finish(order.id, Outcome(False, Reported(order.fault.reason), "tests"))


class RaisesWhenMade(Endless):
    """Cannot even be made."""

    def __init__(self) -> None:
        raise RuntimeError("no driver")


class RaisesAtCancel(Endless):
    """Cannot be stopped."""

    def cancel(self) -> Outcome:
        """Raise."""
        raise OSError("the line is dead")


class ReportsNonsense(Endless):
    """Ends with a fact that the domain does not have."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """End at once."""
        host.finish(order.id, Outcome(True, effects=(Effect("colour", ("pepper",), "red"),)))


class SensesWrongly(Endless):
    """Reports a value of another type before it ends, or as its outcome."""

    EFFECT: ClassVar[Effect] = Effect("near", ("R1",), 17)

    def start(self, order: WorkOrder, host: Host) -> None:
        """End at once."""
        host.finish(order.id, Outcome(True, effects=(self.EFFECT,)))


class Senses(Endless):
    """Says at once what it sees, and then never ends."""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Report where the robot is, whatever `at_start` declares."""
        host.sense(order.id, (Effect("near", (order.agent,), "pantry", "sensed"),))


class EndsAsItIsStopped(Endless):
    """Had ended when it was stopped: its outcome stands."""

    def cancel(self) -> Outcome:
        """Return the success that nobody had heard of."""
        return Outcome(True, effects=(Effect("near", ("R1",), "pantry"),))


class InThread(Endless):
    """Does its work in a thread, which ends when ``GO`` is set.

    ``TAKES`` and ``LIMIT`` are what it announces; ``THREADS`` are all that were started.
    """

    GO: ClassVar[threading.Event] = threading.Event()
    TAKES: ClassVar[float] = 0.0
    LIMIT: ClassVar[float] = 60.0
    THREADS: ClassVar[list[threading.Thread]] = []

    def start(self, order: WorkOrder, host: Host) -> None:
        """Announce the thread, and start it."""
        host.begin_external("the gripper", takes=self.TAKES, limit=self.LIMIT)
        thread = threading.Thread(target=self._work, args=(order, host), daemon=True)
        self.THREADS.append(thread)
        thread.start()

    def _work(self, order: WorkOrder, host: Host) -> None:
        if self.GO.wait(30.0):
            host.finish(order.id, Outcome(True, effects=order.after))


class Blocks(InThread):
    """Waits for ``GO`` in its start, and says that it does."""

    blocks: ClassVar[object] = 20.0
    FORGETS: ClassVar[bool] = False

    def start(self, order: WorkOrder, host: Host) -> None:
        """Wait, and finish unless it forgets."""
        self.THREADS.append(threading.current_thread())
        if not self.FORGETS:
            self._work(order, host)
