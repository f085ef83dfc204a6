"""Injects faults into a run: those that are due at a time, and those that somebody posts.

All go through the inbox and into the journal, as what they are: a record of `injected` with what
has changed at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from treec.ask.model_fault import ModelFault
from treec.files.view import View
from treec.nodes.faults import FaultPlan
from treec.run.events import Injected
from treec.run.injections import BACK, Injection, InvalidInjection, read_injection
from treec.run.scenario_events import fact_event
from treec.team.events import AgentInterrupted, AgentResumed
from treec.world.events import Commit, Event, EventRefused, FactUnknown, flat
from treec.world.inbox import InboxMessage
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.run.run import Run

SOURCE = "injected"
"""The source of its messages, and who injects what was asked for when the run began."""


class NoSuchTarget(Exception):
    """A fault of something that this run has not; the text says what."""


class Injector:
    """Injects faults into a run, from its beginning on."""

    def __init__(self, run: Run, planned: Sequence[Injection]) -> None:
        """``planned`` are due at their times."""
        self._run = run
        self._planned = planned
        self._begun = False

    def post(self, injection: Injection, by: str) -> None:
        """Inject a fault now, from any thread; ``by`` is who does."""
        self._run.inbox.post(SOURCE, (injection, by))

    def begin(self) -> None:
        """Post what is due, and set timers for the rest; called before each tick, works once."""
        if self._begun:
            return
        self._begun = True
        clock = self._run.clock
        for one in self._planned:
            if one.at <= clock.now():
                self.inject(one, SOURCE)
            else:
                clock.call_at(one.at, partial(self.post, one, SOURCE))

    def take(self, message: InboxMessage) -> None:
        """Inject a fault; the loop's message handler."""
        self.inject(*cast(tuple[Injection, str], message.payload))

    def catch_up(self, records: Sequence[Record]) -> None:
        """Leave out what was injected before a resumed run was cut off."""
        done = [one.fault for one in _injected(records, by=SOURCE)]
        left = []
        for one in self._planned:
            if one.text in done:
                done.remove(one.text)
            else:
                left.append(one)
        self._planned = left
        for event in _injected(records):
            word, _, name = event.fault.partition(" ")
            if word == "model" and not event.problem and self._run.model_faults is not None:
                self._set_model(name)

    def inject(self, injection: Injection, by: str) -> None:
        """Inject a fault now; in the loop's thread."""
        world = self._run.world
        try:
            events = self._bring_about(injection)
            world.emit(Commit("injection", (Injected(injection.text), *events)), by)
        except (EventRefused, NoSuchTarget) as error:
            world.emit(Injected(injection.text, str(error)), by)

    def _bring_about(self, injection: Injection) -> list[Event]:
        """Do what is no event, and return the events. Raises NoSuchTarget."""
        run, name = self._run, injection.name
        match injection.word:
            case "fail":
                assert injection.fault is not None
                run.runtime.faults.add(injection.fault)
            case "set":
                return [fact_event(text, run.scope) for text in injection.facts]
            case "unknown":
                facts = [fact_event(text, run.scope) for text in injection.facts]
                return [FactUnknown(one.fact, one.args) for one in facts]
            case "out":
                return [AgentInterrupted(name, SOURCE)]
            case "back":
                return [AgentResumed(name)]
            case "model":
                self._set_model(name)
            case "lose":
                environment = run.runtime.environments.find_open(name)
                if environment is None:
                    raise NoSuchTarget(f"the environment '{name}' is not open")
                environment.lose(InjectedLoss(SOURCE))
        return []

    def _set_model(self, name: str) -> None:
        transport = self._run.model_faults
        if transport is None:
            raise NoSuchTarget("no model is asked in this run")
        transport.fault = None if name == BACK else ModelFault(name)


class InjectedLoss(Exception):
    """Why an environment is lost that somebody has taken away."""


def plan_injected(plan: FaultPlan, event: Event, view: View) -> None:
    """Plan the failures of skills that an event of a resumed run has injected."""
    if isinstance(event, Injected) and not event.problem:
        try:
            fault = read_injection(event.fault, view).fault
        except InvalidInjection:  # of something that the files have no longer
            return
        if fault is not None:
            plan.add(fault)


def _injected(records: Sequence[Record], by: str | None = None) -> list[Injected]:
    return [
        event
        for record in records
        for event in flat(record.event)
        if isinstance(event, Injected) and by in (None, record.by)
    ]
