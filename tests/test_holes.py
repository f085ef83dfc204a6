"""Messages in which a value is missing are found, and no others."""

from __future__ import annotations

import pytest

from tests.support import holes
from treec.world.world import WorldError


@pytest.mark.parametrize(
    "message",
    [
        "unknown skill ''; did you mean 'pick'?",
        "the reward is of a  hand",
        "line : a name is missing",
        ": unknown tree 'main'",
        " is not a number",
        "the environment is lost: it said ",
        "at takes a place, not ()",
    ],
)
def test_a_value_is_missing(message: str) -> None:
    holes.look(message)
    assert holes.take() == [message]


@pytest.mark.parametrize(
    "message", ["call it as move()", "don't say 'it's'", "  indented:\n  and so on", "a: b, c; 'd'"]
)
def test_nothing_is_missing(message: str) -> None:
    holes.look(message)
    assert holes.take() == []


def test_errors_that_a_test_catches_are_looked_at() -> None:
    with pytest.raises(WorldError):
        raise WorldError("unknown fact ''")
    assert holes.take() == ["unknown fact ''"]
    with pytest.raises(WorldError, match="unknown fact ''"):
        raise WorldError("unknown fact ''")
    assert holes.take() == []
