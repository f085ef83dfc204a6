"""A moment of a run as a case of the whole system: what `treec case add --whole` writes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from treec.files.view import View
from treec.nodes.runtime import NodeError
from treec.source.diagnostics import unknown
from treec.team.events import (
    ActsSettled,
    AgentInterrupted,
    Assigned,
    Proposed,
    Said,
    SubtaskDone,
    SubtaskDropped,
)
from treec.world.events import Event, flat
from treec.world.journal import Record
from treec.world.world import WorldError
from treec_testing.decisions.moments import (
    MomentError,
    RecordedRun,
    restore_runtime,
    time_or_record,
)
from treec_testing.decisions.request_queue import RequestQueue
from treec_testing.decisions.stored_world import to_plain

WINDOW = 10.0
"""Seconds after the moment in which what happened is taken as what must happen."""


def system_case_data(
    run: RecordedRun, at: str, view: View, name: str, says: Sequence[str] | None = None
) -> dict[str, Any]:
    """The case of a moment as plain data; ``says`` replaces the words of the run.

    The moment is an utterance (u17), a time (t=12.5) or a record (120). Raises MomentError.
    """
    n, t, words = _find(run, at, set(view.people))
    before, after = run.records[: n - 1], run.records[n - 1 :]
    try:
        world = restore_runtime(view, before, t, RequestQueue()).world
    except (WorldError, NodeError) as error:
        raise MomentError(f"{run.name}: {at}: {error}") from None
    assert view.system is not None
    data: dict[str, Any] = {
        "case": name,
        "about": f"From the run {run.name}, {at} (t={t:g}, record {n}).",
        "system": view.system.name,
        "world": to_plain(world, view),
        "says": list(words if says is None else says),
    }
    if says is None:
        must = list(dict.fromkeys(_effects(after, set(view.people))))
        if must:
            data["must"] = must
    return data


def _find(run: RecordedRun, at: str, people: set[str]) -> tuple[int, float, list[str]]:
    """The record before which the case begins, the time, and the words that are said there."""
    spoken = {
        event.id: (record.n, record.t, [event.text])
        for record in run.records
        for event in flat(record.event)
        if isinstance(event, Said) and event.who in people
    }
    if at in spoken:
        return spoken[at]
    if at.startswith("u"):
        raise MomentError(f"{run.name}: {unknown('utterance', at, spoken)}")
    key, number = time_or_record(at)
    start = next((r.n for r in run.records if r.by == "scene"), 1) + 1
    for record in run.records[start - 1 :]:
        if getattr(record, key) >= number:
            return record.n, number if key == "t" else record.t, []
    raise MomentError(f"{run.name}: the run ended before {at}")


def _effects(records: Iterable[Record], people: set[str]) -> Iterable[str]:
    """Expressions for what happened, up to the next words of a person."""
    heard = False
    began: float | None = None
    for record in records:
        began = record.t if began is None else began
        if record.t > began + WINDOW:
            return
        events = list(flat(record.event))
        is_talk = any(isinstance(event, ActsSettled) for event in events)
        for event in events:
            if isinstance(event, Said) and event.who in people:
                if heard or began is None:
                    return
                heard = True
            yield from _effect(event, is_talk)


def _effect(event: Event, is_talk: bool) -> Iterable[str]:
    match event:
        case Proposed(drop=False):
            yield f"proposed({event.agent!r}, {event.subtask!r})"
        case Assigned():
            for subtask in event.subtasks:
                agent, words = repr(event.agent), repr(subtask)
                yield f"{words} in queue({agent}) or current({agent}) == {words}"
        case AgentInterrupted():
            yield f"status({event.agent!r}) == 'Interrupted'"
        case SubtaskDropped():
            yield from (f"status({subtask!r}) == 'dropped'" for subtask in event.subtasks)
        case SubtaskDone() if is_talk:
            yield f"done({event.subtask!r})"
