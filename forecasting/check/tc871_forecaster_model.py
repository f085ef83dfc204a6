"""Forecaster at work whose model is nowhere.

`model` is one of treec's forecasters, `zero_velocity`, `constant_velocity`, or a folder below the
library's root that `treec forecast train` has written. In a run, skills would be given the present
pose instead of forecasts.

Wrong:

    forecaster: foresight
    model: staedy

Right:

    forecaster: foresight
    model: steady
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from treec.check.base import entries
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC871"
MADE = "made.json"
EXTRAPOLATED = ("zero_velocity", "constant_velocity")
_SHIPPED = Path(__file__).parent.parent / "weights"


def check(view: View) -> Iterator[Diagnostic]:
    """Report models that are neither treec's nor a folder with a trained forecaster."""
    found = entries(view, "forecaster")
    for entry in found:
        name = entry.model.model
        known = (*EXTRAPOLATED, *sorted(one.parent.name for one in _SHIPPED.glob(f"*/{MADE}")))
        if name not in known and not view.library.file(f"{name}/{MADE}").is_file():
            message = f"there is no forecaster '{name}'"
            help = suggestion(name, known, "treec has, beside folders of trained ones")
            yield Diagnostic(CODE, "error", entry.span("model"), message, help)
