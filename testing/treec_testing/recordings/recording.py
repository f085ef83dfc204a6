"""Recordings: a question, every answer to it with its verdict, and the decision.

Each is one YAML file, made for review, which :mod:`treec_testing.recordings.folder` handles.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pydantic import Field

from treec.files.fields import Model
from treec_models.fingerprint import FingerprintParts, fingerprint
from treec_testing.recordings.attempt import ALWAYS, Attempt

OFFLINE, HAND = "offline", "hand"
"""Values of `by` without a model, beside ALWAYS: the offline rules, a person with an editor."""


class RecordingError(Exception):
    """A recording cannot be read or written; the message says where and why."""


class RecordedExample(Model):
    """An example of the prompt."""

    seen: str
    answer: str


class RecordedRequest(Model):
    """The request, part by part."""

    system: str = ""
    instructions: str = ""
    examples: list[RecordedExample] = []
    observation: str = ""
    schema_: dict[str, Any] = Field({}, alias="schema")
    model: str | None = None
    temperature: float | None = None
    knows: dict[str, Any] = {}

    def question(self, node: str = "", kind: str = "") -> FingerprintParts:
        """The request as a question of a node."""
        return FingerprintParts(
            node=node,
            kind=kind,
            observation=self.observation,
            system=self.system,
            instructions=self.instructions,
            examples=tuple((one.seen, one.answer) for one in self.examples),
            schema=self.schema_,
            model=self.model,
            temperature=self.temperature,
            knows=self.knows,
        )


class Recording(Model):
    """A case's question, the answers and the decision. Without a request no model was asked.

    ``instead_of`` is the decision that the case expected if another one was accepted, and
    ``because`` the reason for that.
    """

    recording: str
    node: str
    kind: str
    by: str
    decision: dict[str, Any]
    instead_of: dict[str, Any] | None = None
    because: str = ""
    fingerprint: dict[str, str] = {}
    request: RecordedRequest | None = None
    attempts: list[Attempt] = []

    @property
    def question(self) -> FingerprintParts | None:
        """The question that was answered."""
        return None if self.request is None else self.request.question(self.node, self.kind)

    def edited_part(self) -> str | None:
        """The part of the file that was edited since it was recorded; None if none was."""
        question = self.question
        fingerprints = {**(question.fingerprints() if question else {}), **_answers(self.attempts)}
        wrong = [
            name
            for name in (*fingerprints, *self.fingerprint)
            if fingerprints.get(name) != self.fingerprint.get(name)
        ]
        if self.by == HAND:
            wrong = [name for name in wrong if name != "answers"]
        return wrong[0] if wrong else None

    def contradiction(self) -> str | None:
        """Why `by` contradicts the rest of the file; None if it does not."""
        if self.attempts:
            last = self.attempts[-1].by
            known = self.by in (HAND, last)
            return None if known else f"'by' says {self.by}, and the last answer is by {last}"
        if self.by not in (OFFLINE, ALWAYS):
            return f"'by' says {self.by}, and no answer stands in it"
        if (self.request is None) != (self.by == ALWAYS):
            request = "a request" if self.request is not None else "no request"
            return f"'by' says {self.by}, and {request} is recorded"
        return None


def make_recording(
    name: str,
    question: FingerprintParts | None,
    by: str,
    decision: Mapping[str, object],
    attempts: list[Attempt],
    *,
    node: str,
    kind: str,
    instead_of: Mapping[str, object] | None = None,
    because: str = "",
) -> Recording:
    """A new recording, with its fingerprints."""
    request = None
    if question is not None:
        request = RecordedRequest(
            system=question.system,
            instructions=question.instructions,
            examples=[RecordedExample(seen=s, answer=a) for s, a in question.examples],
            observation=question.observation,
            schema=dict(question.schema),
            model=question.model,
            temperature=question.temperature,
            knows=dict(question.knows),
        )
    fingerprints = question.fingerprints() if question is not None else {}
    return Recording(
        recording=name,
        node=node,
        kind=kind,
        by=by,
        decision=dict(decision),
        instead_of=None if instead_of is None else dict(instead_of),
        because=because,
        fingerprint={**fingerprints, **_answers(attempts)},
        request=request,
        attempts=attempts,
    )


def _answers(attempts: list[Attempt]) -> dict[str, str]:
    """The fingerprint that reveals edited answers."""
    if not attempts:
        return {}
    return {"answers": fingerprint([[one.asked, one.by, one.answer] for one in attempts])}


def slug(text: str, longest: int = 60) -> str:
    """A text as a file name: lower-case words joined by dashes, cut between words."""
    words = re.findall(r"[a-z0-9_]+", text.lower().replace("'", ""))
    name = ""
    for word in words:
        if name and len(name) + len(word) >= longest:
            break
        name += ("-" if name else "") + word[:longest]
    return name


def recording_data(recording: Recording) -> dict[str, Any]:
    """A recording as plain data in the order of the file, without empty fields."""
    data = recording.model_dump(by_alias=True)
    for key in ("instead_of", "request"):
        if data[key] is None:
            del data[key]
    for key in ("model", "temperature"):
        if key in data.get("request", {}) and data["request"][key] is None:
            del data["request"][key]
    if not recording.because:
        del data["because"]
    if not recording.attempts:
        del data["attempts"]
    for attempt in data.get("attempts", ()):
        for key in ("input_tokens", "output_tokens", "cost", "seconds", "confidence"):
            if attempt[key] is None:
                del attempt[key]
        if not attempt["tries"]:
            del attempt["tries"]
    return data
