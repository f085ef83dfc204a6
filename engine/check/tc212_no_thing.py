"""A name where a thing of the scene must stand, and there is none of that name.

Places, items and agents are named as the scene and the agents' files name them, in an argument of
a fact and in a comparison with a fact's value. Names that are no single word stand in quotes.

Wrong:

    goal: at(item) == 'tabel'

Right:

    goal: at(item) == 'table'
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import found_by
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC212"


def check(view: View) -> Iterator[Diagnostic]:
    """Names of things that are in no scene of the system."""
    return found_by(view, CODE)
