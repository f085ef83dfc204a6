"""Comparison that can never hold, or argument of the wrong type.

Reported only when certain: a list never equals a text, a subtask never equals an agent, and a
status is one of a few words. So is state that trees set to texts, and a fact that effects, goals
and scenes give texts, unless one of these is computed, the fact is sensed, or a Python node may
set the state.

Wrong:

    - check: status(agent) == 'Interupted'

Right:

    - check: status(agent) == 'Interrupted'
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.texts import diagnostics_of
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC213"


def check(view: View) -> Iterator[Diagnostic]:
    """Report comparisons and arguments of incompatible types."""
    return diagnostics_of(view, CODE)
