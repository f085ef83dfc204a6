"""Cases answered from recordings, and what differs: the question, the decision, what is expected.

A case whose recording is of a model is answered with what the model said then, judged by today's
schema, contracts and actions. One that was answered offline is answered by today's rules. An answer
is used for the question it was given to, and for no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from engine.ask.fingerprint import whole
from engine.ask.fingerprint_difference import changed_parts, difference, shown
from engine.ask.recordings import (
    ALWAYS,
    OFFLINE,
    Recording,
    read_recording,
    recorded,
    recording_files,
    write_recording,
)
from engine.ask.recordings_transport import NotRecorded
from engine.ask.transport import Answer, Request, Transport
from engine.decisions import likeness
from engine.decisions.cases import RECORDINGS, Case, recording_path
from engine.decisions.desk import NobodyThere, at_once
from engine.decisions.findings import Finding, Tally
from engine.decisions.situation import Decided

REFRESH = "treec snapshot --refresh '{id}'"
ACCEPT = "treec snapshot --accept '{id}'"


class CannotRecord(Exception):
    """A case that nobody can answer now; says why."""


class CannotAccept(Exception):
    """A decision that cannot be accepted as things stand; says why."""


class Replay:
    """Gives the recorded answers to the questions they were given to."""

    def __init__(self, recording: Recording) -> None:
        self._answers = {attempt.asked: attempt for attempt in recording.attempts}
        self.missed: Request | None = None

    async def ask(self, request: Request) -> Answer:
        """The recorded answer. Raises NotRecorded."""
        attempt = self._answers.get(whole(request))
        if attempt is None:
            self.missed = self.missed or request
            raise NotRecorded("this was not asked when it was recorded")
        return Answer(attempt.answer, attempt.by)


@dataclass
class Judged:
    """A case, what it decides now, and what is to be said of it."""

    case: Case
    recording: Recording | None
    decided: Decided | None = None
    expected: dict[str, Any] | None = None
    findings: list[Finding] = field(default_factory=list)

    @property
    def stale(self) -> bool:
        """Whether the question has changed."""
        return any(finding.kind == "stale" for finding in self.findings)


def judge(case: Case, recording: Recording | None) -> Judged:
    """Answer a case from its recording, and say what differs. Raises CaseError."""
    judged = Judged(case, recording)
    add = judged.findings.append
    judged.expected, wrong = expected(case)
    if wrong is not None:
        add(_finding("impossible", case, f"what it expects is refused: {wrong}", "mend the case"))
    if recording is None:
        text = f"never recorded ({case.about or case.where})"
        add(_finding("missing", case, text, "treec snapshot --record"))
        return judged
    edited = recording.tampered()
    if edited is not None:
        text = f"its recording was edited: the {edited} in it is not what was recorded"
        help = f"undo that, or write 'by: hand' for an answer of your own; {_refresh(case)}"
        add(_finding("edited", case, text, help))
        return judged
    asked = recording.question
    pins = case.pins(asked.knows if asked is not None else None)
    replay = Replay(recording)
    model = recording.by not in (OFFLINE, ALWAYS)
    transport: Transport = replay if model else NobodyThere()
    decided = judged.decided = at_once(case.situation(pins).decide(transport, pins))
    stale = _stale(case, recording, decided, replay)
    if stale is not None:
        add(stale)
    if stale is None or not model:
        _judge_decision(judged, recording, decided)
    return judged


def expected(case: Case) -> tuple[dict[str, Any] | None, str | None]:
    """The decision that a case expects, and why it is none. Raises CaseError."""
    if case.expect is None:
        return None, None
    if "steps" in case.expect:
        return dict(case.expect), None
    decided = at_once(case.situation(case.pins()).expected(case.expect))
    refused = [a.verdict.removeprefix("refused: ") for a in decided.attempts]
    if not decided.accepted:
        return None, (refused[0] if refused else decided.failed or "nothing was asked")
    return decided.decision, None


def _stale(case: Case, recording: Recording, decided: Decided, replay: Replay) -> Finding | None:
    before, now = recording.question, decided.question
    if before is None and now is None:
        return None
    if before is None or now is None:
        text = (
            "a certain rule decided, and now it is asked"
            if before is None
            else "it was asked, and now a certain rule decides"
        )
        return _finding("stale", case, text, _refresh(case), parts=("always",))
    changes = difference(before, now)
    if not changes:
        if replay.missed is None:
            return None
        again = replay.missed.messages[-1].content
        text = "it is asked again in other words than before"
        return _finding("stale", case, text, _refresh(case), (again,), parts=("asked again",))
    parts = changed_parts(changes)
    names = " and ".join(parts) if len(parts) < 3 else f"{', '.join(parts[:-1])} and {parts[-1]}"
    text = f"the {names} changed"
    words = tuple(pair for change in changes for pair in change.words)
    return _finding("stale", case, text, _refresh(case), tuple(shown(changes)), tuple(parts), words)


def _judge_decision(judged: Judged, recording: Recording, decided: Decided) -> None:
    case, add = judged.case, judged.findings.append
    before, now = recording.decision, decided.decision
    if before != now:
        details = (f"- {likeness.shown(before)}", f"+ {likeness.shown(now)}", *_why(decided))
        help = f"mend what changed it, or {_accept(case)}"
        add(
            _finding(
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
    wanted = judged.expected
    if wanted is None or likeness.alike(wanted, now):
        return
    if recording.instead_of is not None and likeness.alike(recording.instead_of, wanted):
        return
    details = (
        f"expected {likeness.shown(wanted)}",
        f"decided  {likeness.shown(now)}  (by {recording.by})",
        *_why(decided),
    )
    help = f"mend the prompt or the rules, or {_accept(case)}"
    text = "it does not decide as it should"
    add(_finding("unlike", case, text, help, details, before=wanted, after=now))


def _why(decided: Decided) -> tuple[str, ...]:
    return tuple(f"an answer was {a.verdict}" for a in decided.attempts if a.verdict != "accepted")


def _finding(
    kind: str,
    case: Case,
    text: str,
    help: str,
    details: tuple[str, ...] = (),
    parts: tuple[str, ...] = (),
    words: tuple[tuple[str, str], ...] = (),
    *,
    before: Mapping[str, object] | None = None,
    after: Mapping[str, object] | None = None,
) -> Finding:
    return Finding(kind, case.id, text, help, case.where, details, parts, words, before, after)


def _refresh(case: Case) -> str:
    return REFRESH.format(id=case.id)


def _accept(case: Case) -> str:
    return ACCEPT.format(id=case.id)


# Recording and accepting


async def record(
    case: Case, transport: Transport | None, before: Recording | None = None
) -> Recording:
    """Ask a case today's question. Raises CannotRecord and CaseError.

    Without a transport the node's own rules answer. Of a case that was recorded before, the
    decision stays what it was until another one is accepted.
    """
    if transport is None and not answers_offline(case):
        raise CannotRecord(f"{case.id}: {case.entry.name} has no rules of its own: name a --model")
    pins = case.pins()
    decided = await case.situation(pins).decide(transport or NobodyThere(), pins)
    if transport is not None and decided.failed is not None:
        raise CannotRecord(f"{case.id}: {decided.failed}")
    if decided.attempts:
        by = decided.attempts[-1].by
    else:
        by = OFFLINE if decided.question is not None else ALWAYS
    decision = decided.decision
    kept = None
    if before is not None and not likeness.alike(before.decision, decision):
        decision = before.decision
    if before is not None and before.instead_of is not None:
        kept = before.instead_of
    entry = case.entry
    return recorded(
        case.id,
        decided.question,
        by,
        decision,
        decided.attempts,
        node=entry.name,
        kind=entry.kind,
        instead_of=kept,
    )


def answers_offline(case: Case) -> bool:
    """Whether the node can decide without a model."""
    model, kind = case.entry.model, case.entry.kind
    if kind == "reading":
        return model.parser is not None
    if kind == "program":
        return model.offline is not None
    offers = kind == "decision" and bool(case.view.offers_to(case.entry.name))
    return bool(model.offline or model.always or offers)


def accept(judged: Judged) -> Recording | None:
    """The recording with today's decision in it; None if it says that already.

    Raises CannotAccept: an answer to another question is never kept as one to this.
    """
    case, recording, decided = judged.case, judged.recording, judged.decided
    if recording is None:
        raise CannotAccept(f"{case.id} was never recorded: treec snapshot --record")
    if judged.stale or decided is None:
        raise CannotAccept(
            f"{case.id}: what was recorded answers another question: {_refresh(case)} first"
        )
    wanted = judged.expected
    unlike = wanted is not None and not likeness.alike(wanted, decided.decision)
    fresh = recording.model_copy(
        update={"decision": decided.decision, "instead_of": wanted if unlike else None}
    )
    return None if fresh == recording else fresh


# All cases


@dataclass
class Snapshot:
    """The cases of a library and their recordings."""

    root: Path
    cases: list[Case]
    recordings: dict[str, Recording]

    @classmethod
    def open(cls, root: Path, cases: list[Case]) -> Snapshot:
        """Read the recordings. Raises RecordingError."""
        found: dict[str, Recording] = {}
        folder = root / RECORDINGS
        for path in recording_files(folder):
            id = path.relative_to(folder).as_posix().removesuffix(".yaml")
            found[id] = read_recording(path, path.relative_to(root).as_posix())
        return cls(root, cases, found)

    def judge(self, chosen: Iterable[Case], *, unused: bool = True) -> Tally:
        """Answer cases from their recordings. Raises CaseError."""
        tally = Tally()
        for case in chosen:
            judged = judge(case, self.recordings.get(case.id))
            tally.cases += 1
            tally.findings += judged.findings
            recording = judged.recording
            if recording is not None and judged.decided is not None and not judged.stale:
                wanted = judged.expected
                same = None if wanted is None else likeness.alike(wanted, judged.decided.decision)
                tally.count(recording.by, same)
                tally.accepted += recording.instead_of is not None and same is False
        if unused:
            tally.findings += self.unused()
        return tally

    def unused(self) -> list[Finding]:
        """Recordings that no case asks for."""
        known = {case.id for case in self.cases}
        files = {id: f"{RECORDINGS}/{id}.yaml" for id in self.recordings if id not in known}
        return [
            Finding("unused", id, "no case asks this", f"delete {file}", file)
            for id, file in files.items()
        ]

    def prune(self) -> list[str]:
        """Delete the recordings that no case asks for; their names."""
        gone = [finding.case for finding in self.unused()]
        for id in gone:
            recording_path(self.root, id).unlink()
            del self.recordings[id]
        return gone

    def keep(self, id: str, recording: Recording) -> Path:
        """Write a recording. Raises RecordingError."""
        path = recording_path(self.root, id)
        write_recording(path, recording)
        self.recordings[id] = recording
        return path
