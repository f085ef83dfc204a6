"""Answers that have come and are not read yet: which one it is, is chosen as it is read.

Nodes ask ahead (``treec_asking.ahead``). Until its node takes an answer nobody looks at it, so that
states do not differ by what it says: it comes as :data:`UNDECIDED`. Where it is read in the midst
of a step, :class:`Undecided` ends the step, which is then tried again with each answer.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from treec.ask.transport import Answer
from treec_asking.asking import Exchange
from treec_prove.happenings import Happening

MODEL = "prove"
"""Who answers."""

UNDECIDED = Answer("", by=MODEL)
"""An answer that has come; nobody has looked at it."""

Choose = Callable[[Exchange], Answer]

_choosers: dict[int, Choose] = {}
"""Who chooses answers, by the runtime's id."""


class Undecided(BaseException):
    """An answer is read of which nothing is decided yet.

    It is no error of a node, and no node may catch it.
    """

    def __init__(
        self, options: Sequence[str], alike: Sequence[Sequence[str]], made: Sequence[str]
    ) -> None:
        super().__init__(f"{len(options)} answers")
        self.options = options
        """The answers that are possible, as JSON."""
        self.alike = alike
        """Groups of those that its node refuses alike as it reads them."""
        self.made = tuple(made)
        """The answers that were chosen before in the same step."""

    def tried(self, happening: Happening) -> tuple[list[Happening], list[list[Happening]]]:
        """What happens with each answer, and which of these are refused alike."""
        one = without_answers(happening)
        found = {text: ("read", (*self.made, text), one) for text in self.options}
        return list(found.values()), [[found[text] for text in group] for group in self.alike]


def without_answers(happening: Happening) -> Happening:
    """What happens, without the answers that are read then."""
    match happening:
        case ("read", _, one):
            return without_answers(one)
        case ("before", seconds, one):
            return ("before", seconds, without_answers(one))
    return happening


def choose_by(runtime: object, choose: Choose) -> None:
    """Let a function choose the answers of a run as they are read."""
    _choosers[id(runtime)] = choose
    if hasattr(Exchange.take, "before"):
        return
    before = Exchange.take

    def take(exchange: Exchange) -> Answer | Exception | None:
        result = before(exchange)
        if result is not UNDECIDED:
            return result
        return _choosers[id(exchange.runtime)](exchange)

    changed: Any = take
    changed.before = before
    Exchange.take = changed  # type: ignore[method-assign]


def undo_choosing() -> None:
    """Let answers be taken as outside of proofs."""
    take: Any = Exchange.take
    Exchange.take = getattr(take, "before", take)  # type: ignore[method-assign]
    _choosers.clear()
