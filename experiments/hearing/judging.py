"""How well labelled phrases are heard.

A phrase is right if what was heard equals one of its readings. Otherwise the nearest reading
counts: yeses, nos, reports and drops as a whole, other acts one by one; small talk that is left
alone is a remark. Harmful is a yes, an order or a stop in which no reading has such an act.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from experiments.hearing.phrases import LISTS, Meaning, Phrase, meaning
from treec.team.talk import TalkContext

HARMFUL = ("accept", "request", "stop")
Parser = Callable[[str, TalkContext], Iterable[Mapping[str, object]]]


@dataclass(slots=True)
class HearingScore:
    """Counts of what was heard: of phrases, of acts by kind, of what was not meant."""

    phrases: int = 0
    right: int = 0
    acts: Counter[str] = field(default_factory=Counter)
    acts_right: Counter[str] = field(default_factory=Counter)
    harmful: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[Phrase, Meaning]] = field(default_factory=list)

    def add(self, phrase: Phrase, heard: Meaning) -> None:
        """Count one phrase."""
        self.phrases += 1
        if heard in phrase.readings:
            self.right += 1
        else:
            self.wrong.append((phrase, heard))
        meant = {act[0] for reading in phrase.readings for act in reading}
        self.harmful.update(
            str(kind) for kind in {act[0] for act in heard} - meant if kind in HARMFUL
        )
        for kind, is_right in _acts(phrase, heard):
            self.acts[kind] += 1
            self.acts_right[kind] += is_right

    @property
    def share(self) -> float:
        """The share of acts that are right; of nothing, nothing is wrong."""
        total = self.acts.total()
        return self.acts_right.total() / total if total else 1.0

    def rows(self) -> Iterator[tuple[str, int, int]]:
        """What is counted, how many are right, of how many."""
        yield "phrases", self.right, self.phrases
        yield "acts", self.acts_right.total(), self.acts.total()
        for kind in sorted(self.acts):
            yield f"  {kind}", self.acts_right[kind], self.acts[kind]


def _acts(phrase: Phrase, heard: Meaning) -> Iterator[tuple[str, bool]]:
    nearest = min(phrase.readings, key=lambda reading: len(reading ^ heard))
    for kind in sorted({str(act[0]) for act in nearest}):
        meant, found = ({act for act in acts if act[0] == kind} for acts in (nearest, heard))
        if kind in LISTS:
            yield kind, meant == found
        else:
            yield from ((kind, act in found) for act in sorted(meant, key=str))
    if not nearest:
        yield "remark", not heard


def judge(phrases: Iterable[Phrase], parser: Parser) -> HearingScore:
    """The score of a parser."""
    score = HearingScore()
    for phrase in phrases:
        score.add(phrase, meaning([*parser(phrase.text, phrase.moment)]))
    return score
