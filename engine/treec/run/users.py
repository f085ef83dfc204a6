"""The user of a run: a person at the keyboard, or the script of a scenario.

Both only post text to the inbox, which the loop handles.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from treec.files.systems import UserStep
from treec.nodes.observation import fingerprint
from treec.run.events import Ticked
from treec.source.errors import EvaluationError
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.team.events import Said, number_entries
from treec.world.clock import Clock
from treec.world.inbox import Inbox, InboxMessage
from treec.world.journal import Record
from treec.world.world import World

SOURCE = "user"


def hear(world: World, who: str) -> Callable[[InboxMessage], None]:
    """Make the loop's handler for what a person says."""

    def handler(message: InboxMessage) -> None:
        text = " ".join(str(message.payload).split())[:2000]
        if not text:
            return
        for event in number_entries(world.state, [Said(who, text)]):
            world.emit(event, who)

    return handler


def evaluate_or_none(text: str, scope: Scope) -> object:
    """Evaluate an expression of a scenario; None while it cannot be evaluated.

    It may refer to later parts of the run: `done('get crate')` before that subtask exists.
    """
    try:
        return Expression.parse(text).evaluate(scope)
    except EvaluationError:
        return None


@dataclass
class ScriptedUser:
    """Says the lines of a scenario.

    Steps with `when` are said in order, once each. Steps with `whenever` are standing answers, said
    each time their value changes; ordered steps that are due take precedence. The next line starts
    only after the last one has been said.
    """

    steps: Sequence[UserStep]
    scope: Scope
    clock: Clock
    inbox: Inbox
    who: str = SOURCE
    _next: int = 0
    _line: tuple[UserStep, float] | None = None  # begun and not said, and when it is due
    _seen: dict[int, str] = field(default_factory=dict)

    def look(self) -> None:
        """Start the line whose condition holds, if any; the loop calls this after each tick."""
        if self._line is None:
            self._choose(self.clock.now())
            self.take_up()

    def recall(self, records: Iterable[Record]) -> Iterator[Record]:
        """Yield the records of a run that is resumed, to be applied, and follow what was said.

        A line that was begun is due when it would have been said; :meth:`take_up` begins it again.
        """
        t = 0.0
        for record in records:
            if record.t > t:  # all had come to rest
                self._look_back(t)
            t = record.t
            yield record
            if self._line is not None and (record.t > self._line[1] or record.by == self.who):
                self._line = None
            if record.kind == Ticked.kind:
                self._look_back(t)

    def take_up(self) -> None:
        """Set the timer of the line that has been begun, if any."""
        if self._line is not None:
            step, due = self._line
            self.clock.call_at(max(due, self.clock.now()), lambda: self._say(step))

    @property
    def finished(self) -> bool:
        """Whether all ordered lines have been said."""
        ordered = sum(1 for s in self.steps if s.whenever is None)
        return self._next >= ordered and self._line is None

    def _look_back(self, t: float) -> None:
        if self._line is None:
            self._choose(t)

    def _choose(self, now: float) -> None:
        """Choose the line that is due by the present world, if any."""
        standing = [s for s in self.steps if s.whenever is not None]
        ordered = [s for s in self.steps if s.whenever is None]
        if self._next < len(ordered):
            step = ordered[self._next]
            if step.when is None or evaluate_or_none(step.when, self.scope):
                self._next += 1
                for index, other in enumerate(standing):
                    self._is_new(index, other)  # this line also answers what is new
                self._line = step, now + step.after
                return
        for index, step in enumerate(standing):
            if self._is_new(index, step):
                self._line = step, now + step.after
                return

    def _is_new(self, index: int, step: UserStep) -> bool:
        assert step.whenever is not None
        value = evaluate_or_none(step.whenever, self.scope)
        key = fingerprint({"value": value}) if value else ""
        new = bool(key) and self._seen.get(index) != key
        self._seen[index] = key
        return new

    def _say(self, step: UserStep) -> None:
        self._line = None
        if step.whenever is None or evaluate_or_none(step.whenever, self.scope):
            self.inbox.post(SOURCE, step.says)
        else:
            self.inbox.wake()
