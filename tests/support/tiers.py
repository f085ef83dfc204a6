"""How much a run of the tests does: few examples by default, all of them with ``--thorough``."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

MOST = 6
"""Cases of a test marked ``few`` that are thorough; more take CI beyond its quarter of an hour."""

_thorough = False


def many(full: int, few: int) -> int:
    """How many examples to try: ``few`` by default, ``full`` with ``--thorough``."""
    return full if _thorough else few


def add_option(parser: pytest.Parser) -> None:
    """Declare ``--thorough``."""
    group = parser.getgroup("tiers")
    group.addoption("--thorough", action="store_true", help="try all examples of sampled tests")


def configure(config: pytest.Config) -> None:
    """Choose the number of examples, before any test module is imported.

    The few examples are always the same, so that `make test` does not fail by chance.
    """
    global _thorough
    _thorough = bool(config.getoption("thorough"))
    quiet = [HealthCheck.too_slow]
    settings.register_profile("few", max_examples=20, derandomize=True, deadline=None)
    settings.register_profile("full", max_examples=20, deadline=None, suppress_health_check=quiet)
    settings.load_profile("full" if _thorough else "few")


def mark_few(items: Iterable[pytest.Item]) -> None:
    """Leave most cases of tests that are marked ``few(count)`` to `make test-all`.

    The ``count`` cases that stay fast are spread evenly, the first among them. With
    ``few(count, thorough=more)`` so many of the others are thorough, by default ``MOST``; the rest
    is slow.
    """
    cases: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("few"):
            cases[item.nodeid.partition("[")[0]].append(item)
    for group in cases.values():
        marker = group[0].get_closest_marker("few")
        assert marker is not None
        others = _others(group, marker.args[0])
        for item in others:
            item.add_marker(pytest.mark.thorough)
        for item in _others(others, min(marker.kwargs.get("thorough", MOST), len(others))):
            item.add_marker(pytest.mark.slow)


def _others(cases: list[pytest.Item], count: int) -> list[pytest.Item]:
    """The cases without ``count`` of them that are spread evenly."""
    chosen = {round(n * len(cases) / count) for n in range(count)}
    return [case for number, case in enumerate(cases) if number not in chosen]


def first_fast(values: Iterable[Any], count: int) -> list[Any]:
    """Values to parametrize with: all but the first ``count`` are left to `make test-all`."""
    every = list(values)
    rest = (pytest.param(value, marks=pytest.mark.thorough) for value in every[count:])
    return [*every[:count], *rest]
