"""The filters and tests that every expression has. Each charges what it makes or goes through.

They are a choice of Jinja's own, by the same names. What differs: lists come back at once (no
generators), `int` and `float` refuse a text that is no number unless a default is given, and
nothing formats, repeats or pads text without bound. Here are the numbers and the tests;
`filters_lists` and `filters_text` hold the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

import treec.source.filters_lists
import treec.source.filters_text  # noqa: F401  fills the table of filters
from treec.source.errors import EvaluationProblem
from treec.source.frame import ClosureFrame
from treec.source.objects import contains, described, equal, is_list, is_number, is_text
from treec.source.operators import COMPARE, bounded, number, whole
from treec.source.registry import builtin_filter, builtin_test

_NO_DEFAULT = object()
_LONGEST_NUMBER = 40


@builtin_filter("default", "d")
def _default(
    frame: ClosureFrame, value: object, default_value: object = "", boolean: object = False
) -> object:
    if value is None or (boolean and not value):
        return default_value
    return value


@builtin_filter("int")
def _int(frame: ClosureFrame, value: object, default: object = _NO_DEFAULT) -> object:
    found = _number(value, default)
    return int(found) if isinstance(found, (int, float)) else found


@builtin_filter("float")
def _float(frame: ClosureFrame, value: object, default: object = _NO_DEFAULT) -> object:
    found = _number(value, default)
    return float(found) if isinstance(found, (int, float)) else found


def _number(value: object, default: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return bounded(value)
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        for convert in (int, float):
            try:
                return bounded(convert(value))
            except (ValueError, EvaluationProblem):
                continue
    if default is _NO_DEFAULT:
        raise EvaluationProblem(
            f"{described(value)} cannot be read as a number", "give a default: int(0)"
        )
    return default


@builtin_filter("round")
def _round(
    frame: ClosureFrame, value: object, precision: object = 0, method: object = "common"
) -> object:
    places = whole(precision)
    if not 0 <= places <= 15:
        raise EvaluationProblem("a number is rounded to between 0 and 15 places")
    if method != "common":
        raise EvaluationProblem("'round' knows one method, 'common'")
    return round(float(bounded(number(value))), places)


@builtin_filter("abs")
def _abs(frame: ClosureFrame, value: object) -> object:
    return bounded(abs(number(value)))


@builtin_test("defined")
def _is_defined(frame: ClosureFrame, value: object) -> object:
    return True


@builtin_test("undefined")
def _is_undefined(frame: ClosureFrame, value: object) -> object:
    return False


@builtin_test("none")
def _is_none(frame: ClosureFrame, value: object) -> object:
    return value is None


@builtin_test("true")
def _is_true(frame: ClosureFrame, value: object) -> object:
    return value is True


@builtin_test("false")
def _is_false(frame: ClosureFrame, value: object) -> object:
    return value is False


@builtin_test("boolean")
def _is_boolean(frame: ClosureFrame, value: object) -> object:
    return isinstance(value, bool)


@builtin_test("number")
def _is_number(frame: ClosureFrame, value: object) -> object:
    return is_number(value)


@builtin_test("text", "string")
def _is_text(frame: ClosureFrame, value: object) -> object:
    return is_text(value)


@builtin_test("mapping")
def _is_mapping(frame: ClosureFrame, value: object) -> object:
    return isinstance(value, Mapping)


@builtin_test("sequence", "list")
def _is_sequence(frame: ClosureFrame, value: object) -> object:
    return is_list(value)


@builtin_test("even")
def _is_even(frame: ClosureFrame, value: object) -> object:
    return whole(value) % 2 == 0


@builtin_test("odd")
def _is_odd(frame: ClosureFrame, value: object) -> object:
    return whole(value) % 2 == 1


@builtin_test("divisibleby")
def _is_divisibleby(frame: ClosureFrame, value: object, num: object) -> object:
    if whole(num) == 0:
        raise EvaluationProblem("division by zero")
    return whole(value) % whole(num) == 0


@builtin_test("in")
def _is_in(frame: ClosureFrame, value: object, seq: object) -> object:
    return contains(seq, value, frame.budget)


@builtin_test("eq", "equalto", "==")
def _is_equal(frame: ClosureFrame, value: object, other: object) -> object:
    return equal(value, other, frame.budget)


@builtin_test("ne", "!=")
def _is_different(frame: ClosureFrame, value: object, other: object) -> object:
    return not equal(value, other, frame.budget)


def _ordering(operation: str, *names: str) -> None:
    compare = COMPARE[operation]

    def run(frame: ClosureFrame, value: object, other: object) -> object:
        return compare(value, other, frame.budget)

    builtin_test(*names)(run)


_ordering("lt", "lt", "lessthan", "<")
_ordering("lteq", "le", "<=")
_ordering("gt", "gt", "greaterthan", ">")
_ordering("gteq", "ge", ">=")
