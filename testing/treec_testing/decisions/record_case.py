"""Recording cases, and accepting changed decisions."""

from __future__ import annotations

from treec.ask.transport import Transport
from treec.files.kinds import recorded_kind
from treec_testing.decisions.asking_kinds import class_of
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.equivalence import format_decision
from treec_testing.decisions.judge import REFRESH, SnapshotResult
from treec_testing.decisions.situation import NOBODY
from treec_testing.recordings.attempt import ALWAYS
from treec_testing.recordings.recording import OFFLINE, Recording, make_recording


class CannotRecord(Exception):
    """A case that cannot be answered now. The message has the reason."""


class CannotAccept(Exception):
    """A decision that cannot be accepted now. The message has the reason."""


async def record(
    case: DecisionCase, transport: Transport | None, before: Recording | None = None
) -> Recording:
    """Ask a case and make a recording of it. Raises CannotRecord and CaseError.

    Without a transport the node's own rules answer. A changed decision is not recorded until it is
    accepted: the recording keeps that of ``before``.
    """
    kind = class_of(case.entry)
    if transport is None and not kind.answers_offline(case.entry, case.view):
        raise CannotRecord(f"{case.id}: {case.entry.name} has no rules: specify a --model")
    pins = case.pins()
    result = await case.situation(pins).decide(transport, pins)
    refusals = [a.verdict for a in result.attempts if a.verdict != "accepted"]
    if transport is not None and len(result.attempts) < len(result.requests):  # one has no answer
        raise CannotRecord(f"{case.id}: {refusals[-1] if refusals else result.failed}")
    if result.by == NOBODY:
        raise CannotRecord(f"{case.id}: {result.decision['failed']}: --model, or --answer FILE")
    if result.attempts:
        by = result.attempts[-1].by
    else:
        by = OFFLINE if result.question is not None else ALWAYS
    decision = result.decision
    if before is not None and not case.is_equivalent(before.decision, decision):
        decision = before.decision
    entry = case.entry
    return make_recording(
        case.id,
        result.question,
        by,
        decision,
        result.attempts,
        node=entry.name,
        kind=recorded_kind(entry),
        instead_of=None if before is None else before.instead_of,
        because="" if before is None else before.because,
    )


def accept(snapshot: SnapshotResult, because: str = "") -> Recording | None:
    """The recording with the current decision; None if nothing changes.

    Raises CannotAccept if the question has changed, or if the decision is not the expected one and
    no reason was given, now or before for the same decision.
    """
    case, recording, result = snapshot.case, snapshot.recording, snapshot.decided
    if any(finding.kind == "broken" for finding in snapshot.findings):
        raise CannotAccept(f"{case.id}: its recording cannot be read: treec snapshot says where")
    if recording is None:
        raise CannotAccept(f"{case.id} was never recorded: treec snapshot --record")
    if snapshot.stale or result is None:
        help = REFRESH.format(id=case.id)
        raise CannotAccept(
            f"{case.id}: the question has changed since it was recorded: run {help} first"
        )
    expected = snapshot.expected
    unlike = expected is not None and not case.is_equivalent(expected, result.decision)
    if unlike and not because and case.is_equivalent(recording.decision, result.decision):
        because = recording.because
    if unlike and not because:
        decides, expects = format_decision(result.decision), format_decision(expected or {})
        raise CannotAccept(
            f"{case.id} decides {decides}, but {expects} is expected: add --because 'why'"
        )
    fresh = recording.model_copy(
        update={
            "decision": result.decision,
            "instead_of": expected if unlike else None,
            "because": because if unlike else "",
        }
    )
    return None if fresh == recording else fresh
