"""What of a long journal a run that is resumed must know; the rest is counted and left out.

Of a million records most say what later ones have replaced: ticks, facts and decisions of before,
orders that ended. What comes of those that are kept is the same, in a small part of the time and
the memory. The last minutes are kept whole, for contracts that wait and orders that are paced.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Hashable, Iterable
from pathlib import Path

from treec.nodes.events import Decided, Programmed, SkillEnded, SkillStarted, Step
from treec.run.events import Injected, Ticked, TreeBegun
from treec.run.state import merged
from treec.world.events import Commit, FactSet, FactUnknown, RunBegin
from treec.world.history import CondensedRecords
from treec.world.journal import RawRecord, read_raw

WHOLE = 300.0
"""Seconds before the last record in which all are kept, unless contracts look further back."""

LATE = 150.0
"""Seconds after which the end of a deadline has been recorded, whatever held the run up."""

_FACTS = {FactSet.kind, FactUnknown.kind}


def read_condensed(journal: Path, whole: float = 0.0) -> CondensedRecords | None:
    """The records that still matter; None if all do, as in scenarios with their scripts and faults.

    ``whole`` are the seconds before the last one in which all are kept, at least `WHOLE`.
    Raises anything where a record is broken, though not all of them are looked at closely.
    """
    records = read_raw(journal)
    first = next(records)
    begin = RunBegin.kind, first.data.get("scenario"), first.data.get("faults")
    if begin != (first.kind, None, None):
        return None
    whole = max(whole, WHOLE)
    condenser = _Condenser()
    condenser.kept[first.n] = first
    recent: deque[RawRecord] = deque()
    for record in records:
        recent.append(record)
        while recent[0].t < record.t - whole:
            condenser.take(recent.popleft())
    kept = CondensedRecords(one.freeze() for one in (*condenser.in_order(), *recent))
    kept.left_out = condenser.left_out
    return kept


class _Condenser:
    """Keeps the records that no later one replaces."""

    def __init__(self) -> None:
        self.kept: dict[int, RawRecord] = {}
        self.left_out: Counter[tuple[str, str]] = Counter()
        """How many of a kind; of decisions, by whom."""
        self._ticks = _Ticks()
        self._last: dict[Hashable, int] = {}
        """The last record of what later ones replace."""
        self._counts: Counter[int] = Counter()
        """Of how many things a record is the last."""
        self._orders: dict[str, int] = {}
        """Orders that have not ended, by their id."""
        self._done: dict[str, list[int]] = {}
        """The last order of each node; all steps and orders of its program."""
        self._worked: dict[str, list[int]] = {}
        """The last order of each program, which may have been of the one before."""
        self._programs: set[str] = set()
        self._failed: set[str] = set()
        """Nodes whose last order failed: the next one that does not ends a row."""
        self._has_faults = False

    def in_order(self) -> list[RawRecord]:
        """What is kept."""
        if self._ticks.last is not None:
            self.kept[self._ticks.last.n] = self._ticks.merged(self._ticks.last)
            self.left_out[Ticked.kind, ""] -= 1
        return [self.kept[n] for n in sorted(self.kept)]

    def take(self, record: RawRecord) -> None:
        """Take the next record into account."""
        kind, data = record.kind, record.data
        if kind == Ticked.kind:
            self._ticks.add(record)
            self.left_out[kind, ""] += 1
            return
        self.kept[record.n] = record
        if kind == Decided.kind:
            self._replace(record.n, [(kind, data["node"])])
        elif kind in _FACTS:
            self._replace(record.n, [(data["fact"], tuple(data["args"]))])
        elif kind == Commit.kind:
            kinds = {it["kind"] for it in data["events"]}
            if data.get("for") == "facts" and kinds <= _FACTS:
                facts = [it["data"] for it in data["events"]]
                self._replace(record.n, {(it["fact"], tuple(it["args"])) for it in facts})
            self._has_faults |= Injected.kind in kinds
        elif kind == SkillStarted.kind:
            self._orders[data["id"]] = record.n
        elif kind == SkillEnded.kind and not self._has_faults:
            self._end(record)
        elif kind == Programmed.kind:
            last = self._worked.get(data["node"], [])  # until its next order ends
            self._leave_out(n for n in self._done.get(data["node"], ()) if n not in last)
            self._done[data["node"]] = [record.n, *last]
            self._programs.add(data["node"])
        elif kind == Step.kind and data["node"] in self._programs:
            self._done[data["node"]].append(record.n)
        elif kind == TreeBegun.kind:
            self._ticks = _Ticks()

    def _end(self, ended: RawRecord) -> None:
        """Replace a node's order before by one that did not fail, or add that to its program."""
        node, numbers, data = ended.by, [ended.n], ended.data
        if (started := self._orders.pop(data.get("id", ""), None)) is not None:
            numbers.append(started)
        if not (data["ok"] or data.get("cancelled")) or data.get("asked_again"):
            self._failed.add(node)
        elif node in self._programs:
            self._done[node] += numbers
            self._worked[node] = numbers
        elif node in self._failed:
            self._failed.discard(node)
        else:
            self._leave_out(self._done.get(node, ()))
            self._done[node] = numbers

    def _replace(self, n: int, keys: Iterable[Hashable]) -> None:
        """Note what a record is the last of; leave out those that are the last of nothing now."""
        for key in keys:
            before, self._last[key] = self._last.get(key, 0), n
            self._counts[n] += 1
            self._counts[before] -= 1
            if before and not self._counts[before]:
                del self._counts[before]
                self._leave_out([before])

    def _leave_out(self, numbers: Iterable[int]) -> None:
        for n in numbers:
            record = self.kept.pop(n)
            who = record.data["by"] if record.kind == Decided.kind else ""
            self.left_out[record.kind, who] += 1


class _Ticks:
    """The ticks of a tree in one."""

    def __init__(self) -> None:
        self.last: RawRecord | None = None
        self._statuses: dict[int, str] = {}
        self._memory: dict[str, object] = {}
        self._values: dict[str, dict[str, dict[str, object]]] = {"variables": {}, "ports": {}}
        self._by: dict[str, dict[str, int]] = {}

    def add(self, record: RawRecord) -> None:
        """Take the next tick into account."""
        self.last, data = record, record.data
        for status, numbers in data["to"].items():
            for number in numbers:
                self._statuses[number] = status
        for number, memory in data.get("memory", {}).items():
            self._memory[number] = merged(self._memory.get(number), memory)
        for name, whole in self._values.items():
            for tree, values in data.get(name, {}).items():
                whole.setdefault(tree, {}).update(values)
        by = data.get("by", {})
        for tree, values in data.get("variables", {}).items():
            now = by.get(tree, {})
            self._by[tree] = {k: v for k, v in self._by.get(tree, {}).items() if k not in values}
            self._by[tree] |= now

    def merged(self, last: RawRecord) -> RawRecord:
        """All of them, as the last one."""
        to: dict[str, list[int]] = {}
        for number, status in self._statuses.items():
            to.setdefault(status, []).append(number)
        data = {"memory": self._memory, "by": self._by, **self._values}.items()
        given = {key: value for key, value in data if value}
        return last._replace(data={"tick": last.data["tick"], "to": to, **given})
