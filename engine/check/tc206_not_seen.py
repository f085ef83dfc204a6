"""A template or a rule that uses what its node does not see.

A node is asked anew when what it `sees` changes, and its examples and cases give values to what it
`sees` and `recalls`. A name besides these would be looked up in the world of the moment: nobody
could say why a decision came out as it did.

Wrong:

    decision: Execution
    sees: [acts]
    offline:
      - {when: available, choose: Confirm}

Right:

    decision: Execution
    sees: [acts, available]
    offline:
      - {when: available, choose: Confirm}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import found_by
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC206"


def check(view: View) -> Iterator[Diagnostic]:
    """Names that exist, but not for this node; on every branch of its templates."""
    return found_by(view, CODE)
