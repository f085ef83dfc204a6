"""How much a run of the tests does: few examples by default, all of them with ``--thorough``."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

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
    settings.register_profile("full", deadline=None, suppress_health_check=quiet)
    settings.load_profile("full" if _thorough else "few")


def first_fast(values: Iterable[Any], count: int) -> list[Any]:
    """Values to parametrize with: all but the first ``count`` are left to `make test-all`."""
    every = list(values)
    rest = (pytest.param(value, marks=pytest.mark.thorough) for value in every[count:])
    return [*every[:count], *rest]
