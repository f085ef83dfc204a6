"""Unknown name in an expression.

An expression can use the domain's state and derived names, the built-in names, the things of the
scene, and what its place in the file binds: arguments, ports, variables, the item of a loop. A
thing whose name is not a single word is written in quotes.

Wrong:

    - check: subtaks

Right:

    - check: subtasks
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import diagnostics_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC203"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names that are not in scope."""
    return diagnostics_of(view, CODE)
