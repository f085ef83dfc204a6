"""Programs of others that are shown a run as it goes on, such as Groot2: what extensions bring."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from typing import cast

from treec.companions import missing_help
from treec.extensions import ExtensionError, registry
from treec.run.run import CannotRun, Run
from treec.source.diagnostics import unknown

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
        except (OSError, ValueError, ExtensionError) as error:
            run.shown.close()
            raise CannotRun(
                f"monitor {text}: {getattr(error, 'strerror', None) or error}"
            ) from None
        run.shown.enter_context(monitor)
        told.append(str(monitor))
    return told


def _open(run: Run, name: str, address: str) -> AbstractContextManager[object]:
    """Raises ExtensionError, and what the monitor raises: OSError, ValueError."""
    target = registry().monitors.get(name)
    if target is None:
        why, help = unknown("monitor", name, registry().monitors), missing_help("monitors", name)
        raise ValueError(f"{why}: {help}" if help else why)
    function = cast(Open, registry().load(target))
    return registry().call(target, lambda: function(run, address), OSError, ValueError)
