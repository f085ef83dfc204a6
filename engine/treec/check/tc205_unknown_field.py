"""Unknown field of a value.

Agents, subtasks, proposals and acts have fixed fields; the acts are those that the system's
readings declare. A list has no fields: its items have.

Wrong:

    - {when: acts.accpet, choose: Modify}

Right:

    - {when: acts.accept, choose: Modify}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import diagnostics_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC205"


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown fields in expressions and templates."""
    return diagnostics_of(view, CODE)
