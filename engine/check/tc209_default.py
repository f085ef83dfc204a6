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

from treec.check.base import entries
from treec.check.fields import read_type
from treec.check.fitting import misfit
from treec.files.types import ListOf, Type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic

CODE = "TC209"


def check(view: View) -> Iterator[Diagnostic]:
    """What the domain's state holds at the start."""
    for entry in entries(view, "domain"):
        for name, spec in entry.model.state.items():
            if "default" not in spec.model_fields_set:
                continue
            loc = ("state", name, "default")
            for step, kind, value in _parts(read_type(spec.type), spec.default):
                wrong = misfit(view, kind, value)
                if wrong is not None:
                    span = entry.span(*loc, *step)
                    yield Diagnostic(CODE, "error", span, wrong.message, wrong.help)


def _parts(kind: Type, value: object) -> Iterator[tuple[tuple[int, ...], Type, object]]:
    """A list's items each for itself, so that the one that is wrong is pointed at."""
    if isinstance(kind, ListOf) and isinstance(value, list):
        for index, item in enumerate(value):
            for step, of, part in _parts(kind.item, item):
                yield (index, *step), of, part
    else:
        yield (), kind, value
