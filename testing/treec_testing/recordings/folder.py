"""Recordings in a folder, which store the parts that prompts have in common once.

The system text, the instructions, each example, the schema, a long ``enum`` in schemas and what a
node `knows` are files in ``parts``, named by their fingerprints; a recording or schema refers to
them by these. One that holds them itself, as those of older versions do, is read as well. Every
file is read back and compared before it replaces the old one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from treec.atomic import atomic_writer
from treec.files.validate import problems_of
from treec.source.diagnostics import Diagnostic
from treec.source.yaml import Document, YamlNode, plain, read_documents, read_file
from treec.source.yaml import Mapping as MappingNode
from treec_models.fingerprint import fingerprint
from treec_models.redaction import Redactor
from treec_testing.recordings.recording import (
    RecordedExample,
    RecordedRequest,
    Recording,
    RecordingError,
    recording_data,
)
from treec_testing.recordings.yaml_text import Unwritable, to_yaml

PARTS = "parts"
SHARED = ("system", "instructions", "schema", "knows")
"""Parts of a request that are stored apart, as is each of its examples."""
EXAMPLE = "example"
ENUM, LONG_ENUM = "enum", 8
"""What a schema admits by name; from so many names on it is stored apart from the schema."""

_FINGERPRINT = re.compile(r"[0-9a-f]{16}")
_PART_FILE = re.compile(rf"({'|'.join((*SHARED, EXAMPLE, ENUM))})-[0-9a-f]{{16}}\.yaml")


class RecordingFolder:
    """The recordings below ``path``; messages name files relative to ``root``, if it is given."""

    def __init__(self, path: Path, root: Path | None = None) -> None:
        self.path = path
        self._root = root
        self._parts: dict[Path, object] = {}

    def files(self) -> list[Path]:
        """The recordings, sorted by path."""
        return sorted(self._yaml_files(parts=False), key=lambda path: path.as_posix())

    def read(self, path: Path) -> Recording:
        """Read a recording with all its parts. Raises RecordingError."""
        shown = self._shown(path)
        root = _parse(path, shown)
        if not isinstance(root, MappingNode):
            raise RecordingError(f"{root.span}: a recording is a mapping of keys to values")
        data = plain(root)
        assert isinstance(data, dict)
        try:
            self._attach(data, path)
            return Recording.model_validate(data)
        except ValidationError as error:
            wrong = sorted(problems_of(error, data, root, Recording))
            raise RecordingError("\n".join(map(_line, wrong))) from None

    def read_all(self) -> list[Recording]:
        """All recordings. Raises RecordingError."""
        return [self.read(path) for path in self.files()]

    def write(self, path: Path, recording: Recording) -> None:
        """Write a recording and the parts that are not stored yet. Raises RecordingError."""
        data = recording_data(recording)
        _refuse_keys(path, data)
        parts = self._detach(data)
        try:
            texts = {file: (part, to_yaml(part)) for file, part in {**parts, path: data}.items()}
        except Unwritable as error:
            raise RecordingError(f"{path}: {error}") from None
        for file, (content, text) in texts.items():
            if file == path or not _has_text(file, text):
                _write(file, content, text)
        for file in parts:
            self._parts.pop(file, None)

    def detach_parts(self, path: Path) -> bool:
        """Rewrite a recording that holds its parts itself, or whose schema does; else False.

        Raises RecordingError.
        """
        data = plain(_parse(path, self._shown(path)))
        recording = self.read(path)
        assert isinstance(data, dict)
        request = data.get("request") or {}
        inline = [name for name in SHARED if name in request]
        inline += [one for one in request.get("examples", ()) if not isinstance(one, str)]
        enums = (file for file in self._detach(recording_data(recording)) if _is_enum(file))
        inline += [file.name for file in enums if self._find(file.name, path) is None]
        if not inline or recording.edited_part() is not None:
            return False
        self.write(path, recording)
        return True

    def unused_parts(self, recordings: Iterable[Recording]) -> list[Path]:
        """The parts that none of these recordings refers to, sorted by path."""
        used = {part.name for one in recordings for part in self._detach(recording_data(one))}
        unused = (path for path in self._yaml_files(parts=True) if path.name not in used)
        return sorted(unused, key=lambda path: path.as_posix())

    def _yaml_files(self, *, parts: bool) -> Iterator[Path]:
        for path in self.path.rglob("*.yaml") if self.path.is_dir() else ():
            is_part = path.parent.name == PARTS and _PART_FILE.fullmatch(path.name) is not None
            if is_part is parts and not path.name.startswith("."):
                yield path

    def _shown(self, path: Path) -> str:
        return str(path) if self._root is None else path.relative_to(self._root).as_posix()

    def _attach(self, data: dict[str, Any], path: Path) -> None:
        """Add the parts that are stored apart to the data of a recording."""
        request, fingerprints = data.get("request"), data.get("fingerprint")
        if not isinstance(request, dict) or not isinstance(fingerprints, dict):
            return
        for name in SHARED:
            if name in fingerprints and name not in request:
                request[name] = self._part(name, fingerprints[name], path)
        examples = request.get("examples")
        if isinstance(examples, list):
            request["examples"] = [
                self._part(EXAMPLE, one, path) if isinstance(one, str) else one for one in examples
            ]

    def _part(self, name: str, mark: object, path: Path) -> object:
        """A part from its file: in the folder `parts` beside the recording or above it."""
        if not isinstance(mark, str) or not _FINGERPRINT.fullmatch(mark):
            raise RecordingError(f"{self._shown(path)}: {name}: {mark!r} is not a fingerprint")
        file = self._find(f"{name}-{mark}.yaml", path)
        if file is None:
            missing = self._shown(self._part_file(name, mark))
            raise RecordingError(f"{self._shown(path)}: a part is missing: {missing}")
        if file not in self._parts:
            self._parts[file] = self._read_part(file, name, mark)
        return self._parts[file]

    def _find(self, name: str, path: Path) -> Path | None:
        places = (folder / PARTS / name for folder in self._folders(path))
        return next((place for place in places if place.is_file()), None)

    def _enum(self, enum: object, file: Path) -> object:
        return self._part(ENUM, enum, file) if isinstance(enum, str) else enum

    def _folders(self, path: Path) -> Iterator[Path]:
        for folder in path.parents:
            yield folder
            if folder == self.path:
                return

    def _read_part(self, file: Path, name: str, mark: str) -> object:
        data = plain(_parse(file, self._shown(file)))
        if isinstance(data, dict) and list(data) == [name]:
            content = data[name]
            if name == "schema":
                content = _map_enums(content, lambda enum: self._enum(enum, file))
            if _mark(name, content) == mark:
                return content
        message = f"edited: its {name} does not have the fingerprint in its name"
        raise RecordingError(f"{self._shown(file)}: {message}")

    def _detach(self, data: dict[str, Any]) -> dict[Path, dict[str, Any]]:
        """Take the parts out of the data of a recording; returns them by file."""
        request = data.get("request")
        if request is None:
            return {}
        parts: dict[Path, dict[str, Any]] = {}
        for name in SHARED:
            mark = _mark(name, request[name])
            if mark == data["fingerprint"].get(name):  # an edited part stays where it shows
                content = request.pop(name)
                if mark is not None:
                    if name == "schema":
                        content = _map_enums(content, lambda enum: self._detach_enum(enum, parts))
                    parts[self._part_file(name, mark)] = {name: content}
        marks = [str(_mark(EXAMPLE, example)) for example in request["examples"]]
        for mark, example in zip(marks, request["examples"], strict=True):
            parts[self._part_file(EXAMPLE, mark)] = {EXAMPLE: example}
        request["examples"] = marks
        return parts

    def _detach_enum(self, enum: object, parts: dict[Path, dict[str, Any]]) -> object:
        if not isinstance(enum, list) or len(enum) < LONG_ENUM:
            return enum
        mark = fingerprint(enum)
        parts[self._part_file(ENUM, mark)] = {ENUM: enum}
        return mark

    def _part_file(self, name: str, mark: str) -> Path:
        return self.path / PARTS / f"{name}-{mark}.yaml"


def _is_enum(part: Path) -> bool:
    return part.name.startswith(f"{ENUM}-")


def _map_enums(schema: object, change: Callable[[object], object]) -> object:
    """A JSON schema of which each ``enum`` is another one."""
    if isinstance(schema, dict):
        return {
            # a property may have the name: its value is a schema, not a list or a fingerprint
            key: change(value)
            if key == ENUM and not isinstance(value, dict)
            else _map_enums(value, change)
            for key, value in schema.items()
        }
    if isinstance(schema, list):
        return [_map_enums(item, change) for item in schema]
    return schema


def _mark(name: str, content: object) -> str | None:
    """The fingerprint of a part; None if it is empty or no such part."""
    if name == ENUM:
        return fingerprint(content) if isinstance(content, list) else None
    try:
        if name == EXAMPLE:
            example = RecordedExample.model_validate(content)
            return fingerprint([example.seen, example.answer])
        request = RecordedRequest.model_validate({name: content})
    except ValidationError:
        return None
    return request.question().fingerprints().get(name)


def _has_text(path: Path, text: str) -> bool:
    return path.is_file() and path.read_bytes() == text.encode("utf-8")


def _write(path: Path, data: object, text: str) -> None:
    """Write a file, and keep it if it reads as the data."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with atomic_writer(path, sync=True) as file:
            file.write(text.encode("utf-8"))
            file.flush()
            if not _same(plain(_parse(Path(file.name), str(path))), data):
                raise RecordingError(
                    f"{path}: the recording does not read back as it was written; not saved"
                )
    except OSError as error:
        raise RecordingError(f"{path}: cannot be written: {error.strerror}") from error


def _line(problem: Diagnostic) -> str:
    help = f"; {problem.help}" if problem.help else ""
    return f"{problem.span}: {problem.message}{help}"


def _parse(path: Path, shown: str) -> YamlNode:
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
            raise RecordingError(f"{path}: '{place}' looks like it contains a key: not written")


def _texts(data: object, place: str) -> Iterator[tuple[str, str]]:
    if isinstance(data, str):
        yield place, data
    elif isinstance(data, Mapping):
        for key, item in data.items():
            yield from _texts(item, f"{place}.{key}".lstrip("."))
    elif isinstance(data, list | tuple):
        for number, item in enumerate(data):
            yield from _texts(item, f"{place}[{number}]")
