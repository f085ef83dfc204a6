"""A name that the expression cannot use.

An expression knows the state and the derived names of its domain, the names that the team brings,
the things of the scene, and what its place brings: arguments, ports, variables, the item of a
loop. A thing whose name is no single word stands in quotes.

Wrong:

    - check: subtaks

Right:

    - check: subtasks
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import found_by
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC203"


def check(view: View) -> Iterator[Diagnostic]:
    """Names that nothing brings to the place where they stand."""
    return found_by(view, CODE)
