"""Unknown condition under `otherwise`.

`otherwise` of a skill says in words what it means when a condition of `before` cannot be achieved.
Its keys are those conditions, spelt as they are there; the words of another key are never said.

Wrong:

    before:
      - reachable(item)
    otherwise:
      reachable(it): "{{ agent }} cannot reach the {{ item }}"

Right:

    before:
      - reachable(item)
    otherwise:
      reachable(item): "{{ agent }} cannot reach the {{ item }}"
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC524"


def check(view: View) -> Iterator[Diagnostic]:
    """Report keys of `otherwise` that are not conditions of `before`."""
    for entry in entries(view, "skill"):
        known = [condition for condition, _ in entry.model.preconditions]
        for text in entry.model.otherwise:
            if text not in known:
                message = f"unknown condition '{text}' of 'before'"
                help = suggestion(text, known, "conditions")
                span = entry.span("otherwise", text, key=True)
                yield Diagnostic(CODE, "error", span, message, help)
