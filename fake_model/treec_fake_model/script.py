"""What the fake model's server answers: a YAML script of cases, tried in order.

```yaml
model: fake-1
cases:
  - {node: Execution, when: crate, answer: {reasoning: so, choose: Confirm_Subtask}}
  - {status: 429, retry_after: 1, times: 2}
  - {delay: 200ms}
```

A case is for the requests that fit its `node`, `when` and `times`; the first that fits answers.
Without an `answer` it is the simplest one that the request's schema allows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError, field_validator

from treec.files.fields import Duration, Model
from treec.files.validate import WRONG_VALUE, problems_of
from treec.source.diagnostics import format_text
from treec.source.yaml import Mapping as MappingNode
from treec.source.yaml import plain, read_documents, read_file

_SIZE = re.compile(r"([0-9]{1,12}) *(kB|MB)?")
_UNITS = {None: 1, "kB": 1000, "MB": 1_000_000}


class ScriptError(Exception):
    """The script cannot be used, and why."""


def _bytes(value: object) -> object:
    match = _SIZE.fullmatch(value) if isinstance(value, str) else None
    return int(match[1]) * _UNITS[match[2]] if match else value


Size = Annotated[int, BeforeValidator(_bytes), Field(ge=0)]
"""A number of bytes: 100MB, 20kB, or a number."""


class ScriptCase(Model):
    """An answer, and to whom."""

    node: str | None = Field(None, description="The node that asks; a regular expression.")
    when: str | None = Field(None, description="Found in the messages; a regular expression.")
    times: int | None = Field(None, ge=1, description="How often it answers; for ever if absent.")
    delay: Duration = Field(0.0, description="How long it thinks.")
    hold: bool = Field(False, description="It never answers, until it is let go.")
    answer: str | dict[str, Any] | None = Field(None, description="A text, or data as JSON.")
    last: bool = Field(False, description="Without an answer: the last of its choices.")
    wrap: Literal["fence", "prose", "markup"] | None = Field(None, description="Put around it.")
    status: int = Field(200, ge=200, le=599)
    retry_after: float | None = Field(None, ge=0, description="A header, in seconds.")
    headers: dict[str, str] = Field(default_factory=dict, description="Further headers.")
    raw: str | None = Field(None, description="The whole body, instead of an answer's form.")
    content_type: str = "application/json"
    cut_off: Size | None = Field(None, description="The connection closes after so many bytes.")
    size: Size | None = Field(None, description="An answer of so many bytes.")
    no_schema: bool = Field(False, description="Refuses a request that brings a schema.")
    tokens: tuple[int, int] | None = Field(None, description="In and out, as it reports them.")

    @field_validator("node", "when")
    @classmethod
    def _compiles(cls, value: str | None) -> str | None:
        if value is not None:
            try:
                re.compile(value)
            except re.error as error:
                raise ValueError(f"it is not a regular expression: {error}") from None
        return value


class Script(Model):
    """The cases, and the model that the server says it is."""

    model: str | None = Field(
        None, description="Reported as the model; the one asked for, if absent."
    )
    cases: list[ScriptCase] = Field(default_factory=list)


class Play:
    """A script being played: it counts how often each case has answered."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self._left = [case.times for case in script.cases]

    def next(self, node: str, text: str, brings_schema: bool) -> ScriptCase:
        """The case for a request."""
        for number, case in enumerate(self.script.cases):
            left = self._left[number]
            if left == 0 or (case.no_schema and not brings_schema):
                continue
            if case.node is not None and not re.fullmatch(case.node, node):
                continue
            if case.when is not None and not re.search(case.when, text):
                continue
            if left is not None:
                self._left[number] = left - 1
            return case
        return ScriptCase.model_validate({})


def read_script(path: Path) -> Script:
    """A script from its file. Raises ScriptError with all that is wrong, each at its place."""
    file, problems = read_file(path, str(path))
    if file is None:
        raise ScriptError(f"{path}: {problems[0].message}")
    documents, problems = read_documents(file)
    root = documents[0].root if documents else None
    if not problems and root is not None and not isinstance(root, MappingNode):
        help = "write 'cases:', and the cases below it, each with '- ' in front"
        problems = [WRONG_VALUE.at(root.span, "a script is a mapping with 'cases'", help)]
    if not problems:
        data = plain(root) if root is not None else {}
        try:
            return Script.model_validate(data)
        except ValidationError as error:
            assert isinstance(root, MappingNode)
            problems = problems_of(error, data, root, Script)
    raise ScriptError(format_text(sorted(problems), {file.path: file}).rstrip())


def simplest(schema: object, which: int = 0) -> Any:
    """The simplest value that a JSON Schema allows: one of its choices, the empty list."""
    if not isinstance(schema, Mapping):
        return None
    if "const" in schema:
        return schema["const"]
    if schema.get("enum"):
        return schema["enum"][which]
    if schema.get("anyOf"):
        return simplest(schema["anyOf"][which], which)
    kind = schema.get("type")
    if kind == "object":
        properties = schema.get("properties", {})
        required = schema.get("required", properties)
        return {name: simplest(properties.get(name), which) for name in required}
    empty: Mapping[str, Any] = {"array": [], "string": "", "number": 0, "integer": 0}
    return False if kind == "boolean" else empty.get(str(kind))
