"""Circular definition of a derived name.

A derived name is computed from others each time it is used. One that depends on itself, directly
or through others, has no value.

Wrong:

    derived:
      busy: moving | list
      moving: busy | selectattr('current') | list

Right:

    derived:
      busy: moving | list
      moving: robots | selectattr('current') | list
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.graph import shortest_path
from treec.source.diagnostics import Diagnostic
from treec.source.errors import SourceError
from treec.source.expression import Expression

CODE = "TC607"


def check(view: View) -> Iterator[Diagnostic]:
    """Report the first name of every cycle, in order of the file."""
    for entry in entries(view, "domain"):
        needs = {name: _names(text) for name, text in entry.model.derived.items()}
        reported: set[str] = set()
        for name in needs:
            cycle = shortest_path(needs, name, name)
            if cycle is None or not reported.isdisjoint(cycle):
                continue
            reported.update(cycle)
            message = "circular definition: " + " → ".join(f"'{step}'" for step in cycle)
            help = "define one of them without the others"
            yield Diagnostic(CODE, "error", entry.span("derived", name, key=True), message, help)


def _names(text: str) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(name.name for name in Expression.parse(text).names))
    except SourceError:
        return ()
