"""What a type means, everywhere: read, written, coerced, refused in words, and as JSON Schema."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Collection

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec.files.types import (
    ANY,
    BOOL,
    INTEGER,
    NONE,
    NUMBER,
    TEXT,
    ListOf,
    Misfit,
    Named,
    Names,
    OneOf,
    Type,
    TypeTree,
    coerce,
    json_schema,
    misfit,
    misfits,
    options,
    parse_type,
    read_type,
    type_of,
    union,
)
from treec_asking.answer_schema import schema_errors


class Kitchen(Names):
    """Two items, a robot and a person; one recipe; subtasks nobody has listed."""

    def __init__(self) -> None:
        self.types = TypeTree({"Item": None, "Bowl": "Item", "Place": None})
        kinds = {"salt": "Item", "tin": "Bowl", "R1": "Robot", "user": "Person"}
        self.things = {name: Named(kind) for name, kind in kinds.items()}

    def listed_names(self, kind: str) -> Collection[str] | None:
        return ("Soup",) if kind == "Recipe" else None


KITCHEN = Kitchen()
NAMED = ("text", "number", "integer", "bool", "any", "mapping", "none", "Item", "Bowl", "Place")
NAMED += ("Agent", "Robot", "Recipe", "Subtask")


def _lists_and_choices(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    choices = st.lists(inner, min_size=2, max_size=3).map(
        lambda kinds: OneOf(tuple(option for kind in kinds for option in options(kind)))
    )
    return st.one_of(inner.map(ListOf), choices)


TYPES: st.SearchStrategy[Type] = st.recursive(
    st.sampled_from(NAMED).map(Named), _lists_and_choices, max_leaves=5
)
NAMES = st.sampled_from(["salt", "tin", "R1", "user", "Soup", "none", "slat", "", "7"])
DATA: st.SearchStrategy[object] = st.recursive(
    st.one_of(NAMES, st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(NAMES, inner, max_size=2)),
    max_leaves=6,
)


@given(TYPES)
def test_a_type_is_read_as_it_is_written(kind: Type) -> None:
    assert parse_type(str(kind)) == kind


@given(TYPES, DATA)
def test_schema_and_coerce_accept_the_same(kind: Type, value: object) -> None:
    accepted = not isinstance(coerce(kind, value, KITCHEN), Misfit)
    assert accepted == (not schema_errors(value, json_schema(kind, KITCHEN)))


@given(TYPES, DATA, st.booleans())
def test_there_is_a_misfit_exactly_where_there_is_no_value(
    kind: Type, value: object, shorthand: bool
) -> None:
    found = coerce(kind, value, KITCHEN, shorthand=shorthand)
    wrong = misfit(kind, value, KITCHEN, shorthand=shorthand)
    assert (wrong is None) == (not isinstance(found, Misfit))
    assert wrong is None or found == wrong


@given(TYPES, DATA, st.booleans())
def test_a_value_of_a_type_is_one_of_it(kind: Type, value: object, shorthand: bool) -> None:
    found = coerce(kind, value, KITCHEN, shorthand=shorthand)
    if not isinstance(found, Misfit):
        assert coerce(kind, found, KITCHEN) == found
        assert coerce(kind, value, KITCHEN, shorthand=True) is not None or value in (None, "none")


@given(TYPES, DATA)
def test_each_misfit_points_at_its_part(kind: Type, value: object) -> None:
    for wrong in misfits(kind, value, KITCHEN):
        at: object = value
        for step in wrong.loc:
            at = at[step]  # type: ignore[index]


@given(TYPES, TYPES, DATA)
def test_what_fits_another_type_is_accepted_by_it(one: Type, other: Type, value: object) -> None:
    """Of types without `any`, which fits everywhere so that the check says nothing uncertain."""
    if "any" in str(one) or not KITCHEN.types.fits(one, other):
        return
    if misfit(one, value, KITCHEN) is None:
        assert misfit(other, value, KITCHEN) is None


@given(TYPES, DATA)
def test_data_of_a_type_can_be_of_it(kind: Type, value: object) -> None:
    own = type_of(value)
    assert own is not None
    if misfit(kind, value, KITCHEN) is None:
        assert KITCHEN.types.could_be(own, kind) or "mapping" in str(own)


@given(TYPES)
def test_a_type_with_itself_is_itself(kind: Type) -> None:
    assert set(options(union(kind, kind))) == ({ANY} if ANY in options(kind) else {*options(kind)})


@pytest.mark.parametrize(
    ("type_", "schema"),
    [
        ("text", {"type": "string"}),
        ("Subtask", {"type": "string"}),
        ("bool", {"type": "boolean"}),
        ("number", {"type": "number"}),
        ("any", {}),
        ("mapping", {"type": "object"}),
        ("Agent or none", {"anyOf": [{"type": "string"}, {"type": "null"}]}),
        ("list of Proposal", {"type": "array", "items": {"type": "string"}}),
    ],
)
def test_the_schema_of_answers_names_entities_by_text(
    type_: str, schema: dict[str, object]
) -> None:
    assert json_schema(parse_type(type_)) == schema


def test_a_schema_lists_the_names_that_are_known() -> None:
    assert json_schema(Named("Item"), KITCHEN) == {"type": "string", "enum": ["salt", "tin"]}


# Where the eight ways of before differed: what was decided (docs/design/types.md)


@pytest.mark.parametrize(
    ("type_", "value"),
    [
        ("number", True),
        ("integer", False),
        ("text", True),
        ("text", 3),
        ("integer", 1.5),
        ("Robot", "user"),
        ("Item", "R1"),
        ("list of Item", "salt"),
        ("list of Item", None),
        ("Agent", "none"),
        ("mapping", "text"),
        ("Recipe", "Stew"),
    ],
)
def test_no_value_of_the_type(type_: str, value: object) -> None:
    assert misfit(parse_type(type_), value, KITCHEN) is not None


@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        ("integer", 2.0, 2),
        ("any", None, None),
        ("Item or none", None, None),
        ("Item", "tin", "tin"),
        ("Agent", "R1", "R1"),
        ("Subtask", "whatever it is called", "whatever it is called"),
        ("list of (Item or Robot)", ["salt", "R1"], ("salt", "R1")),
        ("NoType", 3, 3),
    ],
)
def test_a_value_of_the_type(type_: str, value: object, expected: object) -> None:
    assert coerce(parse_type(type_), value, KITCHEN) == expected


@pytest.mark.parametrize(
    ("type_", "value", "expected"),
    [
        ("list of Item", "salt", ("salt",)),
        ("text", 3, "3"),
        ("Agent or none", "none", None),
    ],
)
def test_shorthand_is_what_people_write(type_: str, value: object, expected: object) -> None:
    assert isinstance(coerce(parse_type(type_), value, KITCHEN), Misfit)
    assert coerce(parse_type(type_), value, KITCHEN, shorthand=True) == expected


@pytest.mark.parametrize(
    ("type_", "value", "said"),
    [
        ("Item", "slat", "'slat' is not an Item of the scene (did you mean 'salt'?)"),
        ("Place", "hall", "'hall' is not a Place of the scene (there are none)"),
        ("Item", "R1", "'R1' is a Robot, but an Item is expected here"),
        ("Recipe or none", "Soop", "unknown recipe 'Soop' (did you mean 'Soup'?)"),
        ("number", "left", "'left' is not a number (write a number)"),
        ("list of text", "a", "'a' is not a list of text (write a list: [a, b])"),
        (
            "list of Item",
            ["salt", "slat"],
            "'slat' is not an Item of the scene (did you mean 'salt'?)",
        ),
        ("Item", {"name": "salt"}, "a mapping is not an Item"),
        ("bool", None, "none is not true or false"),
    ],
)
def test_a_misfit_says_what_would_be_right(type_: str, value: object, said: str) -> None:
    assert str(misfit(parse_type(type_), value, KITCHEN)) == said


def test_of_a_scene_that_is_not_whole_an_unknown_name_may_be_a_thing() -> None:
    class Part(Kitchen):
        things_whole = False

    assert misfit(Named("Item"), "slat", Part()) is None
    assert misfit(Named("Item"), "R1", Part()) is not None


@pytest.mark.parametrize(
    "text", ["", "or", "list of", "list of (Item", "list of ()", "a b", "A or"]
)
def test_what_is_no_type(text: str) -> None:
    with pytest.raises(ValueError, match="type"):
        parse_type(text)
    assert read_type(text) == ANY


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (BOOL, INTEGER, True),
        (NUMBER, TEXT, False),
        (TEXT, Named("Subtask"), True),
        (TEXT, Named("Item"), True),
        (Named("Item"), Named("Bowl"), True),
        (Named("Item"), Named("Agent"), False),
        (ListOf(TEXT), TEXT, False),
        (NONE, Named("Item"), True),
        (ListOf(NONE), ListOf(OneOf((TEXT, ANY))), True),
        (ListOf(NONE), ListOf(OneOf((TEXT, BOOL))), False),
    ],
)
def test_whether_two_types_can_be_equal(one: Type, other: Type, expected: bool) -> None:
    assert KITCHEN.types.can_be_equal(one, other) is expected
    assert KITCHEN.types.can_be_equal(other, one) is expected


def test_equal_types_are_one_object() -> None:
    kind = parse_type("list of (Agent or none)")
    assert kind is parse_type("list of (Agent or none)") is ListOf(OneOf((Named("Agent"), NONE)))
    assert copy.deepcopy(kind) is kind
    assert pickle.loads(pickle.dumps(kind)) is kind


def test_none_can_be_of_an_optional_type_of_several() -> None:
    assert KITCHEN.types.could_be(NONE, OneOf((TEXT, Named("number"), NONE)))
    assert not KITCHEN.types.could_be(NONE, OneOf((TEXT, Named("number"))))
