"""The trials of environments."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from treec.nodes.environment import EnvironmentSetup
from treec.nodes.foreign import check_effects, check_time
from treec.nodes.worker import Effect
from treec_testing.isolation import PATIENCE, PREPARING, checked, contain
from treec_testing.trial import ENVIRONMENT, Misbehaviour, NotApplicable, trial

GENERIC_SETUP = EnvironmentSetup(
    name="trial",
    scene="trial",
    objects={"crate": {"type": "Item"}, "dock": {"type": "Place"}},
    agents={"R1": {"is": "Robot"}},
    facts=(Effect("at", ("crate",), "dock"),),
)
"""The setup for an environment that no library names: without sensors."""

Values = dict[str, object]
"""Sensed values, by what they are of: at(crate)."""


@dataclass
class EnvironmentBench:
    """A factory of environments, and a setup. ``judge`` is as for workers."""

    code: Callable[[EnvironmentSetup], Any]
    setup: EnvironmentSetup = GENERIC_SETUP
    judge: Callable[[Effect], str] = lambda effect: ""

    @contextmanager
    def opened(self, **changes: Any) -> Iterator[Any]:
        """An open environment; it is closed twice afterwards."""
        setup = replace(self.setup, **changes)
        environment = contain("opening it", self.code, setup, patience=PREPARING, at_once=PREPARING)
        for name in ("busy", "step", "sense", "notify", "close"):
            if not contain(f"`{name}`", hasattr, environment, name):
                raise Misbehaviour(f"what it opens has no `{name}`")
        yield environment
        for call in ("close()", "close() again"):
            contain(call, environment.close, at_once=PATIENCE)

    def sense(self, environment: Any, when: str) -> Values:
        """What is sensed. Raises Misbehaviour unless that is of the sensors."""
        call, values = f"sense() {when}", dict[str, object]()
        sensors = {_shown(s.fact, args) for s in self.setup.sensors for args in s.args}
        for effect in checked(check_effects, contain(call, environment.sense), call):
            key, why = _shown(effect.fact, effect.args), ""
            if sensors and key not in sensors:
                why = "has no sensor"
            elif key in values:
                why = "is there twice"
            elif effect.source == "expected":
                why = "is 'expected', not 'sensed'"
            if why := why or (effect.value is not None and self.judge(effect)) or "":
                raise Misbehaviour(f"{call}: {key} {why}")
            values[key] = None if effect.source == "unknown" else effect.value
        given = {key.partition("(")[0] for key in values}
        for sensor in self.setup.sensors:
            if sensor.args and sensor.fact not in given:
                raise Misbehaviour(f"{call} leaves out all of '{sensor.fact}'")
        return values

    def steps(self, environment: Any) -> list[tuple[float, float]]:
        """The times that it is stepped to while nothing is in progress, and those it reached."""
        now, times = self.setup.time, []
        for until in (now, *(now + n / 60 for n in range(1, 11)), now + 1.0, now + 1.9, now + 2.7):
            call = f"step() to {until:g} s"
            value = contain(call, environment.step, until, at_once=PATIENCE)
            times.append((until, checked(check_time, value, call)))
        return times


@trial("E01", ENVIRONMENT)
def calls_raise_nothing(bench: EnvironmentBench) -> None:
    """It is opened with several seeds, stepped, sensed, told what others have done, and closed.

    No call waits: of a real robot `step` reads what has come, and returns. None raises, since an
    environment that raises is lost, with all that it does. `notify` passes over what is not its
    own, and takes "unknown" for a value; `busy` and `is_at_rest` are True or False::

        body = self.bodies.get(effect.args[0])
        if body is None or effect.value is None:
            continue
    """
    facts = bench.setup.facts[:20]
    effects = [*facts, *(replace(effect, value=None, source="unknown") for effect in facts)]
    effects += [Effect("colour 7", ("R1",), "red"), Effect("at", ("no such thing 7",), "dock")]
    for seed in (bench.setup.seed, 2**40):
        with bench.opened(seed=seed) as opened:
            busy = contain("`busy`", getattr, opened, "busy")
            if busy is not False:
                what = "a method: make it a property" if callable(busy) else repr(busy)
                raise Misbehaviour(f"`busy` is {what}, and no order has begun")
            bench.steps(opened)
            contain("sense()", opened.sense)
            for effect in effects:
                call = f"notify() of {_shown(effect.fact, effect.args)}"
                contain(call, opened.notify, (effect,))
            for agent in (*bench.setup.agents, "nobody 7") if hasattr(opened, "is_at_rest") else ():
                call = f"is_at_rest({agent})"
                rests = contain(call, opened.is_at_rest, agent)
                if not isinstance(rests, bool):
                    raise Misbehaviour(f"{call} gave {rests!r}, not a bool")


@trial("E02", ENVIRONMENT, "step")
def step_reaches_its_end(bench: EnvironmentBench) -> None:
    """It is stepped by less than its own step, by more, and to a time that has passed.

    `step` goes no further than `until`, since other robots wait for that time, and returns earlier
    only if one of its workers has just reported something. Of a time that has passed it returns
    the time that it has reached::

        while self.now + DT <= until + 1e-9:
            self._advance()
        return until
    """
    with bench.opened() as opened:
        for until, reached in bench.steps(opened):
            if abs(reached - until) > 1e-6:
                why = ", and nothing was in progress" if reached < until else ""
                raise Misbehaviour(f"step() to {until:g} s reached {reached:g} s{why}")
        contain("step() to a time that has passed", opened.step, bench.setup.time)


@trial("E03", ENVIRONMENT, "sense")
def every_sensor_senses(bench: EnvironmentBench) -> None:
    """It is sensed at once, again, later, and in a second one with the same seed.

    Each sensor senses something, once, with a value of its type, whether or not that has changed:
    what is left out stays as it was believed to be. Looking changes nothing, and the same seed
    gives the same world::

        for sensor in setup.sensors:
            for args in sensor.args:
                effects.append(Effect(sensor.fact, args, self.value(sensor.fact, args), "sensed"))
    """
    if not bench.setup.sensors:
        raise NotApplicable("the setup has no sensors")
    with bench.opened() as opened:
        first = bench.sense(opened, "at first")
        _require_same(first, bench.sense(opened, "again"), "sensed again at the same time")
        bench.steps(opened)
        for key in sorted(first.keys() - bench.sense(opened, "later").keys()):
            raise Misbehaviour(f"sense() later leaves out {key}, which was sensed before")
    with bench.opened() as opened:
        _require_same(first, bench.sense(opened, "at first"), "opened again with the same seed")


@trial("E04", ENVIRONMENT, "close")
def is_closed(bench: EnvironmentBench) -> None:
    """A second one is opened, told something and closed while the first is open; each twice.

    Each has a world of its own. `close` releases everything, ends its threads and waits for them;
    the second time nothing happens::

        def close(self) -> None:
            self._stop.set()
            self._thread.join(1.0)
    """
    others = set(threading.enumerate())
    with bench.opened() as opened:
        before = bench.sense(opened, "at first")
        with bench.opened() as other:
            for effect in bench.setup.facts[:20]:
                gone = replace(effect, value=None, source="unknown")
                contain("notify()", other.notify, (gone,))
            bench.steps(other)
        after = bench.sense(opened, "when another one was closed")
        _require_same(before, after, "when another one was notified")
    until = time.monotonic() + 1.0
    for thread in set(threading.enumerate()) - others:
        thread.join(max(0.0, until - time.monotonic()))
        if thread.is_alive():
            raise Misbehaviour(f"the thread '{thread.name}' is still alive after close()")


def _require_same(before: Values, after: Values, when: str) -> None:
    for key, value in after.items():
        if before.get(key) != value:
            raise Misbehaviour(f"{when}, {key} is {value!r}, and was {before.get(key)!r}")


def _shown(fact: str, args: tuple[str, ...]) -> str:
    return f"{fact}({', '.join(args)})"
