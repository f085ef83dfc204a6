"""Built-in filters of numbers and built-in tests, which `treec.core` declares under Jinja's names.

Each charges the evaluation's budget for what it makes or visits. Unlike in Jinja, lists come back
at once (no generators), `int` and `float` refuse a text that is no number unless given a default,
and nothing formats, repeats or pads text without bound. `filters_lists` and `filters_text` hold the
other filters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from treec.source.errors import EvaluationProblem
from treec.source.frame import ClosureFrame
from treec.source.objects import contains, describe, equal, is_list, is_number, is_text
from treec.source.operators import COMPARE, check_bounds, number, whole

_NO_DEFAULT = object()
_LONGEST_NUMBER = 40


def default_filter(
    frame: ClosureFrame, value: object, default_value: object = "", boolean: object = False
) -> object:
    if value is None or (boolean and not value):
        return default_value
    return value


def int_filter(frame: ClosureFrame, value: object, default: object = _NO_DEFAULT) -> object:
    found = _number(value, default)
    return int(found) if isinstance(found, (int, float)) else found


def float_filter(frame: ClosureFrame, value: object, default: object = _NO_DEFAULT) -> object:
    found = _number(value, default)
    return float(found) if isinstance(found, (int, float)) else found


def _number(value: object, default: object) -> object:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, (int, float)):
        return check_bounds(value)
    if isinstance(value, str) and len(value) <= _LONGEST_NUMBER:
        for convert in (int, float):
            try:
                return check_bounds(convert(value))
            except (ValueError, EvaluationProblem):
                continue
    if default is _NO_DEFAULT:
        raise EvaluationProblem(
            f"{describe(value)} cannot be read as a number", "give a default: int(0)"
        )
    return default


def round_filter(
    frame: ClosureFrame, value: object, precision: object = 0, method: object = "common"
) -> object:
    places = whole(precision)
    if not 0 <= places <= 15:
        raise EvaluationProblem("a number is rounded to between 0 and 15 places")
    if method != "common":
        raise EvaluationProblem("'round' knows one method, 'common'")
    found = check_bounds(number(value))
    return round(found if isinstance(found, float) else float(found), places)


def abs_filter(frame: ClosureFrame, value: object) -> object:
    return check_bounds(abs(number(value)))


def defined_test(frame: ClosureFrame, value: object) -> object:
    return True


def undefined_test(frame: ClosureFrame, value: object) -> object:
    return False


def none_test(frame: ClosureFrame, value: object) -> object:
    return value is None


def true_test(frame: ClosureFrame, value: object) -> object:
    return value is True


def false_test(frame: ClosureFrame, value: object) -> object:
    return value is False


def boolean_test(frame: ClosureFrame, value: object) -> object:
    return isinstance(value, bool)


def number_test(frame: ClosureFrame, value: object) -> object:
    return is_number(value)


def text_test(frame: ClosureFrame, value: object) -> object:
    return is_text(value)


def mapping_test(frame: ClosureFrame, value: object) -> object:
    return isinstance(value, Mapping)


def sequence_test(frame: ClosureFrame, value: object) -> object:
    return is_list(value)


def even_test(frame: ClosureFrame, value: object) -> object:
    return whole(value) % 2 == 0


def odd_test(frame: ClosureFrame, value: object) -> object:
    return whole(value) % 2 == 1


def divisibleby_test(frame: ClosureFrame, value: object, num: object) -> object:
    if whole(num) == 0:
        raise EvaluationProblem("division by zero")
    return whole(value) % whole(num) == 0


def in_test(frame: ClosureFrame, value: object, seq: object) -> object:
    return contains(seq, value, frame.budget)


def eq_test(frame: ClosureFrame, value: object, other: object) -> object:
    return equal(value, other, frame.budget)


def ne_test(frame: ClosureFrame, value: object, other: object) -> object:
    return not equal(value, other, frame.budget)


def _ordering(operation: str) -> Callable[[ClosureFrame, object, object], object]:
    compare = COMPARE[operation]

    def run(frame: ClosureFrame, value: object, other: object) -> object:
        return compare(value, other, frame.budget)

    return run


lt_test = _ordering("lt")
le_test = _ordering("lteq")
gt_test = _ordering("gt")
ge_test = _ordering("gteq")
