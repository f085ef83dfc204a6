"""A function that does not exist, or one that is given too many or too few arguments.

Expressions call the team's functions and the facts of the domain. A fact takes as many arguments
as its declaration says.

Wrong:

    - check: quue(agent)
    - check: at()

Right:

    - check: queue(agent)
    - check: at(item)
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import found_by
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC204"


def check(view: View) -> Iterator[Diagnostic]:
    """Calls that cannot be made."""
    return found_by(view, CODE)
