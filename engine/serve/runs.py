"""What the page shows of runs, as JSON data; journals are the only source."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from treec.nodes.events import Answered, AnswerRefused, Decided
from treec.run.events import Ticked
from treec.run.folder import JOURNAL
from treec.run.replay import moment, state_at
from treec.run.replay_data import moment_data
from treec.run.run_status import status_of
from treec.run.sound import read_sound
from treec.world.events import flat
from treec.world.journal import JournalError, Record

KEPT_RUNS = 4
"""How many runs are kept in memory once they were opened."""

SHOWN_DECISIONS = 50
"""How many of the last decisions before a moment are shown."""


class NoSuchRun(Exception):
    """The folder of runs has no usable run of that name."""


class RunArchive:
    """The runs in a folder. May be used from several threads."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._read: OrderedDict[tuple[str, int, int], Sequence[Record]] = OrderedDict()

    def listing(self) -> list[dict[str, Any]]:
        """All runs, the latest first."""
        found = [status_of(journal) for journal in reversed(self._journals())]
        return [{**asdict(one), "words": one.words} for one in found]

    def overview(self, name: str) -> dict[str, Any]:
        """A run's length and the times of its ticks. Raises NoSuchRun."""
        records = self._records(name)
        ticks = [record.t for record in records if isinstance(record.event, Ticked)]
        journal = self._journal(name)
        return {
            **asdict(status_of(journal)),
            "seconds": records[-1].t if records else 0.0,
            "ticks": ticks,
        }

    def at(self, name: str, text: str) -> dict[str, Any]:
        """Everything at a moment: `12.5`, `#14` or `end`.

        Raises NoSuchRun, ReplayMomentError.
        """
        when = moment(text)
        records = self._records(name)
        state = state_at(records, when)
        return {
            **moment_data(records, when),
            "talk": [
                {"who": said.who, "text": said.text, "t": said.t} for said in state.talk.values()
            ],
            "recipe": state.recipe,
            "subtasks": [
                {
                    "id": id,
                    "words": one.words,
                    "status": one.status,
                    "agent": one.agent,
                    "reason": one.reason,
                    "ready": one.status == "waiting" and state.ready(id),
                }
                for id, one in state.subtasks.items()
            ],
            "decisions": _decisions(records[: state.records]),
        }

    def _journals(self) -> list[Path]:
        return sorted(self._folder.glob(f"*/{JOURNAL}"))

    def _journal(self, name: str) -> Path:
        """The journal of a run that is listed: no other path is ever opened."""
        found = next((one for one in self._journals() if one.parent.name == name), None)
        if found is None:
            raise NoSuchRun(f"there is no run '{name}'")
        return found

    def _records(self, name: str) -> Sequence[Record]:
        journal = self._journal(name)
        stat = journal.stat()
        key = (name, stat.st_size, stat.st_mtime_ns)
        with self._lock:
            if key not in self._read:
                try:
                    self._read[key] = read_sound(journal).records
                except JournalError as error:
                    raise NoSuchRun(str(error)) from None
                while len(self._read) > KEPT_RUNS:
                    self._read.popitem(last=False)
            self._read.move_to_end(key)
            return self._read[key]


def _decisions(records: Sequence[Record]) -> list[dict[str, Any]]:
    """The last decisions and answers, the latest first."""
    found: list[dict[str, Any]] = []
    more: dict[str, Any]
    for record in reversed(records):
        for event in reversed(list(flat(record.event))):
            match event:
                case Decided():
                    more = {"choose": event.choose, "by": event.by, "reasoning": event.reasoning}
                    found.append({"t": record.t, "node": event.node, **more})
                case Answered():
                    problem = event.refused or event.failed
                    more = {"answer": event.text, "by": event.by, "problem": problem}
                    tries = len(event.tries or ())
                    found.append({"t": record.t, "node": event.node, "tries": tries, **more})
                case AnswerRefused():
                    more = {"by": event.by, "problem": event.reason}
                    found.append({"t": record.t, "node": event.node, **more})
        if len(found) >= SHOWN_DECISIONS:
            break
    return found[:SHOWN_DECISIONS]
