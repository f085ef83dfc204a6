"""Means with standard errors, and t-tests by scipy; where one is undefined, why."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from experiments.mosaic.report import mean_and_error


class NoScipy(Exception):
    """The tests need scipy, which is not installed."""


@dataclass(frozen=True)
class Estimate:
    """A mean and its standard error (sample variance, n − 1), which one value does not have."""

    n: int
    mean: float | None
    error: float | None


@dataclass(frozen=True)
class TTest:
    """A two-sided t-test of a mean difference: n, t, p and df, or ``why`` there is none.

    ``n`` is the number of pairs of a paired test, and of values of each side of an unpaired one.
    ``note`` says what was left out.
    """

    n: tuple[int, ...]
    t: float | None = None
    p: float | None = None
    df: float | None = None
    why: str = ""
    note: str = ""


def estimate(values: Sequence[float]) -> Estimate:
    """The mean of some values and its standard error."""
    if not values:
        return Estimate(0, None, None)
    mean, error = mean_and_error(values)
    return Estimate(len(values), mean, error if len(values) > 1 else None)


def unpaired(first: Sequence[float], second: Sequence[float]) -> TTest:
    """Welch's t-test (unequal variances) of two independent samples. Raises NoScipy."""
    n = (len(first), len(second))
    if min(n) < 2:
        return TTest(n, why="needs two values or more of each planner")
    if _constant(first) and _constant(second):
        return TTest(n, why=_why_constant(first[0] - second[0], "neither planner's values differ"))
    return _result(n, _scipy("ttest_ind", first, second, equal_var=False))


def paired(first: Mapping[int, float], second: Mapping[int, float]) -> TTest:
    """A paired t-test over the participants who have a value on both sides. Raises NoScipy."""
    both = sorted(first.keys() & second.keys())
    alone = sorted(first.keys() ^ second.keys())
    note = f"without participants {', '.join(map(str, alone))}: one value is missing"
    note = note if both and alone else ""
    n = (len(both),)
    if not both:
        return TTest(n, why="no participant has used both planners")
    if len(both) < 2:
        return TTest(n, why="needs two pairs or more", note=note)
    differences = [first[one] - second[one] for one in both]
    if _constant(differences):
        why = _why_constant(differences[0], "the difference is the same for all participants")
        return TTest(n, why=why, note=note)
    values = [first[one] for one in both], [second[one] for one in both]
    return _result(n, _scipy("ttest_rel", *values), note)


def _constant(values: Sequence[float]) -> bool:
    """Whether values are equal, but for rounding: their variance is then only noise."""
    scale = max(abs(value) for value in values)
    return max(values) - min(values) <= 1e-9 * scale


def _why_constant(difference: float, otherwise: str) -> str:
    equal = math.isclose(difference, 0.0, abs_tol=1e-9)
    return f"no variance: {'all values are equal' if equal else otherwise}"


def _scipy(name: str, *values: Sequence[float], **options: object) -> tuple[float, float, float]:
    try:
        from scipy import stats
    except ImportError:
        raise NoScipy from None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # what is not finite is told below
        found = getattr(stats, name)(*values, **options)
    return float(found.statistic), float(found.pvalue), float(found.df)


def _result(n: tuple[int, ...], found: tuple[float, float, float], note: str = "") -> TTest:
    if not all(map(math.isfinite, found)):
        return TTest(n, why="the variance is too small to divide by", note=note)
    return TTest(n, *found, note=note)
