"""Answers `forecast(person)` in runs: from then on the environment's person is forecast.

The forecasts themselves go straight to the skill's worker, many times a second; the journal has
what the worker went by (`forecasts` in its notes).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treec.forecasting.files import ForecasterFile
from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup

if TYPE_CHECKING:
    from treec.forecasting.live import Model

DEFAULT = ForecasterFile.model_validate({"forecaster": "default"})
"""What forecasts in systems without a `forecaster` file."""


def open_forecaster(setup: NeedSetup) -> RunForecaster:
    """Open the provider for a run."""
    return RunForecaster(setup)


class RunForecaster:
    """The forecaster of a run's system."""

    takes = 0.0
    limit = 120.0

    def __init__(self, setup: NeedSetup) -> None:
        self._root = setup.view.library.root
        entry = setup.view.used("forecaster")
        self.spec: ForecasterFile = DEFAULT if entry is None else entry.model
        self._model: Model | str | None = None

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        """Forecast a person from now on; see `Needs`."""
        from treec.envs.sapien.person.tracking import TrackingNoise
        from treec.forecasting.live import LiveForecaster, open_model

        name, environment = call.args["person"], call.environment
        person: Any = getattr(environment, "people", {}).get(name)
        if person is None:
            answer(NeedAnswer(why=f"{name} is not here to be forecast", module=__name__))
            return

        def attach() -> None:
            if self._model is None:
                self._model = open_model(self.spec.model, self._root)
            if person.forecast is None:
                person.track(TrackingNoise(**self.spec.joints.simulator.model_dump()))
                person.rate = self.spec.rate
                person.forecast = LiveForecaster(self.spec, self._model)
            summary = f"{self.spec.model} forecasts {name} {self.spec.rate:g} times a second"
            if isinstance(self._model, str):
                summary = f"{name} is not forecast, the present pose is used: {self._model}"
            value = {"person": name, "model": self.spec.model, "rate": self.spec.rate}
            answer(NeedAnswer(value, record={"summary": summary}))

        def attach_or_say_why() -> None:
            try:
                attach()
            except Exception as error:  # of a thread: nobody else would answer
                answer(NeedAnswer(why=f"{name} cannot be forecast: {error}"))

        if self._model is None:  # importing torch takes seconds
            threading.Thread(target=attach_or_say_why, name="forecaster", daemon=True).start()
        else:
            attach_or_say_why()

    def close(self) -> None:
        """Nothing to release."""
