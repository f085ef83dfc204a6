"""The filters and tests that every expression has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from treec.source.budget import Budget
from treec.source.expression import EvaluationError, Expression, MappingScope


@dataclass(frozen=True)
class Item:
    treec_fields: ClassVar[tuple[str, ...]] = ("name", "size")
    name: str
    size: int

    @property
    def __treec_name__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Pose:
    treec_fields: ClassVar[tuple[str, ...]] = ("x", "at")
    x: float
    at: Item


BOWL, POT, CUP = Item("bowl", 3), Item("Pot", 5), Item("cup", 3)
SCOPE = MappingScope(
    {
        "items": [BOWL, POT, CUP],
        "sizes": {"pot": 5, "bowl": 3},
        "words": ["b", "A", "c", "a"],
        "text": "one two\nthree",
        "pose": Pose(1.5, BOWL),
        "nothing": None,
        "big": "x" * 200_000,
        "many": list(range(9_000)),
        "too_many": list(range(20_000)),
        "places": {"z", "y", "x"},
    }
)


def value(text: str) -> object:
    return Expression.parse(text).evaluate(SCOPE)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("items | join(', ')", "bowl, Pot, cup"),
        ("items | join('/', attribute='size')", "3/5/3"),
        ("words | join", "bAca"),
        ("[1, none, true] | join('-')", "1--true"),
        ("items | length + (words | count) + ('abc' | length)", 10),
        ("words | first ~ (words | last)", "ba"),
        ("[] | first", None),
        ("items | map(attribute='name') | list", ["bowl", "Pot", "cup"]),
        ("[pose] | map(attribute='at.size') | list", [3]),
        ("items | map(attribute='colour', default='none')", ["none"] * 3),
        ("words | map('upper') | list", ["B", "A", "C", "A"]),
        ("words | map('replace', 'a', 'z')", ["b", "A", "c", "z"]),
        ("[0, 1, 2] | select", [1, 2]),
        ("[0, 1, 2] | select('odd')", [1]),
        ("[0, 1, 2] | reject('ge', 1)", [0]),
        ("items | selectattr('size', '==', 3) | list == ['bowl', 'cup']", True),
        ("items | rejectattr('size', 'in', [3]) | list == ['Pot']", True),
        ("items | selectattr('size') | length", 3),
        ("words | sort", ["A", "a", "b", "c"]),
        ("words | sort(case_sensitive=true)", ["A", "a", "b", "c"]),
        ("[3, 1, 2] | sort(reverse=true)", [3, 2, 1]),
        ("items | sort(attribute='size') == ['bowl', 'cup', 'Pot']", True),
        ("items | sort | first == 'bowl'", True),
        ("words | unique", ["b", "A", "c"]),
        ("words | unique(case_sensitive=true) | length", 4),
        ("items | unique(attribute='size') == ['bowl', 'Pot']", True),
        ("[1, 2, 3] | reverse", [3, 2, 1]),
        ("'abc' | reverse", "cba"),
        ("[1, 2, 3] | batch(2)", [[1, 2], [3]]),
        ("items | groupby('size') | map(attribute='grouper')", [3, 5]),
        ("(items | groupby('size'))[0].list == ['bowl', 'cup']", True),
        ("sizes | items", [["pot", 5], ["bowl", 3]]),
        ("sizes | dictsort", [["bowl", 3], ["pot", 5]]),
        ("sizes | dictsort(by='value', reverse=true)", [["pot", 5], ["bowl", 3]]),
        ("sizes | list", ["pot", "bowl"]),
        ("places | list", ["x", "y", "z"]),
        ("[3, 1] | min ~ ([3, 1] | max)", "13"),
        ("[] | min", None),
        ("items | max(attribute='size') == 'Pot'", True),
        ("items | sum(attribute='size')", 11),
        ("[0.5, 1] | sum(start=1)", 2.5),
        ("'aB' | upper ~ ('aB' | lower) ~ ('aB' | capitalize)", "ABabAb"),
        ("'two words-here' | title", "Two Words-Here"),
        ("' a ' | trim", "a"),
        ("['a', 'b', 'c'] | listed", "a, b and c"),
        ("['a', 'b'] | listed('or')", "a or b"),
        ("['a'] | listed ~ ([] | listed)", "a"),
        ("['a', 'b', 'c', 'd'] | listed('or', 2)", "a, b and 2 more"),
        ("'get the box' | gerund", "getting the box"),
        ("'place it' | gerund", "placing it"),
        ("'mow' | gerund", "mowing"),
        ("'free it' | gerund", "freeing it"),
        ("'inspect it' | gerund", "inspecting it"),
        ("'xax' | trim('x')", "a"),
        ("'aaa' | replace('a', 'b', 2)", "bba"),
        ("text | indent(2)", "one two\n  three"),
        ("text | indent(2, first=true)", "  one two\n  three"),
        ("text | indent('> ')", "one two\n> three"),
        ("text | wordwrap(4)", "one\ntwo\nthre\ne"),
        ("nothing | default('x')", "x"),
        ("'' | d('x', true)", "x"),
        ("'' | d('x')", ""),
        ("'42' | int + ('4.9' | int) + ('x' | int(0))", 46),
        ("'1e3' | float", 1000.0),
        ("2.567 | round(1)", 2.6),
        ("-3 | abs", 3),
        ("(-3) | abs", 3),
        ("3 | string ~ (true | string)", "3true"),
        ("{'b': [1, none, true], 'a': 'ü'} | tojson", '{"a":"ü","b":[1,null,true]}'),
        ("pose | tojson", '{"at":"bowl","x":1.5}'),
        ("4 is even and 3 is odd and 9 is divisibleby 3", True),
        ("'a' is in words and 'a' is eq 'a' and 1 is ne 2", True),
        ("1 is lt 2 and 2 is gt 1 and 1 is le 1 and 1 is ge 1", True),
        ("sizes is mapping and words is list and true is boolean", True),
        ("1 is number and true is not number and 'a' is string", True),
        ("nothing is none and true is true and false is false", True),
    ],
)
def test_filter_or_test(text: str, expected: object) -> None:
    assert value(text) == expected


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("big | replace('x', 'xxxx')", "replace", "this makes a text of more than 256,000"),
        ("big ~ big", "big", "this makes a text of more than 256,000"),
        ("[big, big] | join", "join", "this makes a text of more than 256,000"),
        ("words | join(big)", "join", "this makes a text of more than 256,000"),
        ("[big, big] | tojson", "tojson", "this makes a text of more than 256,000"),
        ("[big, big] | string", "string", "this makes a text of more than 256,000"),
        ("big | indent(1000000000)", "indent", "a width is between 0 and 1,000"),
        ("text | wordwrap(0)", "wordwrap", "a line has at least one column"),
        ("'' | replace('', 'x')", "replace", "'replace' needs something to look for"),
        ("too_many | list", "list", "this is a list of more than 10,000 items"),
        ("1 in too_many", "1", "this is a list of more than 10,000 items"),
        ("many + many", "many", "this is a list of more than 10,000 items"),
        ("many | sort", "sort", "this takes more than 100,000 steps"),
        ("[[1]] | unique", "unique", "a list cannot be a key"),
        ("[1, 'a'] | sort", "sort", "a text and a number cannot be ordered"),
        ("1 | round(400)", "round", "a number is rounded to between 0 and 15 places"),
        ("'x' | int", "int", "a text cannot be read as a number"),
        ("[pose] | map(attribute='at._x')", "map", "a field cannot begin with '_'"),
        (
            "[pose] | map(attribute='at.colour')",
            "map",
            "unknown field 'colour' of a value of type Item",
        ),
        ("pose.at | items", "items", "this takes a mapping, not a value of type Item"),
        ("1.5 is even", "even", "a number is not a whole number"),
        ("words | batch(0)", "batch", "a batch has at least one item"),
    ],
)
def test_refused_at_the_filter(text: str, where: str, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        value(text)
    error = caught.value
    assert error.message.startswith(message)
    assert text[error.offset : error.offset + error.length] == where


def test_what_a_filter_goes_through_is_charged() -> None:
    budget = Budget()
    Expression.parse("many | list").evaluate(SCOPE, budget)
    assert budget.max_steps - budget.steps == 9_001
