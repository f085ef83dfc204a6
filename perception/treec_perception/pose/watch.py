"""A person's joints from cameras, again and again: in a process of its own, or in this one.

Pictures are taken and the pose landmarker runs where no tick and no robot waits for them.
"""

from __future__ import annotations

import multiprocessing
import traceback
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import numpy as np

from treec.crash import contain
from treec_perception.capture import Links, OpenCameras
from treec_perception.files import CameraFile, PoseEstimatorFile
from treec_perception.models import keep_freed_memory, quiet
from treec_perception.pose.combine import Look, combine
from treec_perception.pose.estimator import NOBODY, PoseEstimator, open_landmarker
from treec_perception.pose.joints import JOINTS
from treec_perception.pose.landmarker import FindsLandmarks
from treec_perception.pose.model_file import PoseModelError
from treec_perception.sources import NoPicture, SourceName
from treec_sapien.bodies.pose import Vector
from treec_sapien.view.camera import Floats
from treec_sapien.view.solids import SolidStage


@dataclass(frozen=True)
class PoseWatchSetup:
    """What is watched with what.

    ``stage`` is the simulated scene, if there is one; each camera has the name of its source;
    ``landmarker`` takes the place of the file's model.
    """

    stage: SolidStage | None
    cameras: tuple[tuple[CameraFile, SourceName], ...]
    estimator: PoseEstimatorFile
    root: Path
    landmarker: FindsLandmarks | None = None


@dataclass(frozen=True)
class PoseRequest:
    """One look at a moment (see `CameraMoment`); ``seed`` draws the errors of depth."""

    time: float
    poses: Floats | None
    links: Links
    seed: int
    towards: Vector | None = None


@dataclass(frozen=True)
class PoseSeen:
    """The joints (7, 3) in the scene at a time of the run (s), NaN where no camera sees them.

    The time is that of the oldest picture that shows the person.

    ``why`` says why there are none; ``blind`` why single cameras gave no picture.
    """

    time: float
    joints: Floats
    why: str = ""
    blind: tuple[str, ...] = ()


class PoseWatcher:
    """Looks through all cameras at once, in this process."""

    def __init__(self, setup: PoseWatchSetup) -> None:
        """Load the model. Raises PoseModelError."""
        landmarker = setup.landmarker
        if landmarker is None:
            landmarker = open_landmarker(setup.estimator, setup.root)
        self._landmarker = landmarker
        self._setup = setup
        self._cameras = OpenCameras(setup.stage, setup.root, often=True)
        self._taken: dict[str, float] = {}  # when each camera's last picture was
        self._estimators = {
            it.camera: PoseEstimator(setup.estimator, setup.root, landmarker)
            for it, _ in setup.cameras
        }

    def look(self, request: PoseRequest) -> PoseSeen:
        """Return the joints of the person at a moment."""
        looks, blind = self.looks(request)
        joints = combine(list(looks.values()))
        taken = min((self._taken[name] for name in looks), default=request.time)
        why = ""
        if np.isnan(joints).all():
            why = "; ".join(blind) if len(blind) == len(self._setup.cameras) else NOBODY
            if looks:
                why = "no joint has a place in the scene"
        return PoseSeen(taken, joints, why, tuple(blind))

    def looks(self, request: PoseRequest) -> tuple[dict[str, Look], list[str]]:
        """Return what each camera finds that sees somebody, and why others gave no picture."""
        self._cameras.moment.request = request
        looks: dict[str, Look] = {}
        blind: list[str] = []
        for number, (spec, source) in enumerate(self._setup.cameras):
            try:
                picture = self._cameras.take(spec, source, request.seed + number)
            except NoPicture as error:
                blind.append(str(error))
                continue
            if picture is None or picture.camera is None:
                continue
            before = self._taken.get(spec.camera, -np.inf)
            if picture.time <= before:  # seen already: it says nothing of now
                blind.append(f"the camera '{spec.camera}' has given no new picture")
                continue
            self._taken[spec.camera] = picture.time
            estimate = self._estimators[spec.camera].estimate(picture)
            if not estimate.why:
                looks[spec.camera] = (estimate.joints, picture.camera)
        return looks, blind

    def close(self) -> None:
        """Release cameras and model."""
        self._cameras.close()
        close = getattr(self._landmarker, "close", None)
        if close is not None:
            close()


class WatchEnded(Exception):
    """The process that watches is gone, or does not answer; the message says so."""


class PoseWatchProcess:
    """The same in a process of its own: requests are sent, and answered in their order."""

    def __init__(self, setup: PoseWatchSetup) -> None:
        self._setup = setup
        self._pipe: Connection | None = None
        self._process: SpawnProcess | None = None

    def start(self, limit: float = 60.0) -> None:
        """Start the process, and wait until its model is loaded.

        Raises PoseModelError if there is no model, and WatchEnded if nothing is heard for
        ``limit`` seconds.
        """
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(
            target=contain, args=(serve, other, self._setup), daemon=True
        )
        self._process.start()
        other.close()
        try:
            why = self._receive(limit)
        except WatchEnded:
            self.close()
            raise
        if why:
            self.close()
            raise PoseModelError(str(why))

    def send(self, request: PoseRequest) -> None:
        """Ask for a look. Raises WatchEnded."""
        pipe = self._open()
        try:
            pipe.send(request)
        except (OSError, ValueError) as error:
            raise WatchEnded(f"the process that watches is gone: {error}") from None

    def has_answer(self) -> bool:
        """Whether an answer has come."""
        if self._pipe is None:
            return True  # to be reported by `receive`
        try:
            return self._pipe.poll()
        except OSError:
            return True

    def receive(self, limit: float) -> PoseSeen:
        """Return the answer to the oldest request, waiting for it. Raises WatchEnded."""
        answer = self._receive(limit)
        assert isinstance(answer, PoseSeen)
        return answer

    def _open(self) -> Connection:
        if self._pipe is None:
            raise WatchEnded("the process that watches has ended")
        return self._pipe

    def _receive(self, limit: float) -> object:
        pipe = self._open()
        try:
            if not pipe.poll(limit):
                raise WatchEnded(f"the process that watches has not answered for {limit:g} s")
            answer: object = pipe.recv()
            return answer
        except (EOFError, OSError):
            raise WatchEnded("the process that watches is gone") from None

    def close(self) -> None:
        """End the process; looks that are asked for then, or later, raise WatchEnded."""
        pipe, self._pipe = self._pipe, None
        process, self._process = self._process, None
        if pipe is not None:
            pipe.close()
        if process is not None:
            process.join(5.0)
            if process.is_alive():
                process.terminate()
                process.join(5.0)


def serve(pipe: Connection, setup: PoseWatchSetup) -> None:
    """Say whether the model is there, then answer requests until the pipe is closed."""
    quiet()
    keep_freed_memory()
    try:
        watcher = PoseWatcher(setup)
    except PoseModelError as error:
        pipe.send(str(error))
        return
    except Exception as error:  # the run must hear of it, whatever it is
        pipe.send(f"the pose estimator cannot be loaded: {type(error).__name__}: {error}")
        return
    pipe.send("")
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            watcher.close()
            return
        with suppress(OSError):  # a run that has ended hears nothing
            pipe.send(_look(watcher, request))


def _look(watcher: PoseWatcher, request: PoseRequest) -> PoseSeen:
    try:
        return watcher.look(request)
    except Exception as error:  # the run must hear of it, whatever it is
        place = traceback.extract_tb(error.__traceback__)[-1]
        why = f"{type(error).__name__}: {error} ({Path(place.filename).name}:{place.lineno})"
        return PoseSeen(request.time, np.full((len(JOINTS), 3), np.nan), why)


def cameras_of(
    estimator: PoseEstimatorFile, named: Sequence[str], known: dict[str, CameraFile]
) -> tuple[CameraFile, ...]:
    """Return the cameras to watch with: those named, or the estimator's, or all that are known."""
    names = list(named) or estimator.cameras or list(known)
    return tuple(known[name] for name in names if name in known)
