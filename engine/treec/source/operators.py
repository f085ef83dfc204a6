"""Arithmetic, comparison and concatenation of values; whole numbers are limited to 64 bits."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

from treec.source.budget import Budget
from treec.source.errors import EvaluationProblem
from treec.source.objects import (
    contains,
    describe,
    equal,
    is_list,
    is_number,
    is_text,
    items_of,
    text_of,
)

MAX_RANGE = 1_000
_LARGEST = 2**63

Operation = Callable[[object, object, Budget], object]
Comparison = Callable[[object, object, Budget], bool]


def number(value: object) -> int | float:
    """Return a number as it is; refuse anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise EvaluationProblem(f"{describe(value)} is not a number")
    return value


def whole(value: object) -> int:
    """Return a whole number as it is; refuse anything else."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise EvaluationProblem(f"{describe(value)} is not a whole number")
    return value


def check_bounds(value: int | float) -> int | float:
    """Return a result; refuse one that does not fit 64 bits or is not finite."""
    if isinstance(value, int):
        if not -_LARGEST <= value < _LARGEST:
            raise EvaluationProblem("the result is too large: whole numbers have 64 bits")
    elif not math.isfinite(value):
        raise EvaluationProblem("the result is too large for a number")
    return value


def negative(value: object) -> int | float:
    """Return the negative of a number."""
    return check_bounds(-number(value))


def add(left: object, right: object, budget: Budget) -> object:
    """Add two numbers, or join two lists or two texts."""
    if is_number(left) and is_number(right):
        return check_bounds(number(left) + number(right))
    if isinstance(left, str) and isinstance(right, str):
        budget.text(len(left) + len(right))
        return left + right
    if is_list(left) and is_list(right):
        lefts, rights = items_of(left, budget), items_of(right, budget)
        budget.items(len(lefts) + len(rights))
        return [*lefts, *rights]
    help = "join texts with '~'" if is_text(left) or is_text(right) else None
    raise EvaluationProblem(f"{describe(left)} and {describe(right)} cannot be added", help)


def _arithmetic(
    symbol: str, operate: Callable[[int | float, int | float], int | float]
) -> Operation:
    def run(left: object, right: object, budget: Budget) -> object:
        if not is_number(left) or not is_number(right):
            raise EvaluationProblem(
                f"'{symbol}' takes numbers, not {describe(left)}, {describe(right)}"
            )
        try:
            return check_bounds(operate(number(left), number(right)))
        except ZeroDivisionError:
            raise EvaluationProblem("division by zero") from None
        except OverflowError:
            raise EvaluationProblem("the result is too large for a number") from None

    return run


ARITHMETIC: dict[str, Operation] = {
    "Add": add,
    "Sub": _arithmetic("-", operator.sub),
    "Mul": _arithmetic("*", operator.mul),
    "Div": _arithmetic("/", operator.truediv),
    "FloorDiv": _arithmetic("//", operator.floordiv),
    "Mod": _arithmetic("%", operator.mod),
}


def concat(values: Sequence[object], budget: Budget) -> str:
    """Print all values, one after the other."""
    texts = [text_of(value, budget) for value in values]
    budget.text(sum(map(len, texts)))
    return "".join(texts)


def check_order(left: object, right: object) -> None:
    """Refuse two values that have no order: only two numbers or two texts have one."""
    if is_number(left) and is_number(right):
        return
    if is_text(left) and is_text(right):
        return
    raise EvaluationProblem(f"{describe(left)} and {describe(right)} cannot be ordered")


def _order(compare: Callable[[Any, Any], bool]) -> Comparison:
    def run(left: object, right: object, budget: Budget) -> bool:
        check_order(left, right)
        return compare(left, right)

    return run


def _different(left: object, right: object, budget: Budget) -> bool:
    return not equal(left, right, budget)


COMPARE: dict[str, Comparison] = {
    "eq": equal,
    "ne": _different,
    "lt": _order(operator.lt),
    "lteq": _order(operator.le),
    "gt": _order(operator.gt),
    "gteq": _order(operator.ge),
    "in": lambda left, right, budget: contains(right, left, budget),
    "notin": lambda left, right, budget: not contains(right, left, budget),
}


def range_of(budget: Budget, args: Sequence[object]) -> list[object]:
    """Return the whole numbers of `range(stop)` or `range(start, stop, step)`."""
    if not 1 <= len(args) <= 3:
        raise EvaluationProblem("'range' takes one to three whole numbers")
    numbers = [whole(arg) for arg in args]
    if len(numbers) == 3 and numbers[2] == 0:
        raise EvaluationProblem("the step of 'range' cannot be 0")
    found = range(*numbers)
    # len() of a range beyond 64 bits raises
    if len(found[: MAX_RANGE + 1]) > MAX_RANGE:
        raise EvaluationProblem(f"'range' gives at most {MAX_RANGE:,} numbers")
    budget.items(len(found))
    return list(found)
