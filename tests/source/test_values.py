"""Values: `$name.field` in plain data."""

from __future__ import annotations

import pytest

from treec.source.expression import EvaluationError, MappingScope
from treec.source.values import Reference, references, resolve

SCOPE = MappingScope({"agent": "R1", "p": {"subtask": {"id": "mix"}}})


def test_references_are_replaced_by_what_they_stand_for() -> None:
    data = {"agent": "$agent", "subtasks": ["$p.subtask", "$p.subtask.id"], "first": True}
    assert resolve(data, SCOPE) == {
        "agent": "R1",
        "subtasks": [{"id": "mix"}, "mix"],
        "first": True,
    }


def test_other_texts_stay_as_they_are() -> None:
    for text in ("costs 3$", "$agent and more", "$3", "$", "$agent.", "$_x"):
        assert resolve(text, SCOPE) == text
    assert resolve("$$agent", SCOPE) == "$agent"


def test_an_unknown_reference_is_an_error_at_its_field() -> None:
    with pytest.raises(EvaluationError) as caught:
        resolve(["$p.subtask.name"], SCOPE)
    assert (caught.value.offset, caught.value.length) == (11, 4)
    with pytest.raises(EvaluationError) as caught:
        resolve("$agnet", SCOPE)
    assert (caught.value.offset, caught.value.length) == (1, 5)
    assert caught.value.help == "did you mean 'agent'?"


def test_references_are_found_without_a_scope() -> None:
    data = {"assign": {"agent": "$agent", "subtasks": ["$p.subtask"]}, "about": "$$agent"}
    assert list(references(data)) == [
        Reference(("assign", "agent"), "agent", ()),
        Reference(("assign", "subtasks", 0), "p", (("subtask", 3),)),
    ]
