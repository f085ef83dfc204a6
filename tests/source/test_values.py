"""Values: `$name.field` in plain data."""

from __future__ import annotations

import pytest

from treec.source.expression import EvaluationError, MappingScope
from treec.source.values import (
    Computed,
    Reference,
    computed,
    literal,
    literal_text,
    references,
    resolve,
)

SCOPE = MappingScope({"agent": "R1", "p": {"subtask": {"id": "mix"}}})


def test_references_are_replaced_by_what_they_stand_for() -> None:
    data = {"agent": "$agent", "subtasks": ["$p.subtask", "$p.subtask.id"], "first": True}
    assert resolve(data, SCOPE) == {
        "agent": "R1",
        "subtasks": [{"id": "mix"}, "mix"],
        "first": True,
    }


def test_other_texts_stay_as_they_are() -> None:
    for text in ("costs 3$", "5 = 5", ""):
        assert resolve(text, SCOPE) == text


@pytest.mark.parametrize(
    "text", ["$agent and more", "$3", "$", "$agent.", "$_x", "$$agent", "$(n + 1)", "${b}"]
)
def test_a_text_that_begins_with_a_dollar_is_a_reference_or_an_error(text: str) -> None:
    with pytest.raises(EvaluationError, match="is not a reference"):
        resolve(text, SCOPE)


def test_expressions_are_replaced_by_their_values() -> None:
    data = {"n": "= 1 + 2", "list": ["=agent ~ '!'", "= p.subtask.id"], "text": "= '$5'"}
    assert resolve(data, SCOPE) == {"n": 3, "list": ["R1!", "mix"], "text": "$5"}
    assert list(computed(data)) == [
        Computed(("n",), "1 + 2", 2),
        Computed(("list", 0), "agent ~ '!'", 1),
        Computed(("list", 1), "p.subtask.id", 2),
        Computed(("text",), "'$5'", 2),
    ]
    with pytest.raises(EvaluationError) as caught:
        resolve("=  1 + agnt", SCOPE)
    assert (caught.value.offset, caught.value.length) == (7, 4)


@pytest.mark.parametrize("text", ["$5", "= x", "it's", "= 'it\\'s'\n", "plain", "$", ""])
def test_every_text_has_a_value_that_stands_for_it(text: str) -> None:
    assert resolve(literal(text), SCOPE) == text
    assert literal_text(literal(text)) == text


def test_an_unknown_reference_is_an_error_at_its_field() -> None:
    with pytest.raises(EvaluationError) as caught:
        resolve(["$p.subtask.name"], SCOPE)
    assert (caught.value.offset, caught.value.length) == (11, 4)
    with pytest.raises(EvaluationError) as caught:
        resolve("$agnet", SCOPE)
    assert (caught.value.offset, caught.value.length) == (1, 5)
    assert caught.value.help == "did you mean 'agent'?"


def test_references_are_found_without_a_scope() -> None:
    data = {"assign": {"agent": "$agent", "subtasks": ["$p.subtask"]}, "about": "= agent"}
    assert list(references(data)) == [
        Reference(("assign", "agent"), "agent", ()),
        Reference(("assign", "subtasks", 0), "p", (("subtask", 3),)),
    ]
