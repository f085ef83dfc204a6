"""Completion of what is typed in the shell (``--install-completion``)."""

from __future__ import annotations

import re

import typer

from treec.cli.common import Stop, open_library

_TIME = re.compile(r"\s*\d[\w.]*\s*:\s*")


def complete_fault(context: typer.Context, incomplete: str) -> list[str]:
    """The faults that can be injected into the system that is named before, as far as typed."""
    from treec.files.view import View, on_environment
    from treec.program.faults import suggest

    given = context.params
    try:
        library = open_library(given.get("library"), or_none=True)
        system = library.find_system(str(given.get("system")))
    except Stop:
        return []
    if system is None:
        return []
    if given.get("env") is not None:
        system = on_environment(system, given["env"])
    timed = _TIME.match(incomplete)
    time = timed[0] if timed else ""
    found = [time + one for one in suggest(View(library, system))]
    return [one for one in found if one.startswith(incomplete)]
