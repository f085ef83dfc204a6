"""The option `--monitor`: programs of others are shown a run as it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Annotated, cast

import typer

from treec.cli.common import Stop
from treec.companions import missing_help
from treec.extensions import ExtensionError, registry
from treec.source.diagnostics import unknown

if TYPE_CHECKING:
    from treec.run.run import Run

MonitorOption = Annotated[
    list[str] | None,
    typer.Option(
        "--monitor",
        metavar="NAME[=ADDRESS]",
        help="Show the run to another program as it goes on, such as groot2 (at port 1667 and the "
        "next one) or groot2=0.0.0.0:1667; several times.",
    ),
]

Opened = AbstractContextManager[object]
Show = Callable[["Run"], Opened]


def find_monitors(texts: Iterable[str]) -> Show:
    """What shows a run to these while it is entered. Raises Stop, as what it returns does."""
    found = [_find(text) for text in texts]

    def show(run: Run) -> Opened:
        with ExitStack() as opened:
            for one in found:
                opened.enter_context(one(run))
            return opened.pop_all()

    return show


def _find(text: str) -> Show:
    """A monitor by its name, with the code that it needs. Raises Stop."""
    name, _, address = text.partition("=")
    target = registry().monitors.get(name)
    if target is None:
        help = missing_help("monitors", name)
        why = unknown("monitor", name, sorted(registry().monitors))
        raise Stop(f"--monitor {text}: {f'{why}: {help}' if help else why}")
    try:
        function = cast(Callable[["Run", str], Opened], registry().load(target))
    except ExtensionError as error:
        raise Stop(f"--monitor {text}: {error}") from None

    def show(run: Run) -> Opened:
        try:
            monitor = registry().call(target, lambda: function(run, address), OSError, ValueError)
        except (OSError, ValueError, ExtensionError) as error:
            raise Stop(f"--monitor {text}: {getattr(error, 'strerror', None) or error}") from None
        typer.echo(f"treec: {monitor}", err=True)
        return monitor

    return show
