"""A derived name that goes round in a circle.

A derived name is worked out from others each time it is asked for. One that needs itself, by
whatever way, can never be worked out.

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
    """The first name of every circle, in order of the file."""
    for entry in entries(view, "domain"):
        needs = {name: _names(text) for name, text in entry.model.derived.items()}
        told: set[str] = set()
        for name in needs:
            circle = shortest_path(needs, name, name)
            if circle is None or not told.isdisjoint(circle):
                continue
            told.update(circle)
            way = " needs ".join(f"'{step}'" for step in circle)
            message = f"this name can never be worked out: {way}"
            help = "say one of them without the others"
            yield Diagnostic(CODE, "error", entry.span("derived", name, key=True), message, help)


def _names(text: str) -> tuple[str, ...]:
    try:
        return tuple(dict.fromkeys(name.name for name in Expression.parse(text).names))
    except SourceError:
        return ()
