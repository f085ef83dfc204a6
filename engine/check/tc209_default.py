"""A default that does not fit its type.

Wrong:

    state:
      recipe_name: {type: text, default: 3}

Right:

    state:
      recipe_name: {type: text, default: ""}
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.check.base import entries
from engine.check.fields import read_type
from engine.check.fitting import misfit
from engine.files.view import View
from engine.source.diagnostics import Diagnostic

CODE = "TC209"


def check(view: View) -> Iterator[Diagnostic]:
    """What the domain's state holds at the start."""
    for entry in entries(view, "domain"):
        for name, spec in entry.model.state.items():
            if "default" not in spec.model_fields_set:
                continue
            wrong = misfit(view, read_type(spec.type), spec.default)
            if wrong is not None:
                span = entry.span("state", name, "default")
                yield Diagnostic(CODE, "error", span, wrong.message, wrong.help)
