"""An environment small enough to be read: things are somewhere, arms carry them, time has a grid.

What it makes of an order is its own affair: ``PLANS`` says how long a skill takes there, and what
is so when it has ended.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from tests.support import extensions
from treec.nodes.environment import Environment, EnvironmentSetup
from treec.nodes.worker import Effect, Host, Outcome, WorkOrder
from treec.world.failures import Reported

GRID = 0.25


class SmallWorld:
    """Where each thing is; ``told`` are the names of what was called, in order."""

    made: ClassVar[list[SmallWorld]] = []

    def __init__(self, setup: EnvironmentSetup) -> None:
        self.setup = setup
        self.facts = {(e.fact, e.args): e.value for e in setup.facts}
        self.steps = round(setup.time / GRID)
        self.at_work: dict[str, Callable[[], bool]] = {}
        self.heard: list[tuple[Effect, ...]] = []
        self.closed = False
        self.made.append(self)

    @property
    def busy(self) -> bool:
        """Whether an order is under way."""
        return bool(self.at_work)

    def step(self, until: float) -> float:
        """Step on the grid; stop where an order has ended."""
        while (self.steps + 1) * GRID <= until + 1e-9:
            self.steps += 1
            ended = [id for id, work in self.at_work.items() if work()]
            for id in ended:
                del self.at_work[id]
            if ended:
                return self.steps * GRID
        return until

    def sense(self) -> tuple[Effect, ...]:
        """Every fact with a sensor, as it is."""
        return tuple(
            Effect(sensor.fact, args, self.facts.get((sensor.fact, args)), "sensed")
            for sensor in self.setup.sensors
            for args in sensor.args
        )

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Be as others say."""
        self.heard.append(effects)
        self.facts.update({(e.fact, e.args): e.value for e in effects})

    def close(self) -> None:
        """Note it."""
        self.closed = True


def at(*args: object) -> None:
    """The sensor of a fact by its name: the small world senses all by itself."""


near = holding = at


def open_small(setup: EnvironmentSetup) -> Environment:
    """The factory that the entry point names."""
    return SmallWorld(setup)


def open_broken(setup: EnvironmentSetup) -> Environment:
    """A factory that cannot."""
    raise OSError("no such device")


class Works:
    """Does in 1 s what a skill's file promises."""

    takes = 1.0
    unless = ""

    def start(self, order: WorkOrder, host: Host) -> None:
        """Begin to count steps."""
        assert isinstance(host.environment, SmallWorld)
        self.order, self.host, self.world = order, host, host.environment
        self.left = round(self.takes / GRID)
        self.world.at_work[order.id] = self.work

    def work(self) -> bool:
        """One step; whether it has ended."""
        self.left -= 1
        if self.left > 0:
            return False
        self.come_true()
        outcome = Outcome(True, effects=self.order.after, unless=self.unless)
        self.host.finish(self.order.id, outcome)
        return True

    def come_true(self) -> None:
        """Make all that is promised so."""
        for effect in self.order.after:
            self.world.facts[effect.fact, effect.args] = effect.value

    def cancel(self) -> Outcome:
        """Let go where it is."""
        self.world.at_work.pop(self.order.id, None)
        return Outcome(False, Reported("cancelled"), "small")


class Slips(Works):
    """Ends well and has brought nothing about; it knows what that is called."""

    unless = "slipped"

    def come_true(self) -> None:
        """Leave all as it is."""


class Drops(Works):
    """Drops what it takes, and does not notice."""

    def come_true(self) -> None:
        """Let the thing lie on the table."""
        self.world.facts["at", (str(self.order.args["item"]),)] = "table"


class Slow(Works):
    """Takes a minute."""

    takes = 60.0


BIG = "Provides-Extra: big\nRequires-Dist: not_there_at_all>=1; extra == 'big'\n"
"""What a package says of its extra `big`."""


def install(folder: Path, patch: pytest.MonkeyPatch, points: str, extras: str = "") -> None:
    """A package with environments, ``NAME = MODULE:FACTORY`` a line, as pip would install it."""
    environments = dict(line.split(" = ") for line in points.splitlines())
    extensions.install(folder, patch, "small", f"environments={environments!r}", metadata=extras)
