"""Answers `forecast(person)` in runs: from then on the environment's person is forecast.

The forecasts themselves go straight to the skill's worker, many times a second; the journal has
what the worker went by (`forecasts` in its notes).

A person's joints come from the simulator, with errors, or from cameras and a pose estimator
(`joints:` of the `forecaster` file). Cameras show a simulated scene or are what their files say.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treec.nodes.needs import NeedAnswer, NeedCall, NeedSetup
from treec_forecasting.files import CameraJoints, ForecasterFile, NoJoints

if TYPE_CHECKING:
    from treec_forecasting.live import Model
    from treec_perception.files import PoseEstimatorFile
    from treec_perception.pose.watch import PoseWatchProcess
    from treec_sapien.person.watched import WatchedPerson

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
        self._setup = setup
        self._root = setup.view.library.root
        entry = setup.view.used("forecaster")
        self.spec: ForecasterFile = DEFAULT if entry is None else entry.model
        self._model: Model | str | None = None
        self._watch: PoseWatchProcess | None = None
        self._watched = ""
        self._lock = threading.Lock()
        self._closed = False

    def ask(self, call: NeedCall, answer: Callable[[NeedAnswer], None]) -> None:
        """Forecast a person from now on; see `Needs`."""
        name, environment = call.args["person"], call.environment
        person: Any = getattr(environment, "people", {}).get(name)
        if person is None:
            answer(NeedAnswer(why=f"{name} is not here to be forecast", module=__name__))
            return

        def attach() -> None:
            from treec_forecasting.live import LiveForecaster, open_model

            if self._model is None:
                self._model = open_model(self.spec.model, self._root)
            joints = ""
            if person.forecast is None:
                joints = self._track(person, environment)
                person.rate = self.spec.rate
                person.forecast = LiveForecaster(self.spec, self._model)
            summary = f"{self.spec.model} forecasts {name} {self.spec.rate:g} times a second"
            if isinstance(self._model, str):
                summary = f"{name} is not forecast, the present pose is used: {self._model}"
            value = {"person": name, "model": self.spec.model, "rate": self.spec.rate}
            answer(NeedAnswer(value, record={"summary": summary + joints}))

        def attach_or_say_why() -> None:
            try:
                with self._lock:  # two skills may ask for one person at once
                    attach()
            except Exception as error:  # of a thread: nobody else would answer
                answer(NeedAnswer(why=f"{name} cannot be forecast: {error}", module=__name__))

        if person.forecast is None:  # importing torch and loading a pose model take seconds
            threading.Thread(target=attach_or_say_why, name="forecaster", daemon=True).start()
        else:
            attach_or_say_why()

    def _track(self, person: Any, environment: Any) -> str:
        """Let the person be tracked, and return what to tell of it. Raises NoJoints."""
        joints = self.spec.joints
        simulated = hasattr(environment, "layout")
        noise = joints.noise if simulated else None
        why = ""
        if joints.camera is not None and (self._setup.see or noise is None):
            try:
                return self._track_by_cameras(joints.camera, person, environment)
            except NoJoints as error:
                if noise is None:
                    raise
                why = f"; joints from the simulator: {error}"
        if noise is None:
            raise NoJoints("no 'camera' in the forecaster's 'joints' tells where they are")
        from treec_sapien.person.tracking import TrackingNoise

        person.track(TrackingNoise(**noise.model_dump()))
        return why

    def _track_by_cameras(self, spec: CameraJoints, person: WatchedPerson, environment: Any) -> str:
        from treec_forecasting.camera import track_by_cameras
        from treec_perception.pose.watch import cameras_of

        if self._watched not in ("", person.name):
            raise NoJoints(f"cameras tell the joints of one person, and that is {self._watched}")
        estimator = self._estimator(spec)
        known = {name: entry.model for name, entry in self._setup.view.all("camera").items()}
        cameras = cameras_of(estimator, spec.cameras, known)
        seed = self._setup.seed
        used, self._watch = track_by_cameras(
            person, environment, spec, cameras, estimator, self._root, seed
        )
        self._watched = person.name
        if self._closed:  # while the process started
            self._watch.close()
        return f"; joints from {' and '.join(used)}"

    def _estimator(self, spec: CameraJoints) -> PoseEstimatorFile:
        from treec_perception.default import BONES

        if spec.pose_estimator is None:
            return BONES
        entry = self._setup.view.find("pose_estimator", spec.pose_estimator)
        if entry is None:
            raise NoJoints(f"unknown pose estimator '{spec.pose_estimator}'")
        estimator: PoseEstimatorFile = entry.model
        return estimator

    def close(self) -> None:
        """End the process that watches."""
        self._closed = True
        if self._watch is not None:
            self._watch.close()
