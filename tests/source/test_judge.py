"""What can be said of a condition when not all is known: Kleene's logic, as evaluation has it."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treec.source.errors import LocatedError, Unknown
from treec.source.expression import Expression
from treec.source.objects import UnknownValue
from treec.source.scope import MappingScope, UnknownScope

NAMES = ("a", "b", "c")
VALUES = (True, False, None, "salt", 0)


class Partly(UnknownScope):
    """Knows some names."""

    def __init__(self, known: Mapping[str, object]) -> None:
        self.known = known

    def lookup(self, name: str) -> object:
        return self.known[name] if name in self.known else super().lookup(name)


def _joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    operator = st.sampled_from(["and", "or", "==", "!=", "in [1, none, 'salt'] and"])
    return st.one_of(
        st.tuples(inner, operator, inner).map(lambda parts: "({} {} {})".format(*parts)),
        inner.map(lambda text: f"(not {text})"),
        st.tuples(inner, inner, inner).map(lambda p: f"({p[0]} if {p[1]} else {p[2]})"),
    )


CONDITIONS = st.recursive(
    st.sampled_from([*NAMES, "true", "false", "none", "'salt'", "(a | length > 0)"]),
    _joined,
    max_leaves=6,
)


@given(CONDITIONS, st.tuples(*[st.sampled_from(VALUES)] * len(NAMES)))
def test_whoever_knows_everything_judges_as_evaluation_does(
    text: str, values: tuple[object, ...]
) -> None:
    scope = MappingScope(dict(zip(NAMES, values, strict=True)))
    expression = Expression.parse(text)
    try:
        expected = bool(expression.evaluate(scope))
    except LocatedError:
        return  # what has no value may still be judged by its other parts
    assert expression.judge(scope) is expected


@given(CONDITIONS, st.dictionaries(st.sampled_from(NAMES), st.sampled_from(VALUES)))
def test_what_is_certain_stays_so_whatever_the_rest_is(text: str, known: dict[str, object]) -> None:
    expression = Expression.parse(text)
    judged = expression.judge(Partly(known))
    if judged is None:
        return
    rest = [name for name in NAMES if name not in known]
    for values in product(VALUES, repeat=len(rest)):
        scope = MappingScope({**known, **dict(zip(rest, values, strict=True))})
        try:
            assert bool(expression.evaluate(scope)) is judged
        except LocatedError:
            continue


@pytest.mark.parametrize(
    ("text", "judged"),
    [
        ("unknown() and false", False),
        ("false and unknown()", False),
        ("unknown() or true", True),
        ("unknown() or false", None),
        ("not unknown()", None),
        ("unknown() if true else false", None),
        ("true if unknown() else true", True),
        ("age(at(x)) < 3", None),
        ("x is ready or true", True),
        ("x is defined", None),
        ("some == none", False),
        ("none == some", False),
        ("some != none", True),
        ("some is none", False),
        ("some == 'salt'", None),
        ("some in ['salt']", None),
        ("some", None),
    ],
)
def test_what_is_judged_of_what_is_partly_known(text: str, judged: bool | None) -> None:
    assert Expression.parse(text).judge(Partly({"some": UnknownValue()})) is judged


def test_two_things_of_which_nothing_is_known_may_be_equal_or_not() -> None:
    with pytest.raises(Unknown):
        bool(UnknownValue() == UnknownValue())
