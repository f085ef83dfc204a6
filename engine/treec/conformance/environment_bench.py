"""What an environment is tried on: one is opened and played, with every call noted."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any

from treec.conformance.bench import PATIENCE, JudgeEffect
from treec.conformance.places import place_of_definition, place_of_error
from treec.conformance.trial import CodePlace, Misbehaviour, NotTried
from treec.conformance.watch import PlayWatch
from treec.nodes.environment import EnvironmentSetup, Sensor
from treec.nodes.foreign import BadReport, check_effects
from treec.nodes.worker import Effect

OPENING = 120.0
"""Real seconds that opening may take."""

TURN = 1 / 60

METHODS = ("busy", "step", "sense", "notify", "close")

GENERIC_SETUP = EnvironmentSetup(
    name="trial",
    scene="trial",
    objects={"crate": {"type": "Item"}, "dock": {"type": "Place"}},
    agents={"R1": {"is": "Robot"}},
    facts=(Effect("at", ("crate",), "dock"),),
)
"""The setup for an environment that no library names: without sensors."""


@dataclass(frozen=True)
class EnvironmentCall:
    """A call of an environment: what it gave, or raised."""

    value: Any = None
    error: BaseException | None = None
    place: CodePlace | None = None
    seconds: float = 0.0


class EnvironmentPlay:
    """One environment on its way from opening to closing."""

    def __init__(self, bench: EnvironmentBench) -> None:
        self.bench = bench
        self.watch = PlayWatch(bench.patience)
        self.calls: dict[str, EnvironmentCall] = {}
        self.environment: Any = None
        self.current = ""

    def open(self, setup: EnvironmentSetup) -> bool:
        """Open it; whether that came off."""
        self.watch.patience = max(OPENING, self.bench.patience)
        call = self.call("opening it", lambda: self.bench.open(setup))
        self.watch.patience = self.bench.patience
        self.environment = call.value
        return call.error is None and call.value is not None

    def call(self, name: str, function: Callable[[], Any]) -> EnvironmentCall:
        """Make a call, and note it under a name."""
        self.current, began = name, time.perf_counter()
        try:
            value = function()
            noted = EnvironmentCall(value, seconds=time.perf_counter() - began)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            noted = EnvironmentCall(error=error, place=place_of_error(error))
        self.calls[name] = noted
        self.watch.beat()
        return noted

    def step(self, name: str, until: float) -> None:
        """Step once, noted under a name."""
        self.call(name, lambda: self.environment.step(until))

    def sense(self, name: str) -> None:
        """Sense once, noted under a name."""
        self.call(name, lambda: self.environment.sense())

    def notify(self, name: str, *effects: Effect) -> None:
        """Notify once, noted under a name."""
        self.call(name, lambda: self.environment.notify(effects))

    def close(self) -> None:
        """Close it, if it is open."""
        if "close()" in self.calls:
            return
        if self.environment is not None and callable(getattr(self.environment, "close", None)):
            self.call("close()", lambda: self.environment.close())


@dataclass
class EnvironmentBench:
    """A factory of environments and a setup; ``plain`` is the play that most trials look at."""

    open: Callable[[EnvironmentSetup], Any]
    setup: EnvironmentSetup = GENERIC_SETUP
    patience: float = PATIENCE
    judge: JudgeEffect | None = None
    watches: list[PlayWatch] = field(default_factory=list)

    def play(
        self,
        script: Callable[[EnvironmentPlay], None],
        setup: EnvironmentSetup | None = None,
    ) -> EnvironmentPlay:
        """Open an environment and make a play with it."""
        play = EnvironmentPlay(self)

        def run() -> None:
            if play.open(setup or self.setup):
                try:
                    script(play)
                finally:
                    play.close()

        play.watch.run(run)
        self.watches.append(play.watch)
        return play

    @cached_property
    def plain(self) -> EnvironmentPlay:
        """Opened, sensed, stepped, told things, and closed twice."""
        now = self.setup.time

        def script(play: EnvironmentPlay) -> None:
            environment = play.environment
            if missing_methods(environment):
                return
            play.call("busy", lambda: environment.busy)
            play.sense("sense() at first")
            play.sense("sense() again")
            play.step("step() to now", now)
            for number in range(1, 11):
                play.step(f"step() {number}", now + number * TURN)
            play.step("step() of a second", now + 1.0)
            play.step("step() of ten", now + 10.0)
            play.sense("sense() later")
            play.step("step() back", now)
            if callable(getattr(environment, "is_at_rest", None)):
                for agent in (*self.setup.agents, "nobody 7"):
                    play.call(f"is_at_rest({agent})", partial(environment.is_at_rest, agent))
            play.notify("notify() of nothing")
            play.notify("notify() of an unknown fact", Effect("colour 7", ("R1",), "red"))
            play.notify("notify() of an unknown thing", Effect("at", ("no such thing 7",), "dock"))
            for effect in self.setup.facts[:20]:
                gone = replace(effect, value=None, source="unknown")
                play.notify(f"notify() that {effect.fact} is unknown", gone)
                play.notify(f"notify() of {effect.fact}", effect)
            play.sense("sense() at last")
            play.step("step() at last", now + 11.0)
            play.close()
            play.call("close() again", lambda: environment.close())

        return self.play(script)

    def healthy(self) -> EnvironmentPlay:
        """The plain play. Raises NotTried where it was not opened or held."""
        play = self.plain
        if play.watch.is_held or play.environment is None or missing_methods(play.environment):
            raise NotTried("the environment was not played to its end")
        return play

    def wrong(self, method: str, what: str) -> Misbehaviour:
        """A finding at a method of the environment."""
        environment = self.plain.environment
        return Misbehaviour(what, place_of_definition(type(environment), method))

    def require_value(self, name: str) -> Any:
        """What a call gave. Raises NotTried where it raised or was not made."""
        call = self.healthy().calls.get(name)
        if call is None or call.error is not None:
            raise NotTried(f"{name} gave nothing")
        return call.value

    def effects(self, name: str) -> tuple[Effect, ...]:
        """The effects that `sense` gave. Raises NotTried where they have not their form."""
        try:
            return check_effects(self.require_value(name), "sense()")
        except BadReport:
            raise NotTried(f"{name} gave no effects") from None

    @property
    def sensed_facts(self) -> Mapping[tuple[str, tuple[str, ...]], Sensor]:
        """The facts that it has a sensor for."""
        return {(s.fact, args): s for s in self.setup.sensors for args in s.args}


def missing_methods(environment: Any) -> list[str]:
    """The methods that an environment lacks."""
    return [name for name in METHODS if not hasattr(environment, name)]
