"""Strict mode: the schema of every kind has a strict form, and what fits it is the same answer."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.docs.pages import ROOT
from treec.ask.transport import Message, Request
from treec_asking.answer_schema import fit_answer, schema_errors
from treec_asking.prompt import object_schema
from treec_models.answer_form import (
    LISTED_TWICE,
    MOST_ENUM_VALUES,
    response_format,
    strict_schema,
)
from treec_testing.decisions.cases import RECORDINGS
from treec_testing.recordings.folder import RecordingFolder
from treec_testing.recordings.recording import Recording

TEXT = {"type": "string"}
AGENT = {"type": "string", "enum": ["R1", "R2"]}
STOP = object_schema({"kind": {"const": "stop"}, "agent": AGENT}, ["kind"])
GO = object_schema(
    {
        "kind": {"const": "go"},
        "things": {"type": "object", "additionalProperties": TEXT},
        "value": {},
        "who": {"anyOf": [AGENT, {"type": "null"}]},
    },
    ["kind"],
)
ACTS = object_schema({"acts": {"type": "array", "items": {"anyOf": [STOP, GO]}}})


def recorded() -> Iterator[Recording]:
    """All recordings of this repository that hold a request."""
    for root in (ROOT, ROOT / "engine/treec/templates/warehouse"):
        folder = RecordingFolder(root / RECORDINGS)
        for file in sorted(folder.path.rglob("*.yaml")):
            if file.parent.name != "parts":
                found = folder.read(file)
                if found.question is not None:
                    yield found


def strictly(value: Any, schema: Mapping[str, Any]) -> Any:
    """A value in the form that strict mode makes a model write."""
    if "anyOf" in schema:
        fits = [one for one in schema["anyOf"] if not schema_errors(value, one)]
        return strictly(value, fits[0])
    if isinstance(value, list):
        return [strictly(item, schema["items"]) for item in value]
    if not isinstance(value, dict):
        return value
    properties = schema.get("properties")
    if not properties:
        others = schema["additionalProperties"]
        return [{"name": n, "value": strictly(v, others)} for n, v in value.items()]
    return {n: strictly(value[n], s) if n in value else None for n, s in properties.items()}


def check_strict(schema: Any) -> None:
    """OpenAI's rules: each schema has a type or alternatives, each object all its fields."""
    assert "type" in schema or "anyOf" in schema
    assert "const" not in schema
    if schema.get("type") == "object":
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])
    for one in (*schema.get("properties", {}).values(), *schema.get("anyOf", ())):
        check_strict(one)
    if schema.get("type") == "array":
        check_strict(schema["items"])


@pytest.mark.needs_system("mosaic", "dag_plan", "helper", "household")
def test_every_recorded_schema_has_a_strict_form_in_which_its_answers_fit() -> None:
    kinds = set()
    for one in recorded():
        assert one.question is not None
        schema = one.question.schema
        strict = strict_schema(schema)
        assert strict is not None, one.question.node
        check_strict(strict)
        kinds.add(one.question.kind)
        for attempt in one.attempts:
            try:
                data = json.loads(attempt.answer)
            except ValueError:
                continue
            if not isinstance(data, dict) or schema_errors(data, schema):
                continue
            written = strictly(data, schema)
            assert schema_errors(written, strict) == []
            back = fit_answer(written, schema)
            assert schema_errors(back, schema) == []
            assert back == _without_missing(data, back)
    assert kinds >= {"action", "decision", "reading", "program", "plan"}


def _without_missing(data: Any, back: Any) -> Any:
    """The data, with null where the strict answer says null of what was not there."""
    if isinstance(data, dict):
        missing = {name: None for name in back if name not in data}
        return {n: _without_missing(v, back.get(n)) for n, v in data.items()} | missing
    if isinstance(data, list):
        return [_without_missing(*pair) for pair in zip(data, back, strict=True)]
    return data


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ({"kind": "stop", "agent": None}, {"kind": "stop"}),
        ({"kind": "stop", "agent": "R2"}, {"kind": "stop", "agent": "R2"}),
        (
            {"kind": "go", "things": [{"name": "item", "value": "box"}], "value": 3, "who": None},
            {"kind": "go", "things": {"item": "box"}, "value": 3, "who": None},
        ),
        (
            {"kind": "go", "things": None, "value": "x", "who": "R1"},
            {"kind": "go", "value": "x", "who": "R1"},
        ),
    ],
)
def test_what_strict_mode_writes_is_read(written: dict[str, Any], meant: dict[str, Any]) -> None:
    strict = strict_schema(ACTS)
    assert strict is not None
    check_strict(strict)
    assert schema_errors({"acts": [written]}, strict) == []
    fitted = fit_answer({"acts": [written]}, ACTS)
    assert fitted == {"acts": [meant]}
    assert schema_errors(fitted, ACTS) == []


def test_a_name_twice_in_pairs_is_refused_and_not_guessed() -> None:
    pairs = [{"name": "item", "value": "box"}, {"name": "item", "value": "jar"}]
    fitted = fit_answer({"acts": [{"kind": "go", "things": pairs}]}, ACTS)
    assert schema_errors(fitted, ACTS)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": TEXT}},
        object_schema({"a": {"type": "array"}}),
        object_schema({"a": {"enum": list(map(str, range(MOST_ENUM_VALUES + 1)))}}),
    ],
)
def test_a_schema_without_a_strict_form_is_sent_as_it_is(schema: dict[str, Any]) -> None:
    form: Any = response_format(Request("N", "decision", (), schema, {}))
    assert form["json_schema"] == {"name": "N", "schema": schema, "strict": False}


def test_providers_that_take_few_alternatives_get_the_schema_itself() -> None:
    request = Request("N", "reading", (), ACTS, {})
    form: Any = response_format(request, keeps_schema=True)
    assert form["json_schema"] == {"name": "N", "schema": ACTS, "strict": False}
    strict: Any = response_format(request)
    assert strict["json_schema"]["strict"] is True


def test_acts_of_the_same_fields_are_one_alternative() -> None:
    """And an optional field that can only be null is none."""
    go = object_schema({"kind": {"const": "go"}, "agent": AGENT, "why": {"type": "null"}}, ["kind"])
    also = {**go, "properties": {**go["properties"], "kind": {"const": "stay"}}}  # type: ignore[dict-item]
    schema = object_schema({"acts": {"type": "array", "items": {"anyOf": [STOP, go, also]}}})
    form: Any = response_format(Request("N", "reading", (Message("system", ""),), schema, {}))
    stop, both = form["json_schema"]["schema"]["properties"]["acts"]["items"]["anyOf"]
    assert stop["properties"]["kind"]["enum"] == ["stop"]
    assert both["properties"]["kind"] == {"type": "string", "enum": ["go", "stay"]}
    assert both["required"] == ["kind", "agent"]
    assert (
        schema_errors(fit_answer({"acts": [{"kind": "stay", "agent": None}]}, schema), schema) == []
    )


LONG = [f"thing {number}" for number in range(LISTED_TWICE + 1)]


def test_a_long_list_that_the_prompt_has_is_not_sent_a_second_time() -> None:
    schema = object_schema({"item": {"type": "string", "enum": LONG}, "of": {"enum": LONG[:2]}})

    def properties(kind: str, text: str, **how: bool) -> Any:
        request = Request("N", kind, (Message("system", text),), schema, {})
        form: Any = response_format(request, **how)
        return form["json_schema"]["schema"]["properties"]

    shown = f"The things: {', '.join(LONG)}."
    assert properties("reading", shown)["item"] == {"type": "string"}
    assert properties("reading", shown)["of"]["enum"] == LONG[:2]
    assert properties("reading", "The things are elsewhere.")["item"]["enum"] == LONG
    assert properties("decision", shown)["item"]["enum"] == LONG  # its options are the question
    assert properties("reading", shown, keeps_names=True)["item"]["enum"] == LONG  # as a grammar
