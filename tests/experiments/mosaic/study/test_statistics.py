"""Tests are scipy's; where one is undefined, the reason is given, and no figure."""

from __future__ import annotations

import sys

import pytest

from experiments.mosaic.study.statistics import NoScipy, TTest, estimate, paired, unpaired


def close(test: TTest) -> tuple[float, float, float]:
    assert test.t is not None, test.why
    assert test.p is not None
    assert test.df is not None
    return round(test.t, 4), round(test.p, 4), round(test.df, 4)


def test_welch() -> None:
    # By hand: means 2 and 5, variances 1 and 4: t = -3/√(5/3), df = (5/3)²/((1/3)²/2 + (4/3)²/2).
    found = unpaired([1, 2, 3], [3, 5, 7])
    assert found.n == (3, 3)
    assert close(found) == (-2.3238, 0.1045, 2.9412)


def test_pairs() -> None:
    # Differences -1, -2, -3: t = -2/(1/√3), df = 2.
    found = paired({1: 1, 2: 2, 3: 3}, {3: 6, 1: 2, 2: 4})
    assert (found.n, found.note) == ((3,), "")
    assert close(found) == (-3.4641, 0.0742, 2.0)


def test_missing_pairs_are_named() -> None:
    found = paired({1: 1, 2: 2, 4: 3, 7: 1}, {1: 2, 2: 4, 4: 6, 5: 0})
    assert found.n == (3,)
    assert found.note == "without participants 5, 7: one value is missing"
    assert close(found)[0] == -3.4641


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (unpaired([], [1, 2]), "needs two values or more of each planner"),
        (unpaired([1], [1, 2]), "needs two values or more of each planner"),
        (unpaired([2, 2], [2, 2]), "no variance: all values are equal"),
        (unpaired([0, 0], [4, 4, 4]), "no variance: neither planner's values differ"),
        (paired({}, {1: 1}), "no participant has used both planners"),
        (paired({1: 2}, {1: 1}), "needs two pairs or more"),
        (paired({1: 2, 2: 3}, {1: 2, 2: 3}), "no variance: all values are equal"),
        (
            paired({1: 0.1 + 0.2, 2: 1.3}, {1: 0.3 - 1, 2: 0.3}),
            "no variance: the difference is the same for all participants",
        ),
    ],
)
def test_what_is_undefined_is_told(found: TTest, why: str) -> None:
    assert found.why == why
    assert (found.t, found.p, found.df) == (None, None, None)


def test_one_constant_side_is_no_obstacle() -> None:
    assert close(unpaired([0, 0, 0], [1, 2, 3]))[0] == -3.4641


def test_an_error_needs_two_values() -> None:
    assert estimate([]).mean is None
    assert (estimate([3.0]).mean, estimate([3.0]).error) == (3.0, None)
    assert estimate([1, 3]).error == 1.0


def test_without_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(NoScipy):
        unpaired([1, 2], [3, 5])
