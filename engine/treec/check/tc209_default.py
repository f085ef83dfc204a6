"""Default value of the wrong type.

Wrong:

    state:
      recipe_name: {type: text, default: 3}

Right:

    state:
      recipe_name: {type: text, default: ""}
"""

from __future__ import annotations

from collections.abc import Iterator

from treec.check.base import entries
from treec.check.environments import world
from treec.files.types import misfits, read_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC209"


def check(view: View) -> Iterator[Diagnostic]:
    """Check the default values of the domain's state."""
    for entry in entries(view, "domain"):
        for name, spec in entry.model.state.items():
            if "default" not in spec.model_fields_set:
                continue
            for wrong in misfits(read_type(spec.type), spec.default, world(view)):
                span = entry.span("state", name, "default", *wrong.loc)
                yield Diagnostic(CODE, "error", span, wrong.message, wrong.help)
