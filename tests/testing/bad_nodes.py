"""A node class that passes all trials, and for each trial some that do not."""

from __future__ import annotations

import math
import sys
import threading
from itertools import count
from typing import Any, ClassVar

from py_trees.behaviour import Behaviour
from py_trees.common import Status

from treec import ExternalWork, NodePorts, Timer


class Good(Behaviour):
    """Waits, and says how long that was; ticked every period."""

    ports: ClassVar[Any] = {"seconds": "in number", "what": "in text", "waited": "out number"}

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self.io = ports

    def initialise(self) -> None:
        self.began = self.io.clock.now()

    def update(self) -> Any:
        seconds, what = self.io.get("seconds"), self.io.get("what")
        if not isinstance(seconds, int | float) or not math.isfinite(seconds):
            return Status.FAILURE
        if not isinstance(what, str):
            return Status.FAILURE
        waited = self.io.clock.now() - self.began
        if waited < seconds:
            return Status.RUNNING
        return self.end(waited)

    def end(self, waited: float) -> Any:
        self.io.set("waited", waited)
        return Status.SUCCESS


class GoodTimer(Behaviour):
    """Wakes itself by a timer."""

    ports: ClassVar[dict[str, str]] = {}
    wakes_itself: ClassVar[bool] = True

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self.io = ports
        self.timer: Timer | None = None

    def initialise(self) -> None:
        self.is_over = False
        self.timer = self.io.clock.call_at(self.io.clock.now() + 2, self.end)

    def end(self) -> None:
        self.is_over = True
        self.io.wake()

    def update(self) -> Any:
        return Status.SUCCESS if self.is_over else Status.RUNNING

    def terminate(self, new_status: Status) -> None:
        if self.timer is not None:
            self.timer.cancel()


class GoodThread(Behaviour):
    """Asks in a thread that it announces."""

    ports: ClassVar[dict[str, str]] = {"weight": "out number"}
    wakes_itself: ClassVar[bool] = True

    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name)
        self.io = ports
        self.work: ExternalWork | None = None

    def initialise(self) -> None:
        work = self.work = self.io.begin_external("the scale")

        def ask() -> None:
            with work:
                self.weigh(work)

        threading.Thread(target=ask, daemon=True).start()

    def weigh(self, work: ExternalWork) -> None:
        work.post(1.5)

    def update(self) -> Any:
        assert self.work is not None
        if not self.work.is_done:
            return Status.RUNNING
        for value in self.work.take():
            self.io.set("weight", value)
        return Status.SUCCESS

    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID and self.work is not None:
            self.work.cancel()


class NoPorts(Behaviour):
    ports: ClassVar[dict[str, str]] = {}

    def __init__(self, name: str) -> None:
        super().__init__(name)


class OwnName(Good):
    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__("waits", ports)


class BadPorts(Good):
    ports: ClassVar[Any] = {"seconds": "number"}


class SetupRaises(Good):
    def setup(self, **kwargs: Any) -> None:
        raise OSError("no scale")


class UpdateRaises(Good):
    def end(self, waited: float) -> Any:
        raise RuntimeError("boom")


class TimerRaises(GoodTimer):
    def end(self) -> None:
        raise RuntimeError("boom")


class ThreadRaises(GoodThread):
    def weigh(self, work: ExternalWork) -> None:
        raise RuntimeError("boom")


class Exits(Good):
    def end(self, waited: float) -> Any:
        sys.exit()


class GivesNone(Good):
    def end(self, waited: float) -> Any:
        self.io.set("waited", waited)


class FallsAsleep(GoodTimer):
    def initialise(self) -> None:
        self.is_over = False


class HaltRaises(GoodTimer):
    def terminate(self, new_status: Status) -> None:
        if new_status is Status.INVALID and self.timer is not None:
            raise RuntimeError("boom")


class KeepsItsTimer(GoodTimer):
    def terminate(self, new_status: Status) -> None:
        pass


class HaltNeedsATick(GoodTimer):
    def terminate(self, new_status: Status) -> None:
        assert self.timer is not None
        super().terminate(new_status)


class CountsOn(Good):
    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name, ports)
        self.rounds = 0

    def end(self, waited: float) -> Any:
        self.rounds += 1
        return super().end(waited + self.rounds)


class KeepsItsStart(Good):
    def __init__(self, name: str, ports: NodePorts) -> None:
        super().__init__(name, ports)
        self.began = ports.clock.now()

    def initialise(self) -> None:
        pass


class Shares(Good):
    ACTIVE: ClassVar[list[str]] = []

    def initialise(self) -> None:
        super().initialise()
        type(self).ACTIVE.append(self.name)

    def update(self) -> Any:
        return super().update() if len(type(self).ACTIVE) == 1 else Status.FAILURE

    def terminate(self, new_status: Status) -> None:
        type(self).ACTIVE.clear()


class Varies(Good):
    NUMBERS: ClassVar[Any] = count()

    def end(self, waited: float) -> Any:
        return super().end(waited + next(type(self).NUMBERS))


class WritesNan(Good):
    def end(self, waited: float) -> Any:
        return super().end(math.nan)


class WritesText(Good):
    def end(self, waited: float) -> Any:
        return super().end(str(waited))  # type: ignore[arg-type]


class WritesNothing(Good):
    def end(self, waited: float) -> Any:
        return Status.SUCCESS


class NeedsSeconds(Good):
    def initialise(self) -> None:
        super().initialise()
        if self.io.get("seconds") is None:
            raise ValueError("seconds is none")


BAD: dict[str, tuple[type[Any], ...]] = {
    "N01": (
        NoPorts,
        OwnName,
        BadPorts,
        SetupRaises,
        UpdateRaises,
        TimerRaises,
        ThreadRaises,
        Exits,
        GivesNone,
        WritesText,
        WritesNan,
        WritesNothing,
        NeedsSeconds,
    ),
    "N02": (FallsAsleep,),
    "N03": (HaltRaises, KeepsItsTimer, HaltNeedsATick),
    "N04": (CountsOn, KeepsItsStart, Shares, Varies),
}
"""By the ids of the trials that find them."""
