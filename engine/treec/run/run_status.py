"""What has become of a run: it is running, was stopped, broke, or has ended.

Told by the lock and the two ends of its journal, so that many runs are listed quickly.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from treec.frozen import frozen
from treec.run.folder import read_meta
from treec.world.check_sums import has_begun
from treec.world.events import RunEnd
from treec.world.journal import parse_record
from treec.world.lock import find_holder

RunPhase = Literal["running", "stopped", "broken", "ended"]

CUT_OFF: dict[str, RunPhase] = {"stopped": "stopped", "error": "broken"}
"""Ends of a run after which it can be resumed."""

_TAIL = 4096
"""Bytes at the end of a journal that hold its last record, if that is the run's end."""


@frozen(slots=False)
class RunStatus:
    """A run in a listing; ``stopped`` and ``broken`` ones can be resumed."""

    run: str
    state: RunPhase
    reason: str | None
    """Why it ended; None if it runs or was cut off."""
    ok: bool | None
    """Whether it ended as expected."""
    system: str | None
    scenario: str | None
    started: str | None
    holder: str | None
    """Who runs it."""
    begun: bool = True
    """Whether its beginning and its scene are recorded; without them it cannot be resumed."""

    @property
    def words(self) -> str:
        """The state in words."""
        if self.state == "running":
            return f"running: {self.holder}"
        if self.state == "broken":
            if not self.begun:
                return "broken: nothing is recorded"
            return "broken: an error" if self.reason else "broken: cut off"
        if self.state == "stopped":
            return "stopped"
        return f"ended: {self.reason}, {'as' if self.ok else 'not as'} expected"


def status_of(journal: Path) -> RunStatus:
    """The status of a run."""
    begin, end = _read_ends(journal)
    holder = find_holder(journal)
    reason = end.get("reason")
    state: RunPhase = "broken" if reason is None else CUT_OFF.get(str(reason), "ended")
    if holder is not None:
        state, end, reason = "running", {}, None
    meta = read_meta(journal.parent)
    system, started = meta.get("system") or begin.get("system"), meta.get("started")
    scenario, ok = begin.get("scenario"), end.get("ok")
    begun = bool(begin) and has_begun(journal)
    return RunStatus(
        journal.parent.name,
        state,
        None if reason is None else str(reason),
        ok if isinstance(ok, bool) else None,
        str(system) if system else None,
        str(scenario) if scenario else None,
        str(started) if started else None,
        None if holder is None else holder.words,
        begun,
    )


def _read_ends(journal: Path) -> tuple[Mapping[str, object], Mapping[str, object]]:
    """The data of the first record, and those of the last if it is the run's end."""
    with open(journal, "rb") as file:
        first = _data(file.readline())
        file.seek(max(0, journal.stat().st_size - _TAIL))
        lines = file.read().splitlines()
    last = lines[-1] if lines else b""
    return first, _data(last) if f'"kind":"{RunEnd.kind}"'.encode() in last else {}


def _data(line: bytes) -> Mapping[str, object]:
    try:
        return parse_record(line).data
    except ValueError:
        return {}
