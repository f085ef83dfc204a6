"""The extension of forecasting: the kind of file `forecast`, and its commands."""

from __future__ import annotations

from treec.extensions import Extension, Kind

EXTENSION = Extension(
    name="forecasting",
    kinds=(Kind("forecast", "treec.forecasting.files:ForecastFile", order=138),),
    commands={"forecast": "treec.forecasting.cli.forecast:app"},
)
