"""What the trials of workers share."""

from __future__ import annotations

from typing import Any

from treec.conformance.bench import (
    held,
    misbehaviour_of,
    only,
    require_quiet,
)
from treec.conformance.stage import Actor, HostReport, Stage
from treec.conformance.trial import Misbehaviour, Trials
from treec.nodes.worker import Effect, Outcome

WORKERS = Trials("worker")


def require_unchanged(stage: Stage) -> None:
    """Raise Misbehaviour where a play changed the process."""
    if stage.watch.changes:
        raise Misbehaviour(f"it changed {', '.join(stage.watch.changes)}")


def require_no_prints(stage: Stage) -> None:
    """Raise Misbehaviour for the first print of a play."""
    for text, place in stage.watch.prints:
        raise Misbehaviour(f"it printed {text[:40]!r}", place)


def reported_effects(actor: Actor) -> list[tuple[HostReport, tuple[Effect, ...]]]:
    """The effects that a worker reported, where they have their form."""
    found: list[tuple[HostReport, tuple[Effect, ...]]] = []
    for report in actor.reports:
        if not report.bad:
            value: Any = report.value
            found.append((report, tuple(value.effects if report.what == "finish" else value)))
    return found


def verdict(report: HostReport) -> tuple[bool, str]:
    """Whether a reported outcome is ok, and why not."""
    value = report.value
    if not isinstance(value, Outcome):
        return False, "no outcome"
    return value.ok, str(value.failure or "")


def describe(report: HostReport) -> str:
    """A reported outcome in words."""
    ok, why = verdict(report)
    return "success" if ok else f"the failure {why!r}"


def require_cancelled(stage: Stage) -> None:
    """Raise Misbehaviour unless a worker was cancelled as it should be."""
    if stage.watch.is_held:
        raise held(stage)
    actor = only(stage)
    for raised in actor.raised:
        if raised.call == "cancel()":
            raise misbehaviour_of(raised)
    require_quiet(actor)
    for report in actor.cancelled[:1]:
        if report.bad:
            raise Misbehaviour(report.bad)
        if not actor.finishes and verdict(report)[0]:
            raise Misbehaviour("cancel() gave an Outcome that is ok, and the order had not ended")


def require_silence(actor: Actor) -> None:
    """Raise Misbehaviour for a report after `cancel`."""
    for report in actor.reports[actor.reported_at_cancel :]:
        raise Misbehaviour(f"host.{report.what}() was called after cancel()", report.place)
