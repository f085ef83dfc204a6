from __future__ import annotations

from typing import Any

import pytest

from tests.ask.questions import SCHEMA
from treec_asking.answer_schema import fit_answer, schema_errors
from treec_asking.prompt import object_schema

SAY = {"type": "object", "properties": {"message": {"type": "string"}}, "required": ["message"]}
ACTIONS: dict[str, Any] = {
    "type": "array",
    "items": {
        "anyOf": [
            {"type": "object", "properties": {"say": SAY}, "additionalProperties": False},
            {"type": "object", "properties": {"no_op": {}}, "additionalProperties": False},
        ]
    },
}
ACTS: dict[str, Any] = {
    "anyOf": [
        {"type": "object", "properties": {"kind": {"const": "stop"}, "who": {"type": "string"}}},
        {"type": "object", "properties": {"kind": {"const": "done"}, "n": {"type": "integer"}}},
    ]
}


@pytest.mark.parametrize(
    ("value", "schema"),
    [
        ({"reasoning": "", "choose": "Cook"}, SCHEMA),
        ([{"say": {"message": "hello"}}, {"no_op": {}}], ACTIONS),
        ({"kind": "done", "n": 2.0}, ACTS),
        (None, {"type": ["string", "null"]}),
        ("anything", {}),
    ],
)
def test_what_fits_has_no_errors(value: object, schema: dict[str, Any]) -> None:
    assert schema_errors(value, schema) == []


@pytest.mark.parametrize(
    ("value", "schema", "errors"),
    [
        ({"reasoning": ""}, SCHEMA, ["'choose' is missing."]),
        (
            {"reasoning": 1, "choose": "Sleep"},
            SCHEMA,
            [
                "'reasoning' must be a text, not 1.",
                "'choose' must be one of Cook, Rest, not \"Sleep\".",
            ],
        ),
        (
            {"reasoning": "", "choose": "Cook", "sure": 1},
            SCHEMA,
            ["Unknown field 'sure'; known: reasoning, choose."],
        ),
        ([], SCHEMA, ["the answer must be an object, not []."]),
        (True, {"type": "integer"}, ["the answer must be a whole number, not true."]),
        (1, {"enum": [True]}, ["the answer must be one of True, not 1."]),
        ([{"say": {}}], ACTIONS, ["'[0].say.message' is missing."]),
        ([{"sing": {}}], ACTIONS, ["'[0]' must be one of say, no_op, not {\"sing\": {}}."]),
        ({"kind": "done", "n": "x"}, ACTS, ["'n' must be a whole number, not \"x\"."]),
        ({"kind": "sing"}, ACTS, ['the answer must be one of stop, done, not {"kind": "sing"}.']),
    ],
)
def test_errors_name_the_field_and_what_would_be_right(
    value: object, schema: dict[str, Any], errors: list[str]
) -> None:
    assert schema_errors(value, schema) == errors


def test_a_thousand_errors_are_told_in_a_few_sentences() -> None:
    told = schema_errors([1] * 1000, {"type": "array", "items": {"type": "string"}})
    assert len(told) == 6
    assert told[-1] == "There is more."


@pytest.mark.parametrize(
    ("value", "told"),
    [("dish 13", "nearest: dish 13x, "), ("Q", "none is near; such as dish 0x, dish 1x, dish 2x")],
)
def test_of_many_names_the_nearest_are_told_or_that_there_is_none(value: str, told: str) -> None:
    (error,) = schema_errors(value, {"enum": [f"dish {number}x" for number in range(40)]})
    assert f"must be one of 40 names ({told}" in error


STOP = object_schema(
    {"kind": {"const": "stop"}, "quote": {"type": "string"}, "agent": {"enum": ["R1", None]}},
    ["kind", "quote"],
)
MOVE = object_schema({"kind": {"const": "move"}, "to": {"enum": ["Dock", "Aisle_1"]}})
ACTS = object_schema({"acts": {"type": "array", "items": {"anyOf": [STOP, MOVE]}}})


@pytest.mark.parametrize(
    ("answer", "fitted"),
    [
        ({"Acts": [{"KIND": "Move", "to": "aisle 1"}]}, [{"kind": "move", "to": "Aisle_1"}]),
        ({"acts": '[{"kind": "move", "to": "Dock"}]'}, [{"kind": "move", "to": "Dock"}]),
        (
            {"answer": {"result": [{"acts": [{"kind": "move", "to": "dock", "speed": 3}]}]}},
            [{"kind": "move", "to": "Dock"}],
        ),
        (
            {"acts": [{"kind": "stop", "quote": "stop", "sure": 0.9}]},
            [{"kind": "stop", "quote": "stop"}],
        ),
    ],
)
def test_an_answer_is_brought_into_the_schemas_form(
    answer: dict[str, object], fitted: object
) -> None:
    assert fit_answer(answer, ACTS) == {"acts": fitted}


@pytest.mark.parametrize(
    "act",
    [
        {"kind": "stop", "quote": "R1, stop", "who": "r1"},  # it may be the agent
        {"kind": "stop", "quote": "stop", "to": "Dock"},  # a field of another act
        {"kind": "move", "to": "Aisle_2"},
    ],
)
def test_what_would_say_less_than_was_answered_is_left_to_be_refused(act: dict[str, str]) -> None:
    assert schema_errors(fit_answer({"acts": [act]}, ACTS), ACTS)


def test_one_thing_in_place_of_a_list_and_names_that_may_be_null_are_fitted() -> None:
    agent = {"anyOf": [{"type": "string", "enum": ["R1", "the user"]}, {"type": "null"}]}
    schema = object_schema({"to": {"type": "array", "items": agent}, "by": agent})
    assert fit_answer({"to": "r1", "by": "The_User"}, schema) == {"to": ["R1"], "by": "the user"}
    assert schema_errors(fit_answer({"to": "R7", "by": None}, schema), schema)


def test_options_that_differ_by_their_form_alone_are_not_guessed() -> None:
    schema = object_schema({"choose": {"enum": ["get_1", "get-1"]}})
    assert fit_answer({"choose": "get 1"}, schema) == {"choose": "get 1"}
    assert fit_answer({"choose": "get-1"}, schema) == {"choose": "get-1"}
