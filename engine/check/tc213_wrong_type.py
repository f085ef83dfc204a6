"""A comparison that can never hold, or an argument of the wrong type.

Told only where it is certain: a list is never equal to a text, a subtask never to an agent, and a
status is one of a few words.

Wrong:

    - check: status(agent) == 'Interupted'

Right:

    - check: status(agent) == 'Interrupted'
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import found_by
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC213"


def check(view: View) -> Iterator[Diagnostic]:
    """Comparisons and arguments whose types cannot meet."""
    return found_by(view, CODE)
