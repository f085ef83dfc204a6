"""Name used in a prompt but not listed under `sees`.

A node is asked again when something that it `sees` changes, and its examples and cases give values
for the names that it `sees` and `recalls`. Any other name would be looked up in the world at the
time of the request, and the decision could not be reproduced or explained.

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

from treec.check.texts import diagnostics_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC206"


def check(view: View) -> Iterator[Diagnostic]:
    """Report names that exist but that the node does not see, on every branch of its templates."""
    return diagnostics_of(view, CODE)
