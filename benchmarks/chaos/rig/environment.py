"""An environment whose time is stepped, and which senses what was made in it."""

from __future__ import annotations

from collections.abc import Callable

from rig import PLAN, call

from treec import Effect, EnvironmentSetup

STEP = 0.05


class Rig:
    """What is made, and the orders at work: when each ends, and what to call then."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        call("open")
        self.setup = setup
        self.now = setup.time
        self.facts = {(e.fact, e.args): e.value for e in setup.facts}
        self.at_work: dict[str, tuple[float, Callable[[], None], Callable[[], None]]] = {}

    @property
    def busy(self) -> bool:
        """Whether an order is under way."""
        call("busy")
        return bool(self.at_work)

    def step(self, until: float) -> float:
        """Advance; stop where an order has ended."""
        call("step")
        if PLAN.get("frozen"):
            return self.now
        while self.now < until and self.at_work:
            self.now = min(until, self.now + STEP)
            for _, poll, _ in list(self.at_work.values()):
                poll()
            ended = [id for id, (due, _, _) in self.at_work.items() if due <= self.now + 1e-9]
            for id in ended:
                self.at_work.pop(id)[2]()
            if ended:
                return self.now
        self.now = max(self.now, until)
        return self.now

    def sense(self) -> tuple[Effect, ...]:
        """Every fact with a sensor, as it is."""
        call("sense")
        return tuple(
            Effect(sensor.fact, args, self.facts.get((sensor.fact, args)), "sensed")
            for sensor in self.setup.sensors
            for args in sensor.args
        )

    def notify(self, effects: tuple[Effect, ...]) -> None:
        """Be as others say."""
        call("notify")
        self.facts.update({(e.fact, e.args): e.value for e in effects})

    def is_at_rest(self, agent: str) -> bool:
        """Whether a robot moves no more."""
        call("is_at_rest", agent)
        return True

    def close(self) -> None:
        """Note it."""
        call("close")


def open_rig(setup: EnvironmentSetup) -> Rig:
    """The factory that the extension names; its world stands still while no run is open."""
    return Rig(setup)


open_rig.stands_still = True  # type: ignore[attr-defined]


def made(*args: object) -> None:
    """The sensor of a fact by its name: the rig senses all by itself."""
