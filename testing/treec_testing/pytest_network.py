"""The pytest plugin: tests have no network access.

With ``treec_forbid_network = true`` in pytest's settings only tests marked ``network`` can connect
to other machines.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from typing import Any

import pytest

SETTING = "treec_forbid_network"

_guard: pytest.StashKey[tuple[ExitStack, list[str]]] = pytest.StashKey()


def pytest_addoption(parser: pytest.Parser) -> None:
    """The plugin's setting."""
    help = "No test reaches beyond this machine, but those marked `network`."
    parser.addini(SETTING, help, type="bool", default=False)


def pytest_configure(config: pytest.Config) -> None:
    """Forbid the network from here on, where that is set."""
    config.addinivalue_line("markers", "network: may reach beyond this machine")
    if config.getini(SETTING):
        from treec_testing.decisions.no_network import forbid_network

        stack = ExitStack()
        config.stash[_guard] = stack, stack.enter_context(forbid_network())


def pytest_unconfigure(config: pytest.Config) -> None:
    """Leave the process as it was."""
    if _guard in config.stash:
        config.stash[_guard][0].close()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """A test that reached for the network fails, also when it caught the error."""
    if _guard not in item.config.stash:
        return (yield)
    from treec_testing.decisions.no_network import allow_network

    if item.get_closest_marker("network") is not None:
        with allow_network():
            return (yield)
    reached = item.config.stash[_guard][1]
    before = len(reached)
    result = yield
    if len(reached) > before:
        pytest.fail(f"reached for the network: {', '.join(reached[before:])}", pytrace=False)
    return result
