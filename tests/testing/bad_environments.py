"""An environment that passes all trials, and for each trial some that do not."""

from __future__ import annotations

import itertools
import math
import random
import threading
from collections.abc import Callable
from typing import Any, ClassVar

from treec import Effect, EnvironmentSetup, Sensor

DT = 0.25
SETUP = EnvironmentSetup(
    name="depot",
    scene="depot",
    objects={"crate": {"type": "Item"}, "dock": {"type": "Place"}},
    agents={"R1": {"is": "Robot"}},
    sensors=(
        Sensor("at", "depot:at", (("crate",),), ("dock", "shelf")),
        Sensor("sealed", "depot:sealed", (("crate",),)),
    ),
    facts=(Effect("at", ("crate",), "dock"), Effect("sealed", ("crate",), True)),
)


class Good:
    """Things are where they are said to be; the crate is found anew by the seed."""

    def __init__(self, setup: EnvironmentSetup) -> None:
        self.setup = setup
        self.now = setup.time
        self.facts: dict[tuple[str, tuple[str, ...]], Any] = {
            (effect.fact, effect.args): effect.value for effect in setup.facts
        }
        places = ("dock", "shelf")
        self.facts["at", ("crate",)] = random.Random(setup.seed).choice(places)
        self.is_open = True

    @property
    def busy(self) -> Any:
        return False

    def step(self, until: float) -> Any:
        self.now = max(self.now, until)
        return self.now

    def sense(self) -> Any:
        return tuple(
            Effect(sensor.fact, args, self.facts.get((sensor.fact, args)), "sensed")
            for sensor in self.setup.sensors
            for args in sensor.args
        )

    def notify(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if (effect.fact, effect.args) in self.facts:
                self.facts[effect.fact, effect.args] = effect.value

    def is_at_rest(self, agent: str) -> Any:
        return True

    def close(self) -> None:
        self.is_open = False


def cannot_open(setup: EnvironmentSetup) -> Any:
    raise OSError("no such device")


class NoNotify:
    def __init__(self, setup: EnvironmentSetup) -> None: ...
    def step(self, until: float) -> float:
        return until

    def sense(self) -> tuple[Effect, ...]:
        return ()

    def close(self) -> None: ...


class SenseRaises(Good):
    def sense(self) -> Any:
        raise RuntimeError("boom")


class BusyIsAMethod(Good):
    def busy(self) -> bool:  # type: ignore[override]
        return False


class AlwaysBusy(Good):
    @property
    def busy(self) -> Any:
        return True


class StepGivesNone(Good):
    def step(self, until: float) -> Any:
        super().step(until)


class StepsTooFar(Good):
    def step(self, until: float) -> Any:
        return math.ceil(until / DT) * DT


class StepsTooShort(Good):
    def step(self, until: float) -> Any:
        return math.floor(until / DT) * DT


class AssertsTime(Good):
    def step(self, until: float) -> Any:
        assert until >= self.now
        return super().step(until)


class SensesNan(Good):
    def sense(self) -> Any:
        return (*super().sense(), Effect("speed", ("R1",), math.nan, "sensed"))


class LeavesOut(Good):
    def sense(self) -> Any:
        return super().sense()[:1]


class LeavesOutLater(Good):
    def sense(self) -> Any:
        return super().sense()[: 1 if self.now > 2 else 2]


class SensesMore(Good):
    def sense(self) -> Any:
        return (*super().sense(), Effect("at", ("R1",), "dock", "sensed"))


class SensesTwice(Good):
    def sense(self) -> Any:
        return (*super().sense(), *super().sense())


class SensesNoPlace(Good):
    def sense(self) -> Any:
        return (Effect("at", ("crate",), "the moon", "sensed"), *super().sense()[1:])


class Expects(Good):
    def sense(self) -> Any:
        return tuple(Effect(e.fact, e.args, e.value) for e in super().sense())


class Flickers(Good):
    NUMBERS: ClassVar[Any] = itertools.count()

    def sense(self) -> Any:
        self.facts["at", ("crate",)] = ("dock", "shelf")[next(self.NUMBERS) % 2]
        return super().sense()


class IsNew(Good):
    NUMBERS: ClassVar[Any] = itertools.count()

    def __init__(self, setup: EnvironmentSetup) -> None:
        super().__init__(setup)
        self.facts["at", ("crate",)] = ("dock", "shelf")[next(self.NUMBERS) % 2]


class SmallSeeds(Good):
    def __init__(self, setup: EnvironmentSetup) -> None:
        super().__init__(setup)
        if setup.seed > 2**32:
            raise ValueError("the seed is too large")


class Shared(Good):
    FACTS: ClassVar[dict[tuple[str, tuple[str, ...]], Any]] = {}

    def __init__(self, setup: EnvironmentSetup) -> None:
        super().__init__(setup)
        self.FACTS.update(self.facts)
        self.facts = self.FACTS


class NotifyRaises(Good):
    def notify(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            if effect.value is None:
                raise ValueError("no value")


class KnowsAll(Good):
    def notify(self, effects: tuple[Effect, ...]) -> None:
        for effect in effects:
            self.facts[effect.fact, effect.args]


class RestsOfKnown(Good):
    def is_at_rest(self, agent: str) -> Any:
        return bool(self.setup.agents[agent])


class RestIsNone(Good):
    def is_at_rest(self, agent: str) -> Any:
        return None


class ClosesOnce(Good):
    def close(self) -> None:
        assert self.is_open
        super().close()


class LeavesAThread(Good):
    def __init__(self, setup: EnvironmentSetup) -> None:
        super().__init__(setup)
        threading.Thread(target=threading.Event().wait, daemon=True, name="camera").start()


BAD: dict[str, tuple[Callable[[EnvironmentSetup], Any], ...]] = {
    "E01": (
        cannot_open,
        NoNotify,
        SenseRaises,
        BusyIsAMethod,
        AlwaysBusy,
        StepGivesNone,
        SmallSeeds,
        NotifyRaises,
        KnowsAll,
        RestsOfKnown,
        RestIsNone,
        ClosesOnce,
    ),
    "E02": (StepsTooFar, StepsTooShort, AssertsTime),
    "E03": (
        SensesNan,
        LeavesOut,
        LeavesOutLater,
        SensesMore,
        SensesTwice,
        SensesNoPlace,
        Expects,
        Flickers,
        IsNew,
    ),
    "E04": (Shared, LeavesAThread),
}
"""By the ids of the trials that find them."""
