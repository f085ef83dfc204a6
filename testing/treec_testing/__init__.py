"""Tries workers, parsers, node classes and environments with good and bad input.

Each trial is a function with an id; its docstring says what is tried, what would be right, and
shows an example. ``treec check --deep NAME`` makes them, and in a test file one line does::

    from treec_testing import check_worker

    def test_drive() -> None:
        check_worker("drive")

Each check takes a class or function of a module, or a name: of a skill, a reading, a node in
``treec.toml``, an environment. A name is looked up in ``library`` (default: the one of the current
folder), which says with which arguments, things and facts it is tried. Raises TrialsFailed for what
is found, TreecError if there is nothing of that name to try.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treec.nodes.environment import EnvironmentSetup
    from treec.nodes.worker import WorkOrder
    from treec_testing.recordings.transport import NotRecorded as NotRecorded
    from treec_testing.recordings.transport import RecordedTransport as RecordedTransport
    from treec_testing.recordings.transport import Recorder as Recorder
    from treec_testing.report import TrialReport

_RECORDINGS = ("NotRecorded", "RecordedTransport", "Recorder")

__all__ = [
    "TrialsFailed",
    "check_environment",
    "check_node",
    "check_parser",
    "check_worker",
    *_RECORDINGS,
]

Where = str | Path | None


class TrialsFailed(AssertionError):
    """Trials have found something; the message is what ``treec check --deep`` prints."""


def check_worker(
    worker: str | type[Any], *, order: WorkOrder | None = None, library: Where = None
) -> TrialReport:
    """Try a worker; a class with an ``order``, or with one of `agent` and `place`."""
    return _check("worker", worker, library, order=order)


def check_parser(parser: Any, *, library: Where = None) -> TrialReport:
    """Try a parser: a function of a text and a context."""
    return _check("parser", parser, library)


def check_node(
    node: str | type[Any], *, ports: Mapping[str, object] | None = None, library: Where = None
) -> TrialReport:
    """Try a node class with values for its ``ports``; others get one of their type."""
    return _check("node class", node, library, values=ports)


def check_environment(
    environment: Any, *, setup: EnvironmentSetup | None = None, library: Where = None
) -> TrialReport:
    """Try a factory of environments with a ``setup``, or with one without sensors."""
    return _check("environment", environment, library, setup=setup)


def _check(kind: str, code: Any, library: Where, **given: object) -> TrialReport:
    from treec_testing.report import try_code  # not before: each check of a library loads this

    __tracebackhide__ = True
    name = code if isinstance(code, str) else f"{code.__module__}:{code.__qualname__}"
    report = try_code([name], library, kind, **{k: v for k, v in given.items() if v is not None})
    if report.wrong:
        raise TrialsFailed(f"\n{report}")
    return report


if not TYPE_CHECKING:  # a type checker then finds names that are not there

    def __getattr__(name: str) -> object:
        """Import what records and replays answers when it is first used."""
        if name not in _RECORDINGS:
            raise AttributeError(f"module 'treec_testing' has no attribute {name!r}")
        from treec_testing.recordings import transport

        return getattr(transport, name)
