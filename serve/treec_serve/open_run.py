"""A run that is looked at: its records so far, the state after them, and where its moments are."""

from __future__ import annotations

import threading
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from treec.cli.live_lines import LiveLines
from treec.cli.terminal_text import Piece
from treec.nodes.events import Answered, AnswerRefused, Decided, PassedOn
from treec.run.events import Injected, Ticked, TreeBegun
from treec.run.replay import ReplayMoment, state_at
from treec.run.salvage import without_collection
from treec.run.state import RunState
from treec.world.events import Event, flat
from treec.world.journal import JournalError, Record
from treec_serve.journal_tail import JournalTail
from treec_serve.moments import ChangedFact, fact_keys

EVERY, MOST = 500, 64
"""Records between two states that are kept, at first, and how many are kept."""

TOLD = (Decided, Answered, AnswerRefused, PassedOn)
"""Events that the list of decisions shows."""


@dataclass(frozen=True, slots=True)
class Mishap:
    """Something that went wrong: in which record, when (s), to whom, in words."""

    n: int
    t: float
    who: str
    text: str


class OpenRun:
    """Reads a run's journal, and what is added to it; hold ``lock`` while looking at it.

    Records after the first that is broken are left out; ``problem`` says what is wrong with it.
    """

    def __init__(self, journal: Path) -> None:
        self.journal = journal
        self.lock = threading.RLock()
        self.records: list[Record] = []
        self.state = RunState()
        """The state after all records."""
        self.problem: str | None = None
        self._tail = JournalTail(journal)
        self._decisions: list[int] = []
        self._trees: list[int] = []
        self._faults: list[int] = []
        self._facts: dict[int, Sequence[ChangedFact]] = {}
        """What faults have changed, by the number of their record."""
        self._lines = LiveLines((), self.state)
        self._troubles: list[Mishap] = []
        self._kept: list[RunState] = []
        self._ticks: list[tuple[int, float]] = []
        """Ticks that are recorded, and when they were: those that change no node are not."""
        self._every = EVERY

    def mark(self) -> tuple[int, int]:
        """Something that changes when the run goes on; cheap, and needs no lock."""
        return self._tail.mark()

    def update(self) -> int:
        """Read what was added; returns the number of records."""
        with self.lock:
            if self.problem is None:
                try:
                    with without_collection():
                        while self.problem is None and (records := self._tail.read()):
                            self._take(records)
                except JournalError as error:
                    self.problem = str(error)
            return len(self.records)

    def state_at(self, moment: ReplayMoment) -> RunState:
        """The state at a moment; that of now, if it is after all records.

        A tick that is not recorded lies evenly between the two that are.
        """
        if moment.tick is not None:
            place = bisect_left(self._ticks, (moment.tick, -1.0))
            if 0 < place < len(self._ticks) and self._ticks[place][0] > moment.tick:
                (one, begin), (other, end) = self._ticks[place - 1 : place + 1]
                if end > begin:
                    part = (moment.tick - one) / (other - one)
                    moment = ReplayMoment(begin + part * (end - begin))
        if moment.tick is None and moment.t >= self.state.t:
            return self.state
        place = bisect_left(self._kept, True, key=lambda kept: _is_after(kept, moment))
        if place == 0:
            return state_at(self.records, moment)
        kept = self._kept[place - 1]
        return state_at(islice(self.records, kept.records, None), moment, kept.copy())

    def tick_at(self, state: RunState) -> int:
        """The number of the tick at a state, reckoned between two that are recorded."""
        place = bisect_right(self._ticks, (state.tick, float("inf")))
        if not 0 < place < len(self._ticks):
            return state.tick
        (one, begin), (other, end) = self._ticks[place - 1 : place + 1]
        if end <= begin:
            return state.tick
        return min(one + int((state.t - begin) / (end - begin) * (other - one)), other - 1)

    def decisions_before(self, number: int, most: int) -> list[tuple[Record, Event]]:
        """The last decisions and answers among the first ``number`` records, the latest first."""
        found: list[tuple[Record, Event]] = []
        for at in reversed(self._decisions[: bisect_right(self._decisions, number)]):
            record = self.records[at - 1]
            found += [
                (record, event)
                for event in reversed(list(flat(record.event)))
                if isinstance(event, TOLD)
            ]
            if len(found) >= most:
                break
        return found[:most]

    def faults_before(self, number: int) -> list[tuple[Record, Sequence[ChangedFact]]]:
        """The faults that were injected in the first ``number`` records, and what they changed."""
        found = self._faults[: bisect_right(self._faults, number)]
        return [(self.records[at - 1], self._facts.get(at, ())) for at in found]

    def troubles_before(self, number: int, most: int) -> tuple[int, list[Mishap]]:
        """How much went wrong in the first ``number`` records, and the last of that."""
        count = bisect_right(self._troubles, number, key=lambda one: one.n)
        return count, self._troubles[max(count - most, 0) : count]

    def tree_before(self, number: int) -> int:
        """The record that begins the tree of the first ``number`` records; 0 before there is one.

        It tells trees of a run apart, since a tree that is reloaded begins anew.
        """
        place = bisect_right(self._trees, number)
        return self._trees[place - 1] if place else 0

    def _take(self, records: Sequence[Record]) -> None:
        for record in records:
            before = [(key, self.state.facts.get(key)) for key in fact_keys(record.event)]
            try:
                self.state.take(record)
            except Exception as error:  # a record of any content may come in any order
                what = f"no record before it introduces {error}"
                why = what if isinstance(error, KeyError) else f"it does not fit: {error}"
                self.problem = f"{self.journal}:{record.n}: {record.kind}: {why}"
                return
            self.records.append(record)
            if len(self.records) % self._every == 0:
                self._keep()
            match record.event:
                case TreeBegun():
                    self._trees.append(len(self.records))
                case Ticked(tick=tick):
                    if not self._ticks or tick > self._ticks[-1][0]:
                        self._ticks.append((tick, record.t))
                    continue
            self._troubles += _troubles(record, self._lines.of(record))
            match record.event:
                case event if any(isinstance(one, Injected) for one in flat(event)):
                    self._faults.append(len(self.records))
                    self._facts[len(self.records)] = [
                        ChangedFact(key, was, self.state.facts.get(key)) for key, was in before
                    ]
                case event if any(isinstance(one, TOLD) for one in flat(event)):
                    self._decisions.append(len(self.records))

    def _keep(self) -> None:
        """Keep the state, so that moments after it are found without reading all before it."""
        self._kept.append(self.state.copy())
        if len(self._kept) > MOST:
            self._every *= 2
            self._kept = [one for one in self._kept if one.records % self._every == 0]


def _troubles(record: Record, lines: Iterable[Sequence[Piece]]) -> Iterator[Mishap]:
    """What a terminal would show in red."""
    for _, (who, _), *pieces in lines:
        if any("red" in style for _, style in pieces):
            text = "".join(text for text, _ in pieces)
            yield Mishap(
                record.n, record.t, who.strip(), text.removeprefix("✗ ").removeprefix("! ")
            )


def _is_after(state: RunState, moment: ReplayMoment) -> bool:
    """Whether a state has records that are after a moment."""
    return state.t > moment.t if moment.tick is None else state.tick >= moment.tick
