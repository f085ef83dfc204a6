"""The process in which a run looks: it ray-casts pictures and runs the localizer's models.

It reads requests from a pipe and writes answers: neither torch nor ray casting slows a tick.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

from treec.envs.bodies.pose import Pose, Vector
from treec.envs.sapien.view.camera import Camera, Floats
from treec.envs.sapien.view.depth_image import DepthImage
from treec.envs.sapien.view.rays import RayView
from treec.envs.sapien.view.solids import SolidStage
from treec.perception.files import CameraFile, LocalizerFile
from treec.perception.localize import Localizer, Wanted
from treec.perception.models import Models, ModelUnavailable, quiet
from treec.perception.picture import Picture
from treec.perception.pipeline.result import Localization
from treec.perception.simulated import SimulatedCamera

Links = dict[tuple[str, str], Pose]
"""The poses of the links that carry cameras, by agent and link."""


@dataclass(frozen=True)
class EyeSetup:
    """What the process is started with; ``pictures`` is the folder for annotated pictures."""

    stage: SolidStage
    cameras: tuple[CameraFile, ...]
    localizer: LocalizerFile
    root: Path
    pictures: Path | None


@dataclass(frozen=True)
class EyeRequest:
    """One look: what for, the poses of all pieces (pieces, 7), the links, where to turn to."""

    number: int
    wanted: Wanted
    poses: Floats
    links: Links
    towards: Vector | None
    seed: int
    time: float


@dataclass(frozen=True)
class EyeAnswer:
    """What each camera found, best first, and the files of the pictures; or an error."""

    found: tuple[dict[str, object], ...] = ()
    files: tuple[str, ...] = ()
    error: str = ""


class _CapturedMoment:
    """The scene at the moment of a request."""

    def __init__(self, view: RayView, request: EyeRequest) -> None:
        self._view, self._request = view, request

    def link_pose(self, agent: str, link: str) -> Pose:
        """Return the pose of a link. Raises KeyError."""
        return self._request.links[agent, link]

    def look(self, camera: Camera) -> DepthImage:
        """Return colour, exact depth and segmentation."""
        return self._view.picture(camera, self._request.poses)


def serve(pipe: Connection, setup: EyeSetup) -> None:
    """Answer requests until the pipe is closed."""
    quiet()
    localizer = Localizer(setup.localizer, Models(setup.root))
    view = RayView(setup.stage)
    _one_thread()
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = _look(setup, localizer, view, request)
        except ModelUnavailable as error:
            answer = EyeAnswer(error=str(error))
        except Exception as error:  # the run must hear of it, whatever it is
            place = traceback.extract_tb(error.__traceback__)[-1]
            where = f"{Path(place.filename).name}:{place.lineno}"
            answer = EyeAnswer(error=f"{type(error).__name__}: {error} ({where})")
        pipe.send(answer)


def _one_thread() -> None:
    import torch

    torch.set_num_threads(1)


def _look(setup: EyeSetup, localizer: Localizer, view: RayView, request: EyeRequest) -> EyeAnswer:
    moment = _CapturedMoment(view, request)
    looks: list[tuple[Picture, Localization]] = []
    for number, spec in enumerate(setup.cameras):
        camera = SimulatedCamera(spec, moment)
        if request.towards is not None and not _in_view(camera, request.towards):
            continue
        picture = camera.take(request.seed + number, request.time, request.towards)
        looks.append((picture, localizer.localize(picture, request.wanted)))
    looks.sort(key=lambda it: (not it[1].found, -it[1].score))
    files = [_keep(setup.pictures, request.number, *look) for look in looks]
    found = [it.to_json() for _, it in looks]
    for row in found:
        del row["milliseconds"]  # a journal has no wall-clock time
    return EyeAnswer(tuple(found), tuple(filter(None, files)))


def _in_view(camera: SimulatedCamera, point: Vector) -> bool:
    """Whether the place where a thing is said to be is in the picture and in range."""
    import numpy as np

    seen = camera.camera(point)
    x, y, z = seen.pixels(np.array(point))
    near, far = camera.spec.range
    return bool(near < z < far and 0 <= x < seen.width and 0 <= y < seen.height)


def _keep(folder: Path | None, number: int, picture: Picture, found: Localization) -> str:
    if folder is None:
        return ""
    from treec.envs.bodies.picture.png import png
    from treec.perception.draw import annotate

    folder.mkdir(parents=True, exist_ok=True)
    name = f"{number:04}-{picture.name}-{picture.digest}.png"
    (folder / name).write_bytes(png(annotate(picture.colour, found)))
    return f"{folder.name}/{name}"
