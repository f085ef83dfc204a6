"""What each event changes in the state of a run, in its summary, and the lines that show it.

`outcomes.txt` has, for an event of every kind after the same beginning, what is then otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

from tests.support.events import happening
from tests.support.golden import check
from tests.world.test_event_texts import _events
from treec.cli.live_lines import LiveLines
from treec.cli.live_summary import _talk, _trouble, _work
from treec.cli.terminal_text import paint
from treec.run.summary import Summary
from treec.world.events import Event, event_classes
from treec.world.journal import Journal

BEGINNING = (
    ("run.begin", {"system": "s", "seed": 1, "format": 1}),
    ("agent.joined", {"agent": "agent", "person": False}),
    ("agent.joined", {"agent": "who", "person": True}),
    ("subtask.added", {"id": "subtask", "words": "do it", "recipe": "Soup"}),
    ("subtask.added", {"id": "one", "words": "do one"}),
    ("assigned", {"agent": "agent", "subtasks": ["subtask", "one"]}),
    ("subtask.started", {"agent": "agent", "subtask": "subtask"}),
)


def _played(last: Event | None) -> tuple[list[str], dict[str, str]]:
    """The lines of the last event, and what there is after it."""
    journal, summary = Journal.in_memory(), Summary()
    state = summary.run
    live = LiveLines(("agent", "who"), state)
    events = [happening(kind, **data) for kind, data in BEGINNING]
    lines: list[str] = []
    for number, event in enumerate([*events, *([] if last is None else [last])]):
        record = journal.append(event, "test", 1.5 * number)
        summary.add(record)
        lines = [paint(line, False) for line in live.of(record)]
    after = {f"run.{name}": str(value) for name, value in vars(state).items() if name[0] != "_"}
    after |= {f.name: str(getattr(summary, f.name)) for f in fields(summary) if f.name != "run"}
    after |= {
        name: str(getattr(summary, name))
        for name in ("records", "seconds", "end", "ok", "agents", "busy", "requests")
    }
    after["people"] = str(sorted(summary.people))
    for name in ("run.records", "run.t", "records", "seconds"):  # as after any event
        del after[name]
    rows = (*_work(summary), *_talk(summary), *_trouble(summary))
    return lines, after | {f"row {n}": str(row) for n, row in enumerate(rows)}


def _lines() -> Iterator[str]:
    _, before = _played(None)
    for kind, cls in event_classes().items():
        if not cls.__module__.startswith("treec"):  # of another test
            continue
        for name, event in _events(cls):
            if name not in ("full", "turned"):
                continue
            yield f"# {kind}, {name}"
            try:
                shown, after = _played(event)
            except Exception as error:
                yield f"  {type(error).__name__}: {error}"
                continue
            yield from (f"  | {line}" for line in shown)
            for key in dict.fromkeys((*before, *after)):
                if before.get(key) != after.get(key):
                    yield f"  {key}: {after.get(key)}"


@pytest.mark.needs_system("mosaic", "dag_plan", "helper", "household")
def test_outcomes() -> None:
    check(Path(__file__).with_name("outcomes.txt"), "\n".join(_lines()) + "\n")
