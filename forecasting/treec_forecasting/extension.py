"""The extension of forecasting: kinds of files, commands, and what skills are given."""

from __future__ import annotations

from treec.extensions import Command, Extension, Kind, NeedProvider, Rules

EXTENSION = Extension(
    name="forecasting",
    kinds=(
        Kind("forecast", "treec_forecasting.files:ForecastFile", order=138),
        Kind("forecaster", "treec_forecasting.files:ForecasterFile", single=True, order=139),
    ),
    providers=(
        NeedProvider(
            "forecast",
            "treec_forecasting.provider:open_forecaster",
            ("person",),
            "Where a person will be in the next second: the skill's worker reads it as it goes on.",
            offered_by="people",
            key="forecast",
        ),
    ),
    rules=(Rules("treec_forecasting.check", ("forecaster",)),),
    commands={
        "forecast": Command(
            "treec_forecasting.cli.forecast:app",
            "Train, evaluate and show forecasts of a person's motion.",
            "Robots",
        ),
    },
)
