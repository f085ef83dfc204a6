import enum
import math
from types import MappingProxyType

import pytest

from treec.world.values import freeze, same, thaw


def test_lists_become_tuples_and_mappings_read_only_and_sorted() -> None:
    frozen = freeze({"b": [1, {"x": None}], "a": True})
    assert frozen == {"a": True, "b": (1, {"x": None})}
    assert isinstance(frozen, MappingProxyType)
    assert list(frozen) == ["a", "b"]
    assert thaw(frozen) == {"a": True, "b": [1, {"x": None}]}


def test_a_frozen_value_does_not_follow_its_source() -> None:
    source = {"a": [1]}
    frozen = freeze(source)
    source["a"].append(2)
    assert frozen == {"a": (1,)}


def test_floats_keep_six_digits_and_stay_floats() -> None:
    frozen = freeze([0.1 + 0.2, 12.0, 12, -0.0])
    assert repr(frozen) == "(0.3, 12.0, 12, 0.0)"


@pytest.mark.parametrize("value", [math.nan, math.inf, object(), {1: 2}, {1, 2}, b"x"])
def test_what_json_cannot_hold_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"JSON|plain|must be text"):
        freeze(value)


def test_a_cycle_is_refused_at_once() -> None:
    cycle: list[object] = []
    cycle.append(cycle)
    with pytest.raises(ValueError, match="deeper than 64"):
        freeze(cycle)


def test_subclasses_of_text_become_text() -> None:
    class Colour(enum.StrEnum):
        RED = "red"

    assert type(freeze(Colour.RED)) is str


def test_a_lone_surrogate_becomes_a_replacement_character() -> None:
    assert freeze("a\ud800b") == "a\N{REPLACEMENT CHARACTER}b"


def test_same_tells_the_kinds_of_numbers_apart() -> None:
    assert same(freeze({"a": [1, 2.0]}), freeze({"a": [1, 2.0]}))
    assert not same(1, 1.0)
    assert not same(1, True)
    assert not same(freeze([1]), freeze([1, 2]))
    assert not same(freeze({"a": 1}), freeze({"b": 1}))
