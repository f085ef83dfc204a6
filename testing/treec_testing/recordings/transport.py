"""A transport that answers from recordings, for tests, and one that records another.

Answers are looked up by the fingerprint of the whole request, so that a changed prompt is a miss
and never gets the answer to another question.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from difflib import SequenceMatcher
from pathlib import Path
from types import TracebackType

from treec.ask.transport import (
    Answer,
    Request,
    Transport,
    TransportError,
    Unavailable,
    is_decision_model,
)
from treec_models.fingerprint import FingerprintParts, request_fingerprint
from treec_models.redaction import Redactor
from treec_testing.recordings.attempt import Attempt, attempt_of
from treec_testing.recordings.difference import diff_lines, difference
from treec_testing.recordings.folder import RecordingFolder
from treec_testing.recordings.recording import OFFLINE, Recording, make_recording, slug


class NotRecorded(TransportError):
    """No recording answers this question; the message names the nearest one and the difference."""

    def __init__(self, message: str, request: Request) -> None:
        super().__init__(message)
        self.request = request


class RecordedTransport:
    """Answers from recordings. Use it in a ``with`` statement: its end raises the first miss.

    A question that is asked several times gets its answers in order, then the last one again.
    Since a node without an answer falls back, a miss alone would pass unnoticed: ``missed`` holds
    all of them. ``unused`` are the recordings that were not asked for.
    """

    def __init__(self, recordings: Iterable[Recording]) -> None:
        self.recordings = tuple(recordings)
        self.missed: list[NotRecorded] = []
        self._answers: dict[str, tuple[Recording, list[Attempt]]] = {}
        self._offline = {r.fingerprint.get("whole"): r for r in self.recordings if r.by == OFFLINE}
        self._used: set[str] = set()
        self._given: dict[str, int] = {}
        for recording in self.recordings:
            for attempt in recording.attempts:
                other, known = self._answers.setdefault(attempt.asked, (recording, []))
                known.append(attempt)
                if other is not recording and known[0].answer != attempt.answer:
                    names = f"{other.recording} and {recording.recording}"
                    raise ValueError(f"{names} answer the same question differently")

    @classmethod
    def of(cls, folder: Path) -> RecordedTransport:
        """The recordings in a folder and its subfolders. Raises RecordingError."""
        return cls(RecordingFolder(folder).read_all())

    async def ask(self, request: Request) -> Answer:
        """The recorded answer. Raises NotRecorded; Unavailable where offline rules answered."""
        key = request_fingerprint(request)
        recorded = self._answers.get(key)
        if recorded is None:
            offline = self._offline.get(key)
            if offline is not None:
                self._used.add(offline.recording)
                raise Unavailable(f"{offline.recording} was answered offline")
            missed = NotRecorded(self._describe_miss(request), request)
            self.missed.append(missed)
            raise missed
        recording, known = recorded
        number = self._given.get(key, 0)
        self._given[key] = number + 1
        attempt = known[min(number, len(known) - 1)]
        self._used.add(recording.recording)
        return Answer(
            text=attempt.answer,
            by=attempt.by,
            input_tokens=attempt.input_tokens,
            confidence=attempt.confidence,
            output_tokens=attempt.output_tokens,
            cost=attempt.cost,
            seconds=attempt.seconds,
            tries=tuple(attempt.tries),
        )

    @property
    def model(self) -> str | None:
        """The decision model that was asked, if it was one: its questions have another form."""
        authors = (attempt.by for one in self.recordings for attempt in one.attempts)
        return next((by.partition("@")[0] for by in authors if is_decision_model(by)), None)

    @property
    def unused(self) -> list[str]:
        """The names of the recordings that were not asked for."""
        return [r.recording for r in self.recordings if r.recording not in self._used]

    def __enter__(self) -> RecordedTransport:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        if kind is None and self.missed:
            raise self.missed[0]

    def _describe_miss(self, request: Request) -> str:
        question = FingerprintParts.of(request)
        near = nearest(question, self.recordings)
        attempt = f", asked for the {request.attempt}. time" if request.attempt > 1 else ""
        head = f"{request.node}{attempt}: no recording answers this question"
        if near is None:
            return f"{head}, nor any other of {request.node}"
        before = near.question
        assert before is not None
        # The split of the first text into system and instructions is the recording's.
        after = FingerprintParts.of(request, before.system, before.knows)
        changes = list(diff_lines(difference(before, after))) or ["what came before it differs"]
        return "\n  ".join((f"{head}; nearest is '{near.recording}':", *changes))


def nearest(question: FingerprintParts, recordings: Iterable[Recording]) -> Recording | None:
    """The recording of the same node with the most similar question."""

    def likeness(recording: Recording) -> float:
        other = recording.question
        assert other is not None
        same = sum(
            a == b for a, b in zip(question.parts().values(), other.parts().values(), strict=True)
        )
        ratio = SequenceMatcher(None, question.observation, other.observation).quick_ratio()
        return same + ratio

    candidates = [r for r in recordings if r.node == question.node and r.question is not None]
    return max(candidates, key=likeness, default=None)


class Recorder:
    """Records the answers of another transport, without keys. Failures are not recorded."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport
        self.timeout: float | None = getattr(transport, "timeout", None)
        self._redact = Redactor.of_environment(os.environ)
        self._kept: dict[str, tuple[FingerprintParts, list[Attempt]]] = {}

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError."""
        answer = await self._transport.ask(request)
        first = FingerprintParts.of(request)
        attempts = self._kept.setdefault(first.whole, (first, []))[1]
        if request.attempt > 1 and attempts:
            last = attempts[-1]
            attempts[-1] = last.model_copy(update={"verdict": request.messages[-1].content})
        attempts.append(attempt_of(request, answer, self._redact))
        return answer

    def recordings(self) -> list[Recording]:
        """One recording per question."""
        recordings = []
        for key, (question, attempts) in self._kept.items():
            name = f"{question.node}/{slug(question.observation, 40)}-{key[:6]}"
            decision: dict[str, object] = {"answer": attempts[-1].answer}
            by = attempts[-1].by
            recordings.append(
                make_recording(
                    name, question, by, decision, attempts, node=question.node, kind=question.kind
                )
            )
        return recordings

    def save(self, folder: Path) -> list[Path]:
        """Write the recordings into a folder, one file each. Raises RecordingError."""
        paths, recordings = [], RecordingFolder(folder)
        for recording in self.recordings():
            path = folder / f"{recording.recording}.yaml"
            recordings.write(path, recording)
            paths.append(path)
        return paths
