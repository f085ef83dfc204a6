"""Lets the faults of a run happen: those of its scenario and of its spec, and those somebody posts.

What was not there from the beginning of a scenario goes into the journal as what it is: a record of
`injected` with what has changed at once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, cast

from treec.ask.model_fault import ModelFault
from treec.files.view import View
from treec.nodes.faults import FaultPlan
from treec.program.effects import ground, parse_effect
from treec.program.faults import SKILL_FAULTS, Fault, read_fault
from treec.run.events import Injected
from treec.run.mocks import InvalidMock, mocks_with, swap_mocks
from treec.run.users import evaluate_or_none
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.team.events import AgentInterrupted, AgentResumed
from treec.world.events import (
    Commit,
    Event,
    EventRefused,
    FactForget,
    FactSet,
    FactUnknown,
)
from treec.world.history import events_of
from treec.world.inbox import InboxMessage
from treec.world.journal import Record

if TYPE_CHECKING:
    from treec.run.run import Run

SOURCE = "injected"
"""The source of its messages, and who injects what was asked for when the run began."""

SCENARIO = "scenario"
"""Who injects what a scenario lists."""

BACK = "back"
"""The state of a model that is well again."""


class NoSuchTarget(Exception):
    """A fault of something that this run has not; the text says what."""


@dataclass(eq=False)
class PlannedFault:
    """A fault that is to happen, and when it did; ``before`` is the one that it waits for."""

    fault: Fault
    by: str
    before: PlannedFault | None = None
    is_due: bool = False
    """Whether a timer for it is set."""
    happened: float | None = None

    @property
    def is_standing(self) -> bool:
        """Whether it is part of how the run is made, and nothing that happens in it."""
        word = self.fault.word
        is_made = word == "mock" or (word in SKILL_FAULTS and self.by == SCENARIO)
        return self.fault.is_standing and is_made


def plan(faults: Sequence[Fault], by: str) -> list[PlannedFault]:
    """Plan the faults of a list, each that says `then` after the one before it."""
    planned: list[PlannedFault] = []
    for fault in faults:
        before = planned[-1] if fault.then and planned else None
        planned.append(PlannedFault(fault, by, before))
    return planned


class Injector:
    """Lets faults happen in a run, from its beginning on."""

    def __init__(self, run: Run, planned: Sequence[PlannedFault]) -> None:
        self._run = run
        self._planned = [one for one in planned if not one.is_standing]
        self._has_begun = False
        start = run.records[0].t if run.records else run.clock.now()
        for one in planned:
            if one.is_standing:
                one.happened = start

    def post(self, fault: Fault, by: str) -> None:
        """Let a fault happen now, from any thread; ``by`` is who injects it."""
        self._post(PlannedFault(fault, by))

    def _post(self, planned: PlannedFault) -> None:
        self._run.inbox.post(SOURCE, planned)

    def begin(self) -> None:
        """Inject what is due, and set timers for what has a time; called before each tick."""
        if self._has_begun:
            return
        self._has_begun = True
        clock = self._run.clock
        for one in sorted(self._planned, key=lambda one: one.fault.time):
            if one.happened is not None or one.fault.when is not None or one.before is not None:
                continue
            one.is_due = True
            if one.fault.time <= clock.now():
                self._inject(one)
            else:
                clock.call_at(one.fault.time, partial(self._post, one))

    def look(self) -> None:
        """Set the timers of faults whose conditions hold; called after each tick."""
        now = self._run.clock.now()
        for one in self._planned:
            if one.is_due or one.happened is not None:
                continue
            if one.before is not None and one.before.happened is None:
                continue
            condition = one.fault.when
            if condition is None:
                assert one.before is not None
                assert one.before.happened is not None
                since = one.before.happened
            elif evaluate_or_none(condition.text, self._run.scope):
                since = now
            else:
                continue
            one.is_due = True
            due = max(now, since + one.fault.time)
            self._run.clock.call_at(due, partial(self._post, one))

    def take(self, message: InboxMessage) -> None:
        """Let a fault happen; the loop's message handler."""
        self._inject(cast(PlannedFault, message.payload))

    def inject(self, fault: Fault, by: str) -> None:
        """Let a fault happen now; in the loop's thread."""
        self._inject(PlannedFault(fault, by))

    def catch_up(self, records: Sequence[Record]) -> None:
        """Leave out what happened before a resumed run was cut off."""
        left = list(self._planned)
        for record, fault in injected(records, self._run.view):
            for one in left:
                if (one.fault.text, one.by) == (fault.text, record.by):
                    one.happened = record.t
                    left.remove(one)
                    break
            if fault.word == "model" and self._run.model_faults is not None:
                self._set_model(fault.name)

    def _inject(self, one: PlannedFault) -> None:
        world = self._run.world
        one.happened = self._run.clock.now()
        try:
            events = self._bring_about(one.fault)
            world.emit(Commit("injection", (Injected(one.fault.text), *events)), one.by)
        except (EventRefused, NoSuchTarget, InvalidMock) as error:
            world.emit(Injected(one.fault.text, str(error)), one.by)

    def _bring_about(self, fault: Fault) -> list[Event]:
        """Do what is no event, and return the events. Raises NoSuchTarget and InvalidMock."""
        run, name = self._run, fault.name
        match fault.word:
            case "fail" | "take":
                run.runtime.faults.add(fault)
            case "set":
                return [_fact_event(fact.text, run.scope) for fact in fault.facts]
            case "unknown":
                facts = [_fact_event(fact.text, run.scope) for fact in fault.facts]
                return [FactUnknown(one.fact, one.args) for one in facts]
            case "out":
                return [AgentInterrupted(name, fault.reason or None)]
            case "back" if name in run.view.agents:
                return [AgentResumed(name)]
            case "back" if run.view.find("skill", name) is not None:
                run.runtime.faults.drop(name)
            case "back":
                if not run.runtime.environments.reopen(name):
                    raise NoSuchTarget(f"the environment '{name}' is not lost")
            case "model":
                self._set_model(name)
            case "lose":
                environment = run.runtime.environments.find_open(name)
                if environment is None:
                    raise NoSuchTarget(f"the environment '{name}' is not open")
                environment.lose(InjectedLoss(fault.reason or SOURCE))
            case "mock" | "unmock":
                swap_mocks(run, mocks_with(run.mocks, fault))
        return []

    def _set_model(self, name: str) -> None:
        transport = self._run.model_faults
        if transport is None:
            raise NoSuchTarget("no model is asked in this run")
        transport.fault = None if name == BACK else ModelFault(name)


class InjectedLoss(Exception):
    """Why an environment is lost that somebody has taken away."""


def plan_injected(plan: FaultPlan, record: Record, view: View) -> None:
    """Plan, or take back, the failures of skills that a record of a resumed run has injected."""
    for _, fault in injected([record], view):
        if fault.word in SKILL_FAULTS:
            plan.add(fault)
        elif fault.word == "back":
            plan.drop(fault.name)


def injected(records: Sequence[Record], view: View) -> Iterator[tuple[Record, Fault]]:
    """The faults that happened in a run, each with its record."""
    for record, event in events_of(records, Injected):
        if not event.problem:
            try:
                yield record, read_fault(event.fault, view)
            except LocatedError:  # of something that the files have no longer
                continue


def _fact_event(text: str, scope: Scope) -> FactSet | FactForget:
    """The event that sets or removes a fact, written as an effect: `at(tin) == table`."""

    def evaluate(part: str) -> object:
        return Expression.parse(part).evaluate(scope)

    fact, args, value = ground(parse_effect(text), evaluate)
    if value is None:
        return FactForget(fact, tuple(args))
    return FactSet(fact, tuple(args), value, "sensed")
