"""The folder of a study: what it is, who does what, and the runs with their answers.

``study.json`` has the study's definition and all sessions, ``answers.schema.json`` what answers
may be. Each session has a folder ``p01-1`` that is the folder of its run, with ``answers.json``
beside the journal once its questions are answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from pydantic import Field, ValidationError

from experiments.mosaic.study.assignment import StudySession, assign
from experiments.mosaic.study.files import StudyError, StudyFile, StudyQuestion
from treec.atomic import write_atomic
from treec.files.fields import Model
from treec.world.lock import Lock, LockedError, find_holder

M = TypeVar("M", bound=Model)

STUDY = "study.json"
ANSWERS = "answers.json"
SCHEMA = "answers.schema.json"


class StudyRecord(Model):
    """What stands in ``study.json``."""

    format: Literal[1] = 1
    simulated: bool
    study: StudyFile
    sessions: list[StudySession]


class SessionAnswers(Model):
    """What stands in ``answers.json``; ``rule`` says how answers of simulated participants came."""

    schema_: str = Field(default=f"../{SCHEMA}", alias="$schema")
    format: Literal[1] = 1
    session: StudySession
    simulated: bool
    rule: str = ""
    answers: dict[str, int]
    instances: dict[str, str] = Field(default_factory=dict)


class StudyFolder:
    """An opened folder."""

    def __init__(self, path: Path, record: StudyRecord) -> None:
        self.path = path
        self.record = record

    @property
    def study(self) -> StudyFile:
        """The study's definition."""
        return self.record.study

    @classmethod
    def open(cls, path: Path) -> StudyFolder:
        """Open an existing folder. Raises StudyError."""
        file = path / STUDY
        if not file.is_file():
            raise StudyError(f"{path} is not the folder of a study: it has no {STUDY}")
        return cls(path, _read(file, StudyRecord))

    @classmethod
    def prepare(cls, path: Path, study: StudyFile, simulated: bool) -> StudyFolder:
        """Open the folder to go on with a study, or make it. Raises StudyError.

        The study must be as it was when the folder was made, except that it may have more
        participants.
        """
        record = StudyRecord(simulated=simulated, study=study, sessions=assign(study))
        if not (path / STUDY).exists():
            if path.exists() and any(path.iterdir()):
                raise StudyError(f"{path} is not empty, and not the folder of a study")
        else:
            before = cls.open(path).record
            if before.simulated != simulated:
                whose = "simulated participants" if before.simulated else "people"
                raise StudyError(f"{path} is of a study with {whose}: specify another --to")
            changed = [
                name
                for name in StudyFile.model_fields
                if getattr(before.study, name) != getattr(study, name)
                and not (name == "participants" and study.participants > before.study.participants)
            ]
            if changed or before.sessions != record.sessions[: len(before.sessions)]:
                what = ", ".join(changed) or "the assignment"
                raise StudyError(
                    f"the study has changed since {path} was begun ({what}): specify another "
                    "folder (--to), or change it back"
                )
        folder = cls(path, record)
        try:
            path.mkdir(parents=True, exist_ok=True)
            _write(path / SCHEMA, answers_schema(study))
            _write(path / STUDY, record.model_dump(mode="json", by_alias=True))
        except OSError as error:
            raise StudyError(f"{path} cannot be written: {error.strerror}") from None
        return folder

    def of(self, session: StudySession) -> Path:
        """The folder of a session's run."""
        return self.path / session.folder

    @contextmanager
    def holding(self, session: StudySession) -> Iterator[None]:
        """Hold a session, so that nobody else runs it. Raises StudyError if somebody does."""
        lock = Lock(self.of(session))
        try:
            lock.acquire()
        except LockedError as error:
            raise StudyError(f"the session {session.folder} is going on: {error}") from None
        except OSError as error:
            raise StudyError(f"{self.path} cannot be written: {error.strerror}") from None
        try:
            yield
        finally:
            lock.release()

    def is_held(self, session: StudySession) -> bool:
        """Whether somebody runs a session."""
        return find_holder(self.of(session)) is not None

    def answers(self, session: StudySession) -> SessionAnswers | None:
        """The answers of a session; None if there are none yet. Raises StudyError."""
        file = self.of(session) / ANSWERS
        if not file.is_file():
            return None
        found = _read(file, SessionAnswers)
        if found.session != session or found.simulated != self.record.simulated:
            raise StudyError(f"{file} is not of this session of the study")
        if set(found.answers) != set(self.study.questions):
            raise StudyError(f"{file} does not answer the questions of the study")
        for name, value in found.answers.items():
            if (why := why_unfit(self.study.questions[name], value)) is not None:
                raise StudyError(f"{file}: {name}: {why}")
        return found

    def write(self, answers: SessionAnswers) -> None:
        """Write the answers of a session, whole or not at all. Raises StudyError."""
        file = self.of(answers.session) / ANSWERS
        try:
            _write(file, answers.model_dump(mode="json", by_alias=True))
        except OSError as error:
            raise StudyError(f"{file} cannot be written: {error.strerror}") from None

    def open_sessions(self) -> list[StudySession]:
        """Sessions without answers, in order. Raises StudyError."""
        return [one for one in self.record.sessions if self.answers(one) is None]


def why_unfit(question: StudyQuestion, value: int) -> str | None:
    """Why a number is not an answer to a question; None if it is one."""
    scale = question.scale
    if scale is None:
        return None if value >= 0 else f"{value} is not a count"
    if scale.from_ <= value <= scale.to:
        return None
    return f"{value} is not on the scale from {scale.from_} to {scale.to}"


def answers_schema(study: StudyFile) -> Mapping[str, object]:
    """The JSON Schema of ``answers.json`` in this study."""
    numbers: dict[str, object] = {}
    for name, question in study.questions.items():
        bounds = {"minimum": 0}
        if question.scale is not None:
            bounds = {"minimum": question.scale.from_, "maximum": question.scale.to}
        numbers[name] = {"type": "integer", "description": question.ask, **bounds}
    schema: dict[str, Any] = SessionAnswers.model_json_schema(by_alias=True)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["properties"]["answers"] = {
        "type": "object",
        "properties": numbers,
        "required": list(numbers),
        "additionalProperties": False,
    }
    return schema


def _read(file: Path, model: type[M]) -> M:
    try:
        return model.model_validate_json(file.read_bytes())
    except OSError as error:
        raise StudyError(f"{file} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        why = f"{where}: {first['msg']}" if where else first["msg"]
        raise StudyError(f"{file} is damaged: {why}") from None


def _write(file: Path, data: Mapping[str, object]) -> None:
    """Write JSON so that the file is whole at any moment."""
    write_atomic(file, json.dumps(data, indent=2, ensure_ascii=False) + "\n", sync=True)
