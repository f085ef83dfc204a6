"""What was judged: in the journal, and in a run's state."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from treec.frozen import frozen
from treec.world.events import Event, EventText, event
from treec.world.journal import Record
from treec.world.state import State

JUDGEMENTS = "judgements"
"""The slot of a run's state: what was last judged of what, by `key_of`."""


def key_of(judge: str, about: tuple[str, ...]) -> str:
    """A judge and what it was asked about: ``Unsafe(Anna)``."""
    return f"{judge}({', '.join(about)})"


@frozen
class Judgement:
    """The last answer of a judge about something: what was asked, when, and who answered."""

    prompt: str
    t: float
    by: str


@event("judged")
@frozen
class JudgeAnswered(Event):
    """A judge has answered about something; ``prompt`` is the check sum of what was asked.

    ``answer`` has the value of each fact or state. Of a model, ``confidence`` is its own, and
    ``probabilities`` are those of what it could answer.
    """

    node: str
    judge: str
    about: tuple[str, ...]
    answer: Mapping[str, object]
    by: str
    prompt: str
    reasoning: str = ""
    confidence: float | None = None
    probabilities: Mapping[str, float] | None = None

    def change(self, state: State, record: Record) -> None:
        """Remember for which question it is the answer."""
        made = Judgement(self.prompt, record.t, self.by)
        known = {**state[JUDGEMENTS], key_of(self.judge, self.about): made}
        state[JUDGEMENTS] = MappingProxyType(known)

    def describe(self) -> EventText:
        """What was judged of what, and by whom."""
        answer = ", ".join(f"{name} {_shown(value)}" for name, value in self.answer.items())
        return EventText(f"{key_of(self.judge, self.about)}: {answer} (by {self.by})")


@event("judgement.expired")
@frozen
class JudgementExpired(Event):
    """An answer of a judge is too old, or there is none to what it is asked now."""

    judge: str
    about: tuple[str, ...]

    def change(self, state: State, record: Record) -> None:
        """Forget it."""
        key = key_of(self.judge, self.about)
        known = {name: one for name, one in state[JUDGEMENTS].items() if name != key}
        state[JUDGEMENTS] = MappingProxyType(known)


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
