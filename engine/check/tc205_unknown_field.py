"""A field that a value of its type does not have.

An agent, a subtask, a proposal, an act has certain fields; the acts are those that the system's
readings declare. A list has none: its items have.

Wrong:

    - {when: acts.accpet, choose: Modify}

Right:

    - {when: acts.accept, choose: Modify}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import found_by
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC205"


def check(view: View) -> Iterator[Diagnostic]:
    """Fields that are not there, in expressions and templates."""
    return found_by(view, CODE)
