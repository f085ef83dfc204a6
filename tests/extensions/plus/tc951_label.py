"""A label that is not in capitals.

Wrong:

    label: fragile
    text: Fragile

Right:

    label: fragile
    text: FRAGILE
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC951"


def check(view: View) -> Iterator[Diagnostic]:
    """Labels whose text has small letters."""
    for entry in entries(view, "label"):
        if entry.model.text != entry.model.text.upper():
            told = f"'{entry.model.text}' is not in capitals"
            yield Diagnostic(CODE, "error", entry.span("text"), told, None)
