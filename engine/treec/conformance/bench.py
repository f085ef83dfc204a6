"""What a worker is tried on: an order from the files of a library, or one given by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from treec.conformance.stage import Actor, RaisedAt, Stage
from treec.conformance.trial import CodePlace, Misbehaviour, NotTried
from treec.conformance.watch import PlayWatch
from treec.nodes.environment import Environment
from treec.nodes.worker import Effect, FaultHit, WorkOrder

PATIENCE = 5.0
"""Real seconds after which a call that has not returned is held."""

AT_ONCE = 1.0
"""Real seconds in which a call returns at once."""

LONGEST = 600.0
"""Simulated seconds that an order may take at least; more if it says so."""

JudgeEffect = Callable[[Effect], str]
"""Why an effect is not on a fact of the domain, or its value not of the fact's type; or nothing."""


def accept_any(effect: Effect) -> str:
    """No domain is known: nothing is wrong with an effect."""
    del effect
    return ""


@dataclass(frozen=True)
class ArgumentKinds:
    """The names of an order's arguments by what they are."""

    numbers: tuple[str, ...] = ()
    things: tuple[str, ...] = ()


@dataclass
class WorkerBench:
    """A worker class, an order for it, and the plays that its trials look at."""

    make: Callable[[], Any]
    order: WorkOrder
    kinds: ArgumentKinds = ArgumentKinds()
    open: Callable[[], Environment | None] = lambda: None
    judge: JudgeEffect = accept_any
    has_environment: bool = False
    patience: float = PATIENCE
    at_once: float = AT_ONCE
    _faults: dict[float, Stage] = field(default_factory=dict)

    @property
    def limit(self) -> float:
        """The simulated time by which an order has ended."""
        return max(LONGEST, 10 * self.order.takes)

    def play(self, script: Callable[[Stage], None]) -> Stage:
        """Make one play."""
        stage = Stage(self.make, self.open, PlayWatch(self.patience))
        stage.run(script)
        return stage

    def play_order(self, order: WorkOrder) -> Stage:
        """Play an order to its end, and a while on."""

        def script(stage: Stage) -> None:
            actor = stage.actor(order)
            actor.start()
            stage.play_until(lambda: actor.is_over, self.limit)
            stage.go_on(2 * order.takes + 1)

        return self.play(script)

    @cached_property
    def plain(self) -> Stage:
        """The order played to its end; a trial of one thing only."""
        return self.play_order(self.order)

    @cached_property
    def again(self) -> Stage:
        """The same once more."""
        return self.play_order(self.order)

    def faulty(self, at: float) -> Stage:
        """The order with a planned fault."""
        if at not in self._faults:
            fault = FaultHit("slipped", at)
            self._faults[at] = self.play_order(replace(self.order, fault=fault))
        return self._faults[at]

    @cached_property
    def stopped(self) -> Stage:
        """The order cancelled halfway, twice, and a while on."""

        def script(stage: Stage) -> None:
            actor = stage.actor(self.order)
            actor.start()
            stage.play_until(lambda: actor.is_over, self.half)
            if actor.is_over:
                return
            actor.cancel()
            stage.go_on(2 * self.order.takes + 1)
            actor.cancel()

        self.healthy()
        return self.play(script)

    @cached_property
    def half(self) -> float:
        """The time at which half of the order is done."""
        finishes = self.healthy().finishes
        return finishes[0].at / 2

    def healthy(self) -> Actor:
        """The actor of the plain play. Raises NotTried where that went wrong already."""
        stage = self.plain
        if stage.watch.is_held or not stage.actors:
            raise NotTried("the order was not played to its end")
        (actor,) = stage.actors
        if actor.raised or len(actor.finishes) < 1:
            raise NotTried("the order was not played to its end")
        return actor


def only(stage: Stage) -> Actor:
    """The one actor of a play. Raises NotTried when there is none or it is held."""
    if stage.watch.is_held:
        raise NotTried("the play was held")
    if not stage.actors:
        raise NotTried("it could not be made")
    return stage.actors[0]


def require_quiet(actor: Actor) -> None:
    """Raise Misbehaviour for the first exception of an actor."""
    if actor.raised:
        raise misbehaviour_of(actor.raised[0])


def misbehaviour_of(raised: RaisedAt) -> Misbehaviour:
    """The finding for an exception."""
    return Misbehaviour(f"{raised.call} raised {_without_place(raised)}", raised.place)


def _without_place(raised: RaisedAt) -> str:
    return f"{type(raised.error).__name__}: {raised.error}".removesuffix(": ")


def require_released(stage: Stage, call: str) -> None:
    """Raise Misbehaviour for a play that was held in a call."""
    if stage.watch.is_held and stage.call == call:
        raise held(stage)


def held(stage: Stage) -> Misbehaviour:
    """The finding for a play that did not come back."""
    seconds = stage.watch.patience
    return Misbehaviour(f"{stage.call} has not returned after {seconds:g} s", stage.watch.held)


def first_place(places: list[CodePlace | None]) -> CodePlace | None:
    """The first known place."""
    return next((place for place in places if place is not None), None)
