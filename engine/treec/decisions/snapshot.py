"""Answers cases from their recordings and reports what differs.

The recorded answer of a model is judged by the current schema, contracts and actions. A case that
was answered offline is answered by the current rules. An answer is used only for the question it
was given to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treec.ask.fingerprint import request_fingerprint
from treec.ask.fingerprint_difference import changed_parts, diff_lines, difference
from treec.ask.recording_folder import RecordingFolder
from treec.ask.recordings import (
    ALWAYS,
    OFFLINE,
    Recording,
    RecordingError,
)
from treec.ask.recordings_transport import NotRecorded
from treec.ask.transport import Answer, Request, Transport
from treec.decisions.cases import RECORDINGS, DecisionCase, recording_path
from treec.decisions.equivalence import format_decision
from treec.decisions.findings import CaseFinding, Tally
from treec.decisions.request_queue import OfflineTransport, run_sync
from treec.decisions.situation import DecisionResult
from treec.nodes.asking_kinds import class_of

REFRESH = "treec snapshot --refresh '{id}'"
ACCEPT = "treec snapshot --accept '{id}'"
PRUNE = "treec snapshot --prune"


class RecordedAnswers:
    """A transport that answers the recorded questions."""

    def __init__(self, recording: Recording) -> None:
        self._answers = {attempt.asked: attempt for attempt in recording.attempts}
        self.missed: Request | None = None

    async def ask(self, request: Request) -> Answer:
        """The recorded answer. Raises NotRecorded."""
        attempt = self._answers.get(request_fingerprint(request))
        if attempt is None:
            self.missed = self.missed or request
            raise NotRecorded("this question was not recorded")
        return Answer(attempt.answer, attempt.by)


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
        add(
            _make_finding(
                "impossible", case, f"what it expects is refused: {wrong}", "mend the case"
            )
        )
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
    replay = RecordedAnswers(recording)
    model = recording.by not in (OFFLINE, ALWAYS)
    transport: Transport = replay if model else OfflineTransport()
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
    case: DecisionCase, recording: Recording, decided: DecisionResult, replay: RecordedAnswers
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
        if replay.missed is None:
            return None
        again = replay.missed.messages[-1].content
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


def _lines(text: str) -> tuple[str, ...]:
    return tuple(text.splitlines())


def _why(decided: DecisionResult) -> tuple[str, ...]:
    return tuple(f"an answer was {a.verdict}" for a in decided.attempts if a.verdict != "accepted")


def _make_finding(
    kind: str,
    case: DecisionCase,
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


def _refresh(case: DecisionCase) -> str:
    return REFRESH.format(id=case.id)


def _accept(case: DecisionCase) -> str:
    return ACCEPT.format(id=case.id)


# All cases


@dataclass
class Snapshot:
    """The cases of a library and their recordings."""

    root: Path
    folder: RecordingFolder
    cases: list[DecisionCase]
    recordings: dict[str, Recording]
    broken: dict[str, str] = field(default_factory=dict)
    """Ids of unreadable recordings, with file, line and reason."""

    @classmethod
    def open(cls, root: Path, cases: list[DecisionCase]) -> Snapshot:
        """Read the recordings; unreadable ones go to ``broken``."""
        found: dict[str, Recording] = {}
        broken: dict[str, str] = {}
        folder = RecordingFolder(root / RECORDINGS, root)
        for path in folder.files():
            id = path.relative_to(folder.path).as_posix().removesuffix(".yaml")
            try:
                found[id] = folder.read(path)
            except RecordingError as error:
                broken[id] = str(error)
        return cls(root, folder, cases, found, broken)

    def judge(self, chosen: Iterable[DecisionCase], *, unused: bool = True) -> Tally:
        """Answer cases from their recordings. Raises CaseError."""
        tally = Tally()
        for case in chosen:
            judged = self.judge_case(case)
            tally.cases += 1
            tally.findings += judged.findings
            recording = judged.recording
            if recording is not None and judged.decided is not None and not judged.stale:
                expectation = judged.expected
                same = (
                    None
                    if expectation is None
                    else case.is_equivalent(expectation, judged.decided.decision)
                )
                tally.count(recording.by, same)
                if recording.instead_of is not None and same is False and recording.because:
                    tally.accepted[case.id] = recording.because
        if unused:
            tally.findings += self.unused()
        return tally

    def judge_case(self, case: DecisionCase) -> SnapshotResult:
        """A case answered from its recording. Raises CaseError."""
        why = self.broken.get(case.id)
        if why is None:
            return judge(case, self.recordings.get(case.id))
        help = f"undo what was done to it, or {_refresh(case)}"
        found = _make_finding("broken", case, "its recording cannot be read", help, _lines(why))
        return SnapshotResult(case, None, findings=[found])

    def unused(self) -> list[CaseFinding]:
        """Findings for recordings that no case uses, and for parts that no recording uses."""
        known = {case.id for case in self.cases}
        every = (*self.recordings, *self.broken)
        files = {id: f"{RECORDINGS}/{id}.yaml" for id in every if id not in known}
        parts = [path.relative_to(self.root).as_posix() for path in self._unused_parts()]
        return [
            *(CaseFinding("unused", i, "no case asks this", PRUNE, f) for i, f in files.items()),
            *(
                CaseFinding("unused", f, "no recording refers to this part", PRUNE, f)
                for f in parts
            ),
        ]

    def prune(self) -> list[str]:
        """Delete what `unused` finds, and store parts of older recordings apart.

        Returns a line for each. Raises RecordingError.
        """
        done = []
        for id in {*self.recordings, *self.broken} - {case.id for case in self.cases}:
            recording_path(self.root, id).unlink()
            self.recordings.pop(id, None)
            self.broken.pop(id, None)
            done.append(f"deleted the recording of {id}")
        for id in self.recordings:
            if self.folder.detach_parts(recording_path(self.root, id)):
                done.append(f"stored the parts of {id} apart")
        return sorted(done) + self.prune_parts()

    def prune_parts(self) -> list[str]:
        """Delete the parts that no recording uses. Returns a line for each."""
        done = []
        for path in self._unused_parts():
            path.unlink()
            done.append(f"deleted {path.relative_to(self.root).as_posix()}")
        return done

    def _unused_parts(self) -> list[Path]:
        """None while a recording cannot be read: it may use any."""
        return [] if self.broken else self.folder.unused_parts(self.recordings.values())

    def save(self, id: str, recording: Recording) -> Path:
        """Write a recording. Raises RecordingError."""
        path = recording_path(self.root, id)
        self.folder.write(path, recording)
        self.recordings[id] = recording
        self.broken.pop(id, None)
        return path
