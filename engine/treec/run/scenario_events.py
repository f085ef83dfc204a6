"""Scripted events of a scenario: agents that drop out and return, things that are moved."""

from __future__ import annotations

from collections.abc import Sequence

from treec.files.systems import ScenarioEvent
from treec.program.effects import ground, parse_effect
from treec.run.users import evaluate_or_none
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.team.events import AgentInterrupted, AgentResumed
from treec.world.clock import Clock
from treec.world.events import Commit, Event, FactForget, FactSet
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import Record
from treec.world.world import World

SOURCE = "scenario"


class ScenarioEvents:
    """Plays the scripted events of a scenario in order."""

    def __init__(
        self,
        source: str,
        steps: Sequence[ScenarioEvent],
        world: World,
        scope: Scope,
        clock: Clock,
        inbox: Inbox,
    ) -> None:
        """``source`` is who brings them about: in the inbox and in the journal."""
        self.source = source
        self.steps = steps
        self.world = world
        self.scope = scope
        self.clock = clock
        self.inbox = inbox
        self._next = 0
        self._waiting = False
        self._since = clock.now()  # when the last event was, or the run began

    @property
    def over(self) -> bool:
        """Whether all events have been played."""
        return self._next >= len(self.steps)

    def look(self) -> None:
        """Start the timer of the next event once its condition holds; called after each tick."""
        if self._waiting or self.over:
            return
        step = self.steps[self._next]
        if step.when is None or evaluate_or_none(step.when, self.scope):
            self._waiting = True
            now = self.clock.now()
            since = self._since if step.when is None else now
            self.clock.call_at(max(now, since + step.after), lambda: self._post(step))

    def _post(self, step: ScenarioEvent) -> None:
        self.inbox.post(self.source, step)

    def take(self, message: InboxMessage) -> None:
        """Emit the event of a step; the loop's message handler."""
        step = message.payload
        assert isinstance(step, ScenarioEvent)
        self._waiting = False
        self._since = self.clock.now()
        self._next += 1
        reason = step.reason or None
        events: list[Event] = []
        if step.out is not None:
            events.append(AgentInterrupted(step.out, reason))
        if step.back is not None:
            events.append(AgentResumed(step.back))
        events += [fact_event(text, self.scope) for text in step.facts]
        self.world.emit(Commit("scenario", tuple(events), reason=reason), self.source)

    def catch_up(self, records: Sequence[Record]) -> None:
        """Skip events that happened before a resumed run was cut off."""
        played = [record.t for record in records if record.by == self.source]
        self._next = len(played)
        self._since = played[-1] if played else records[0].t


def fact_event(text: str, scope: Scope) -> FactSet | FactForget:
    """The event that sets or removes a fact, written as an effect: `at(tin) == table`."""

    def evaluate(part: str) -> object:
        return Expression.parse(part).evaluate(scope)

    fact, args, value = ground(parse_effect(text), evaluate)
    if value is None:
        return FactForget(fact, tuple(args))
    return FactSet(fact, tuple(args), value, "sensed")
