"""Recordings: a question, every answer to it with its verdict, and the decision.

Each is one YAML file, made for review. A recording is written to a temporary file, read back and
compared before it replaces the old one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from treec.ask.fingerprint import FingerprintParts, fingerprint
from treec.ask.recordings_yaml import Unwritable, to_yaml
from treec.ask.redaction import Redactor
from treec.atomic import atomic_writer
from treec.files.fields import Model
from treec.files.validate import problems_of
from treec.source.diagnostics import Diagnostic
from treec.source.yaml import Document, YamlNode, plain, read_documents, read_file
from treec.source.yaml import Mapping as MappingNode

ALWAYS, OFFLINE, HAND = "always", "offline", "hand"
"""Values of `by` without a model: an `always` rule, the offline rules, a person with an editor."""

UNSCORED = (ALWAYS, OFFLINE, HAND)


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


class Attempt(Model):
    """An answer: to which request, by whom, and the node's verdict."""

    asked: str
    by: str
    answer: str
    verdict: str = "accepted"
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    tries: list[str] = []


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
        request = self.request
        if request is None:
            return None
        return FingerprintParts(
            node=self.node,
            kind=self.kind,
            observation=request.observation,
            system=request.system,
            instructions=request.instructions,
            examples=tuple((one.seen, one.answer) for one in request.examples),
            schema=request.schema_,
            model=request.model,
            temperature=request.temperature,
            knows=request.knows,
        )

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
    found = ""
    for word in words:
        if found and len(found) + len(word) >= longest:
            break
        found += ("-" if found else "") + word[:longest]
    return found


def recording_data(recording: Recording) -> dict[str, Any]:
    """A recording as plain data in the order of the file, without empty fields."""
    data = recording.model_dump(by_alias=True)
    for key in ("instead_of", "request"):
        if data[key] is None:
            del data[key]
    if not recording.because:
        del data["because"]
    if not recording.attempts:
        del data["attempts"]
    for attempt in data.get("attempts", ()):
        for key in ("input_tokens", "output_tokens", "cost", "seconds"):
            if attempt[key] is None:
                del attempt[key]
        if not attempt["tries"]:
            del attempt["tries"]
    return data


def read_recording(path: Path, shown: str | None = None) -> Recording:
    """Read a recording. Raises RecordingError."""
    where = shown or str(path)
    root = _read(path, where)
    if not isinstance(root, MappingNode):
        raise RecordingError(f"{root.span}: a recording is a mapping of keys to values")
    data = plain(root)
    try:
        return Recording.model_validate(data)
    except ValidationError as error:
        wrong = sorted(problems_of(error, data, root, Recording))
        raise RecordingError("\n".join(map(_line, wrong))) from None


def write_recording(path: Path, recording: Recording) -> None:
    """Write a recording and verify that it reads back the same. Raises RecordingError."""
    data = recording_data(recording)
    _refuse_keys(path, data)
    try:
        text = to_yaml(data)
    except Unwritable as error:
        raise RecordingError(f"{path}: {error}") from None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_writer(path, sync=True) as file:
            file.write(text.encode("utf-8"))
            file.flush()
            if not _same(plain(_read(Path(file.name), str(path))), data):
                raise RecordingError(
                    f"{path}: what was written does not read as it was; nothing kept"
                )
    except OSError as error:
        raise RecordingError(f"{path}: cannot be written: {error.strerror}") from error


def recording_files(folder: Path) -> list[Path]:
    """The recordings in a folder and its subfolders, sorted by path."""
    if not folder.is_dir():
        return []
    found = (path for path in folder.rglob("*.yaml") if not path.name.startswith("."))
    return sorted(found, key=lambda path: path.as_posix())


def _line(problem: Diagnostic) -> str:
    help = f": {problem.help}" if problem.help else ""
    return f"{problem.span}: {problem.message}{help}"


def _read(path: Path, shown: str) -> YamlNode:
    file, problems = read_file(path, shown)
    documents: list[Document] = []
    if file is not None:
        documents, problems = read_documents(file)
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise RecordingError("\n".join(map(_line, errors)))
    if len(documents) != 1:
        raise RecordingError(f"{shown}: a recording is one document, not {len(documents)}")
    return documents[0].root


def _same(one: object, other: object) -> bool:
    """Equality that distinguishes 1, 1.0 and true."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return list(one) == list(other) and all(_same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _refuse_keys(path: Path, data: object) -> None:
    """Raise RecordingError if the library's own texts contain what looks like a key."""
    redact = Redactor.of_environment(os.environ)
    for place, text in _texts(data, ""):
        if redact(text) != text:
            raise RecordingError(
                f"{path}: '{place}' holds what looks like a key: nothing is written"
            )


def _texts(data: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, str):
        yield place, data
    elif isinstance(data, Mapping):
        for key, item in data.items():
            yield from _texts(item, f"{place}.{key}".lstrip("."))
    elif isinstance(data, list | tuple):
        for number, item in enumerate(data):
            yield from _texts(item, f"{place}[{number}]")
