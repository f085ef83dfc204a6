"""What was heard: acts, the words that say them, and why they were heard."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from treec.frozen import frozen

if TYPE_CHECKING:
    from treec_hearing.mentions import Mentions

SCORED_KINDS = frozenset(
    {"accept", "decline", "request", "done", "drop", "stop", "resume", "choose", "ask"}
)
"""The kinds of acts that a network can choose; a remark is what is left."""

LIKELY, CONFIDENT, GUARDED, NEVER = 0.5, 0.7, 0.8, 2.0
"""How likely an act must be: any; an order, a yes or the like; such an act where a guard as "could"
stands in its sentence; where a firm guard as "said" does."""


@frozen
class FoundAct:
    """An act, the words that say it (from `start` to `end`), and what explains them.

    `template` is the sentence template; where it is empty, a network found the act `likely` (0 to
    1). `others` are further acts that the same words could have been.
    """

    kind: str
    fields: Mapping[str, object]
    start: int
    end: int
    template: str
    free: tuple[tuple[int, int], ...] = ()
    """The words that slots for any text took, from the first up to the last of each."""
    others: tuple[FoundAct, ...] = ()
    likely: float = 1.0
    bare: bool = False
    """Whether its objects are not named: all that are open are meant."""
    besides: tuple[FoundAct, ...] = ()
    """Acts that the same words say as well: "fetch crates 12 and 31" is two orders."""

    @property
    def wild(self) -> int:
        """How many words slots for any text took."""
        return sum(end - first for first, end in self.free)


@frozen
class Hearing:
    """What was heard in a text, and the places that nothing explains."""

    text: str
    acts: tuple[FoundAct, ...]
    left_over: tuple[tuple[int, int], ...]
    held_back: tuple[FoundAct, ...] = ()
    """Acts that a word such as "if" in their sentence keeps from being meant, and what a network
    hears in words that do not say it."""
    withdrawn: int = 0
    """Up to which character the words are corrected by those behind them, or taken back."""


class ActScorer(Protocol):
    """Chooses among the acts that are possible where templates do not explain all words."""

    kinds: frozenset[str]
    """The kinds of acts that it knows."""

    def choose(
        self,
        mentions: Mentions,
        text: str,
        joins: frozenset[str],
        needed: Callable[[str, int], float],
        said: Sequence[FoundAct] = (),
    ) -> list[FoundAct]:
        """The likely acts that go together, in the order of their words.

        What templates say, too (`said`), need only be likely where no guard stands. `needed` tells
        how likely an order or answer of a kind must be that rests on a word.
        """
