"""Unknown thing.

Arguments of facts, and texts compared with a fact's value, name places, items or agents as the
scene and the agents' files do. Names that are not a single word are written in quotes.

Wrong:

    goal: at(item) == 'tabel'

Right:

    goal: at(item) == 'table'
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import diagnostics_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC212"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names of things that are in no scene of the system."""
    return diagnostics_of(view, CODE)
