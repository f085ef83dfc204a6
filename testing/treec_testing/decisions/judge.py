"""Answers one case from its recording and reports what differs.

The recorded answer of a model is judged by the current schema, contracts and actions. A case that
was answered offline is answered by the current rules. An answer is used only for the question it
was given to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from treec_testing.decisions.asking_kinds import class_of
from treec_testing.decisions.case_files import Identified
from treec_testing.decisions.cases import DecisionCase
from treec_testing.decisions.equivalence import format_decision
from treec_testing.decisions.findings import CaseFinding
from treec_testing.decisions.request_queue import run_sync
from treec_testing.decisions.situation import DecisionResult
from treec_testing.decisions.system_cases import PlayResult
from treec_testing.recordings.attempt import ALWAYS
from treec_testing.recordings.difference import changed_parts, diff_lines, difference
from treec_testing.recordings.recording import OFFLINE, Recording
from treec_testing.recordings.transport import RecordedTransport

REFRESH = "treec snapshot --refresh '{id}'"
ACCEPT = "treec snapshot --accept '{id}'"


@dataclass
class SnapshotResult:
    """A case, its current decision, and findings."""

    case: DecisionCase
    recording: Recording | None
    decided: DecisionResult | None = None
    expected: dict[str, Any] | None = None
    findings: list[CaseFinding] = field(default_factory=list)

    @property
    def stale(self) -> bool:
        """Whether the question has changed."""
        return any(finding.kind == "stale" for finding in self.findings)


def judge(case: DecisionCase, recording: Recording | None) -> SnapshotResult:
    """Answer a case from its recording and compare. Raises CaseError."""
    judged = SnapshotResult(case, recording)
    add = judged.findings.append
    judged.expected, wrong = expected(case)
    if wrong is not None:
        add(impossible(case, wrong))
    if recording is None:
        text = f"never recorded ({case.about or case.where})"
        add(_make_finding("missing", case, text, "treec snapshot --record"))
        return judged
    edited = recording.edited_part()
    if edited is not None:
        text = f"its recording was edited: the {edited} in it is not what was recorded"
        help = f"undo that, or write 'by: hand' for an answer of your own; {_refresh(case)}"
        add(_make_finding("edited", case, text, help))
        return judged
    contradiction = recording.contradiction()
    if contradiction is not None:
        text = f"its recording was edited: {contradiction}"
        add(_make_finding("edited", case, text, f"undo that, or {_refresh(case)}"))
        return judged
    question = recording.question
    pins = case.pins(question.knows if question is not None else None)
    replay = RecordedTransport([recording])
    model = recording.by not in (OFFLINE, ALWAYS)
    transport = replay if model else None
    result = judged.decided = run_sync(case.situation(pins).decide(transport, pins))
    stale = _stale(case, recording, result, replay)
    if stale is not None:
        add(stale)
    if stale is None or not model:
        _judge_decision(judged, recording, result)
    return judged


def expected(case: DecisionCase) -> tuple[dict[str, Any] | None, str | None]:
    """The decision that a case expects, or why its answer is refused. Raises CaseError."""
    if case.expect is None:
        return None, None
    if any(isinstance(case.expect.get(name), list) for name in class_of(case.entry).OUTCOMES):
        return dict(case.expect), None  # a decision, not an answer
    decided = run_sync(case.situation(case.pins()).expected(case.expect))
    refusals = [a.verdict.removeprefix("refused: ") for a in decided.attempts]
    if not decided.accepted:
        return None, (refusals[0] if refusals else decided.failed or "nothing was asked")
    return decided.decision, None


def _stale(
    case: DecisionCase, recording: Recording, decided: DecisionResult, replay: RecordedTransport
) -> CaseFinding | None:
    before, now = recording.question, decided.question
    if before is None and now is None:
        return None
    if before is None or now is None:
        text = (
            "a certain rule decided, and now it is asked"
            if before is None
            else "it was asked, and now a certain rule decides"
        )
        return _make_finding("stale", case, text, _refresh(case), parts=("always",))
    changes = difference(before, now)
    if not changes:
        if not replay.missed:
            return None
        again = replay.missed[0].request.messages[-1].content
        text = "it is asked again in other words than before"
        return _make_finding("stale", case, text, _refresh(case), (again,), parts=("asked again",))
    parts = changed_parts(changes)
    names = " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    text = f"the {names} changed"
    words = tuple(pair for change in changes for pair in change.words)
    return _make_finding(
        "stale", case, text, _refresh(case), tuple(diff_lines(changes)), tuple(parts), words
    )


def _judge_decision(judged: SnapshotResult, recording: Recording, decided: DecisionResult) -> None:
    case, add = judged.case, judged.findings.append
    before, now = recording.decision, decided.decision
    if before != now:
        details = (f"- {format_decision(before)}", f"+ {format_decision(now)}", *_why(decided))
        unlike = judged.expected is not None and not case.is_equivalent(judged.expected, now)
        why = " --because 'why'" if unlike else ""
        help = f"mend what changed it, or {_accept(case)}{why}"
        add(
            _make_finding(
                "changed",
                case,
                "it decides otherwise than was recorded",
                help,
                details,
                before=before,
                after=now,
            )
        )
        return
    expectation = judged.expected
    if expectation is None or case.is_equivalent(expectation, now):
        return
    accepted = recording.instead_of is not None and case.is_equivalent(
        recording.instead_of, expectation
    )
    if accepted and recording.because:
        return
    details = (
        f"expected {format_decision(expectation)}",
        f"decided  {format_decision(now)}  (by {recording.by})",
        *_why(decided),
    )
    help = f"mend the case, its prompt or the rules, or {_accept(case)} --because 'why'"
    text = "it does not decide as it should" + (", accepted without a reason" if accepted else "")
    add(_make_finding("unlike", case, text, help, details, before=expectation, after=now))


def judge_played(result: PlayResult) -> list[CaseFinding]:
    """What differs when a case of a whole system was played."""
    case = result.case
    if result.missed:
        help = f"{_refresh(case)} --model NAME"
        text = "its answers are those to other requests"
        return [_make_finding("stale", case, text, help, _lines(result.missed))]
    if result.ok:
        return []
    if case.known_failure:
        help = f"remove '{case.author}' from `fails`"
        return [_make_finding("changed", case, "it no longer fails", help)]
    details = (*result.failures, *(f"said: {text}" for text in result.said))
    help = f"mend it, or write why it fails under `fails`, after '{case.author}:'"
    return [_make_finding("unlike", case, "it does not do as it must", help, details)]


def impossible(case: Identified, why: str) -> CaseFinding:
    """The finding of a case whose expected answer is refused, with the reason."""
    text = f"what it expects is refused: {why}"
    return _make_finding("impossible", case, text, "mend the case")


def unreadable(case: Identified, why: str) -> CaseFinding:
    """The finding of a case whose recording cannot be read, with the reason."""
    help = f"undo what was done to it, or {_refresh(case)}"
    return _make_finding("broken", case, "its recording cannot be read", help, _lines(why))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.splitlines())


def _why(decided: DecisionResult) -> tuple[str, ...]:
    return tuple(f"an answer was {a.verdict}" for a in decided.attempts if a.verdict != "accepted")


def _make_finding(
    kind: str,
    case: Identified,
    text: str,
    help: str,
    details: tuple[str, ...] = (),
    parts: tuple[str, ...] = (),
    words: tuple[tuple[str, str], ...] = (),
    *,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> CaseFinding:
    return CaseFinding(kind, case.id, text, help, case.where, details, parts, words, before, after)


def _refresh(case: Identified) -> str:
    return REFRESH.format(id=case.id)


def _accept(case: DecisionCase) -> str:
    return ACCEPT.format(id=case.id)
