import enum
import json
import math
from types import MappingProxyType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec.world.values import freeze, freeze_parsed, same, thaw


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


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(), max_size=3)
    | st.sampled_from(["a\ud800b", "é"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(max_size=3), JSON))
def test_parsed_json_is_frozen_as_any_other_data(value: dict[str, object]) -> None:
    text = json.dumps(value)
    expected = freeze(json.loads(text))
    found = freeze_parsed(json.loads(text))
    assert same(found, expected)
    assert repr(found) == repr(expected)  # with the order of keys


@pytest.mark.parametrize("part", ["[", '{"a":'])
def test_parsed_json_may_be_as_deep_as_any_other_data(part: str) -> None:
    end = {"[": "]", '{"a":': "}"}[part]
    for depth in (62, 63, 64, 65):
        text = f'{{"a":{part * depth}1{end * depth}}}'
        outcomes = []
        for function in (freeze, freeze_parsed):
            try:
                outcomes.append(repr(function(json.loads(text))))
            except ValueError as error:
                outcomes.append(str(error))
        assert outcomes[0] == outcomes[1]
        assert ("deeper than 64" in outcomes[0]) == (depth >= 64)
