"""What the page shows of runs, as JSON data; journals are the only source."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import zip_longest
from pathlib import Path
from typing import Any

from treec.nodes.events import Decided
from treec.run.folder import JOURNAL
from treec.run.node_statistics import COLUMNS, NOTE, node_statistics, rows
from treec.run.replay import moment
from treec.run.replay_data import values_data
from treec.run.run_status import status_of
from treec.run.state import RunState, TickNode
from treec.run.summary import summarize
from treec.world.events import RunEnd, flat
from treec.world.journal import JournalError, Record
from treec_serve.moments import (
    decision_data,
    drawings_data,
    facts_data,
    faults_data,
    history_data,
    status_data,
    team_data,
    timeline_data,
    tree_data,
)
from treec_serve.open_run import OpenRun

KEPT_RUNS = 4
"""How many runs are kept in memory once they were opened."""

SHOWN_DECISIONS = 50
"""How many of the last decisions before a moment are shown."""

SHOWN_TROUBLES = 20
"""How much of what went wrong last is shown."""

SHOWN_STATUSES = 200
"""How many of the last statuses of a node are shown."""


class NoSuchRun(Exception):
    """The folder of runs has no usable run of that name."""


class RunArchive:
    """The runs in a folder. May be used from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._open: OrderedDict[str, OpenRun] = OrderedDict()

    def listing(self) -> list[dict[str, Any]]:
        """All runs, the latest first."""
        found = [status_of(journal) for journal in reversed(self._journals())]
        return [{**asdict(one), "words": one.words} for one in found]

    def overview(self, name: str) -> dict[str, Any]:
        """A run's status, its length in seconds and its last tick. Raises NoSuchRun."""
        with self.reading(name) as run:
            return {
                **asdict(status_of(run.journal)),
                "seconds": run.state.t,
                "last_tick": run.state.tick,
            }

    def at(self, name: str, text: str, tree: int | None = None) -> dict[str, Any]:
        """Everything at a moment: `12.5`, `#14` or `end`.

        The nodes of the tree are left out if the caller has them already, as those of ``tree``.
        Raises NoSuchRun, ReplayMomentError.
        """
        when = moment(text)
        with self.reading(name) as run:
            state = run.state_at(when)
            number = run.tree_before(state.records)
            ended = state.ended
            told = run.decisions_before(state.records, SHOWN_DECISIONS)
            wrong, troubles = run.troubles_before(state.records, SHOWN_TROUBLES)
            return {
                "run": name,
                "n": state.records,
                "t": state.t,
                "tick": run.tick_at(state),
                "last_tick": run.state.tick,
                "seconds": run.state.t,
                "ended": None if ended is None else _ending(state, ended),
                "problem": run.problem,
                "tree": number,
                **({} if tree == number else _tree(state.nodes)),
                **status_data(state),
                **team_data(state),
                "facts": facts_data(state),
                "faults": faults_data(run.faults_before(state.records), state),
                "values": values_data(state),
                "timeline": timeline_data(state),
                "troubles": {"count": wrong, "last": [asdict(one) for one in troubles]},
                "decisions": [decision_data(record, event) for record, event in told],
            }

    def talk(self, name: str) -> dict[str, Any]:
        """What was said so far and who does what, without what tells systems apart.

        Raises NoSuchRun.
        """
        with self.reading(name) as run:
            return {"n": len(run.records), "t": run.state.t, **team_data(run.state)}

    def nodes(self, name: str, count: int) -> dict[str, Any]:
        """How often and how long each node was ticked in the first ``count`` records.

        Raises NoSuchRun.
        """
        with self.reading(name) as run:
            records = run.records[: max(count, 0)]
        end = records[-1].t if records else 0.0
        return {
            "columns": COLUMNS,
            "rows": list(rows(node_statistics(records), end)),
            "note": NOTE,
        }

    def history(self, name: str, path: str, count: int) -> dict[str, Any]:
        """The last statuses of a node in the first ``count`` records, and how many there were.

        Raises NoSuchRun.
        """
        with self.reading(name) as run:
            records = run.records[: max(count, 0)]
        found = history_data(records, path)
        return {"path": path, "count": len(found), "statuses": found[-SHOWN_STATUSES:]}

    def compare(self, one: str, other: str) -> dict[str, Any]:
        """How two runs differ: their totals, and the first decision that is another."""
        both = []
        for name in (one, other):
            with self.reading(name) as run:
                both.append((name, run.records[:]))
        return {
            "runs": [{"run": name, **_totals(records)} for name, records in both],
            "first": _first_difference(*(records for _, records in both)),
        }

    def folder(self, name: str) -> tuple[Path, bool]:
        """The folder of a run, and whether it goes on. Raises NoSuchRun."""
        with self.reading(name) as run:
            return run.journal.parent, run.state.ended is None

    def mark(self, name: str) -> tuple[int, int]:
        """Something that changes when a run goes on. Raises NoSuchRun."""
        try:
            return self._opened(name).mark()
        except JournalError as error:
            raise NoSuchRun(str(error)) from None

    def count(self, name: str) -> int:
        """The number of records of a run so far. Raises NoSuchRun."""
        with self.reading(name) as run:
            return len(run.records)

    @contextmanager
    def reading(self, name: str) -> Iterator[OpenRun]:
        """A run, up to date, that nobody else changes meanwhile. Raises NoSuchRun."""
        run = self._opened(name)
        with run.lock:
            if not run.update():
                raise NoSuchRun(run.problem or f"the run '{name}' has not begun")
            yield run

    def _opened(self, name: str) -> OpenRun:
        with self._lock:
            if name not in self._open:
                self._open[name] = OpenRun(self._journal(name))
                while len(self._open) > KEPT_RUNS:
                    self._open.popitem(last=False)
            self._open.move_to_end(name)
            return self._open[name]

    def _journals(self) -> list[Path]:
        return sorted(self._folder.glob(f"*/{JOURNAL}"))

    def _journal(self, name: str) -> Path:
        """The journal of a run that is listed: no other path is ever opened."""
        found = next((one for one in self._journals() if one.parent.name == name), None)
        if found is None:
            raise NoSuchRun(f"unknown run '{name}'")
        return found


def _ending(state: RunState, ended: RunEnd) -> dict[str, object]:
    """How a run ended; only one with a scenario was to show something."""
    return {
        "reason": ended.reason,
        "ok": ended.ok,
        "expected": bool(state.header.get("scenario")) or not ended.ok,
        "failed": state.statuses[:1] == ["FAILURE"],
    }


def _tree(nodes: Sequence[TickNode]) -> dict[str, object]:
    kinds = dict.fromkeys(one.kind for one in nodes)
    return {"nodes": tree_data(nodes), "drawings": drawings_data(kinds)}


def _totals(records: Sequence[Record]) -> dict[str, object]:
    totals = summarize(records)
    return {
        "ended": totals.end,
        "ok": totals.ok,
        "seconds": totals.seconds,
        "subtasks done": len(totals.done),
        "subtasks failed": len(totals.failed),
        "skills failed": len(totals.skill_failures),
        "decisions": sum(totals.decisions.values()),
        "requests to a model": totals.requests.asked,
        "utterances": sum(totals.said.values()),
    }


def _first_difference(one: Sequence[Record], other: Sequence[Record]) -> dict[str, Any] | None:
    """The first pair of decisions, in order, that are not the same; None if all are."""
    pairs = zip_longest(_choices(one), _choices(other))
    for number, (mine, theirs) in enumerate(pairs, 1):
        same = mine is not None and theirs is not None
        if not same or (mine[1].node, mine[1].choose) != (theirs[1].node, theirs[1].choose):
            return {"number": number, "decisions": [_choice(mine), _choice(theirs)]}
    return None


def _choices(records: Sequence[Record]) -> Iterator[tuple[Record, Decided]]:
    for record in records:
        for event in flat(record.event):
            if isinstance(event, Decided):
                yield record, event


def _choice(made: tuple[Record, Decided] | None) -> dict[str, Any] | None:
    if made is None:
        return None
    record, event = made
    return {"t": record.t, "node": event.node, "choose": event.choose, "by": event.who}
