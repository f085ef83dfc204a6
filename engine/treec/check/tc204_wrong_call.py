"""Unknown function, or wrong number of arguments.

Expressions call the built-in functions and the facts of the domain. A fact takes as many arguments
as its declaration lists.

Wrong:

    - check: quue(agent)
    - check: at()

Right:

    - check: queue(agent)
    - check: at(item)
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import diagnostics_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC204"


def check(view: View) -> Iterator[Diagnostic]:
    """Report calls of unknown functions, and calls with a wrong number of arguments."""
    return diagnostics_of(view, CODE)
