"""The user of a run: a person at the keyboard, or the script of a scenario.

Both only post text to the inbox, which the loop handles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from treec.files.systems import UserStep
from treec.nodes.observation import fingerprint
from treec.source.errors import EvaluationError
from treec.source.expression import Expression
from treec.source.scope import Scope
from treec.team.events import Said, number_entries
from treec.world.clock import Clock
from treec.world.inbox import Inbox, InboxMessage
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
    _next: int = 0
    _speaking: bool = False
    _seen: dict[int, str] = field(default_factory=dict)

    def look(self) -> None:
        """Start the line whose condition holds, if any; the loop calls this after each tick."""
        if self._speaking:
            return
        standing = [s for s in self.steps if s.whenever is not None]
        ordered = [s for s in self.steps if s.whenever is None]
        if self._next < len(ordered):
            step = ordered[self._next]
            if step.when is None or evaluate_or_none(step.when, self.scope):
                self._next += 1
                for index, other in enumerate(standing):
                    self._is_new(index, other)  # this line also answers what is new
                self._begin(step, None)
                return
        for index, step in enumerate(standing):
            if self._is_new(index, step):
                self._begin(step, step.whenever)
                return

    def catch_up(self, texts: Sequence[str]) -> None:
        """Skip the ordered lines that were said before a resumed run was cut off."""
        ordered = [step.says for step in self.steps if step.whenever is None]
        for text in texts:
            if self._next < len(ordered) and " ".join(ordered[self._next].split()) == text:
                self._next += 1

    @property
    def finished(self) -> bool:
        """Whether all ordered lines have been said."""
        ordered = sum(1 for s in self.steps if s.whenever is None)
        return self._next >= ordered and not self._speaking

    def _is_new(self, index: int, step: UserStep) -> bool:
        assert step.whenever is not None
        value = evaluate_or_none(step.whenever, self.scope)
        key = fingerprint({"value": value}) if value else ""
        new = bool(key) and self._seen.get(index) != key
        self._seen[index] = key
        return new

    def _begin(self, step: UserStep, still: str | None) -> None:
        self._speaking = True

        def say() -> None:
            self._speaking = False
            if still is None or evaluate_or_none(still, self.scope):
                self.inbox.post(SOURCE, step.says)
            else:
                self.inbox.wake()

        self.clock.call_at(self.clock.now() + step.after, say)
