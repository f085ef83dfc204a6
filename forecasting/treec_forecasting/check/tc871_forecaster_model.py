"""Forecaster at work whose model is nowhere, or sees what no run tells.

`model` is one of treec's forecasters, `zero_velocity`, `constant_velocity`, or a folder below the
library's root that `treec forecast train` has written. In a run, skills would be given the present
pose instead of forecasts. A run tells a forecaster the joints of the person alone: one that was
trained to see the person's partner or a thing (`sees`), such as `handover`, is for evaluations.

Wrong:

    forecaster: foresight
    model: staedy

Right:

    forecaster: foresight
    model: steady
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from treec.check.base import entries
from treec.files.modules import package_folder
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, suggestion

CODE = "TC871"
MADE = "made.json"
EXTRAPOLATED = ("zero_velocity", "constant_velocity")
_WEIGHTS = "treec_forecasting_weights"
_UNTOLD = {"partner": "the person's partner", "thing": "a thing"}
"""What a network may see beside the person, and no run tells it."""


def check(view: View) -> Iterator[Diagnostic]:
    """Report models that are neither treec's nor a folder with a trained forecaster."""
    forecasters = entries(view, "forecaster")
    folder = package_folder(_WEIGHTS)
    shipped = sorted(card.parent.name for card in folder.glob(f"*/{MADE}")) if folder else []
    for entry in forecasters:
        name = entry.model.model
        known = (*EXTRAPOLATED, *shipped)
        own = view.library.file(f"{name}/{MADE}")
        if folder is not None and name not in known and not own.is_file():
            message = f"unknown forecaster '{name}'"
            help = suggestion(name, known, "treec has, beside folders of trained ones")
            yield Diagnostic(CODE, "error", entry.span("model"), message, help)
            continue
        card = own if own.is_file() or folder is None else folder / name / MADE
        sees = [what for sight, what in _UNTOLD.items() if sight in _sights(card)]
        if sees:
            message = f"'{name}' sees {' and '.join(sees)}, which no run tells it"
            help = "steady, or another one that sees the person alone"
            yield Diagnostic(CODE, "error", entry.span("model"), message, help)


def _sights(card: Path) -> tuple[str, ...]:
    """What a network sees beside the person, by the file that its training wrote."""
    try:
        (network,) = filter(None, json.loads(card.read_bytes())["forecast"]["network"].values())
        return tuple(network.get("sees", ()))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()
