"""Programs of others that are shown a run as it goes on, such as Groot2: what extensions bring."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import cast

from treec.companions import missing_help
from treec.extensions import ExtensionError, registry
from treec.run.run import CannotRun, Run
from treec.source.diagnostics import unknown

_log = logging.getLogger("treec.run")

Open = Callable[[Run, str], AbstractContextManager[object]]


def attach_monitors(run: Run, names: Iterable[str]) -> list[str]:
    """Show a run to others until it ends, each named ``NAME[=ADDRESS]``.

    Returns what they say of where they are. Raises CannotRun.
    """
    told = []
    for text in names:
        name, _, address = text.partition("=")
        try:
            monitor = _open(run, name, address)
            run.shown.enter_context(monitor)
            told.append(str(monitor))
        except (OSError, ValueError, ExtensionError) as error:
            run.shown.close()
            raise CannotRun(
                f"monitor {text}: {getattr(error, 'strerror', None) or error}"
            ) from None
    return told


class _Monitor:
    """A monitor of an extension. Its methods raise ExtensionError, OSError and ValueError."""

    def __init__(self, target: str, monitor: AbstractContextManager[object]) -> None:
        self._target, self._monitor = target, monitor

    def __enter__(self) -> None:
        registry().call(self._target, self._monitor.__enter__, OSError, ValueError)

    def __exit__(self, *error: object) -> None:
        """End it; one that cannot be ended is told, and the run has ended as it has."""
        try:
            registry().call(self._target, lambda: self._monitor.__exit__(None, None, None))
        except (ExtensionError, OSError, ValueError) as problem:
            _log.warning("%s", problem)

    def __str__(self) -> str:
        return registry().call(self._target, lambda: str.__str__(str(self._monitor)))


def _open(run: Run, name: str, address: str) -> _Monitor:
    """Raises ExtensionError, and what the monitor raises: OSError, ValueError."""
    target = registry().monitors.get(name)
    if target is None:
        help = missing_help("monitors", name)
        raise ValueError(help or unknown("monitor", name, registry().monitors))
    function = cast(Open, registry().load(target))
    opened = registry().call(target, lambda: function(run, address), OSError, ValueError)
    return _Monitor(target, opened)
