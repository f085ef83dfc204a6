"""Which tier each case of a test with many cases is in."""

from __future__ import annotations

import pytest

from tests.support.tiers import mark_few


@pytest.mark.parametrize(
    ("marker", "fast", "thorough"),
    [
        (pytest.mark.few(2), {0, 5}, {1, 2, 4, 6, 7, 9}),
        (pytest.mark.few(0), set(), {0, 2, 3, 5, 7, 8}),
        (pytest.mark.few(2, thorough=4), {0, 5}, {1, 3, 6, 8}),
        (pytest.mark.few(0, thorough=1), set(), {0}),
    ],
)
def test_few_are_fast_some_thorough_and_the_rest_slow(
    marker: pytest.MarkDecorator,
    fast: set[int],
    thorough: set[int],
) -> None:
    cases = [_Case(f"test_a.py::test_some[{number}]", marker.mark) for number in range(10)]
    mark_few(cases)  # type: ignore[arg-type]
    found = {
        number: "slow" if "slow" in case.names else "thorough" if case.names else "fast"
        for number, case in enumerate(cases)
    }
    assert {number for number, tier in found.items() if tier == "fast"} == fast
    assert {number for number, tier in found.items() if tier == "thorough"} == thorough


class _Case:
    """What a test's case has, for sorting it."""

    def __init__(self, nodeid: str, marker: pytest.Mark) -> None:
        self.nodeid = nodeid
        self._marker = marker
        self.names: set[str] = set()

    def get_closest_marker(self, name: str) -> pytest.Mark:
        """Return the only marker that it has."""
        assert name == "few"
        return self._marker

    def add_marker(self, marker: pytest.MarkDecorator) -> None:
        """Keep a marker's name."""
        self.names.add(marker.name)
