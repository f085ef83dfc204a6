"""The programs of a run that rest on a memory, in its report: what was recalled, what was done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from treec.nodes.events import Programmed, Remembered, Step, StepLost
from treec.render.page import PagePart
from treec.run.timeline import Timeline
from treec.world.events import flat
from treec_program.events import Recalled, StepCorrected


@dataclass
class _Written:
    """A program, and what happened at its lines."""

    t: float
    event: Programmed
    reached: set[int] = field(default_factory=set)
    notes: dict[int, list[str]] = field(default_factory=dict)


def programs(times: Timeline) -> Iterator[PagePart]:
    """Yield a part for each recall and each program after it, then one for what was remembered."""
    recalled: set[str] = set()
    parts: list[PagePart | _Written] = []
    current: dict[str, _Written] = {}
    kept: list[tuple[str, str, str]] = []
    for record in times.records:
        for event in flat(record.event):
            match event:
                case Recalled():
                    recalled.add(event.node)
                    parts.append(_recall(record.t, event))
                case Programmed() if event.node in recalled:
                    current[event.node] = _Written(record.t, event)
                    parts.append(current[event.node])
                case Step() if event.node in current:
                    current[event.node].reached.add(event.line)
                case StepCorrected() if event.node in current:
                    note = f"failed, and is corrected: {event.reason}"
                    current[event.node].notes.setdefault(event.line, []).append(note)
                case StepLost() if event.node in current:
                    note = f"failed: {event.reason}"
                    current[event.node].notes.setdefault(event.line, []).append(note)
                case Remembered():
                    kept.append((event.memory, event.key, event.answer))
    for part in parts:
        yield part if isinstance(part, PagePart) else _program(part)
    if kept:
        yield PagePart("Remembered", tuple(kept), ("memory", "request", "answer"))


def _recall(t: float, event: Recalled) -> PagePart:
    rows = tuple((f"{pair['distance']:.2f}", str(pair["key"])) for pair in event.pairs)
    note = "" if rows else "No similar request is remembered."
    return PagePart(f"Remembered at {t:g} s: {event.key}", rows, ("distance", "request"), note=note)


def _program(written: _Written) -> PagePart:
    event, lines = written.event, []
    for number, line in enumerate(event.program.rstrip("\n").split("\n"), 1):
        mark = "•" if number in written.reached else " "
        lines.append(f"{mark} {line}")
        lines += [f"    ! {note}" for note in written.notes.get(number, ())]
    note = f"Written by {event.by}" + (f": {event.because}" if event.because else "")
    title = f"{event.name} for {event.agent}, {written.t:g} s"
    return PagePart(title, text="\n".join(lines), note=f"{note}. Lines with a dot were reached.")
