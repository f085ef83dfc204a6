"""The process in which a run looks: it takes pictures and runs the models.

It reads requests from a pipe and writes answers: neither torch nor ray casting slows a tick.
"""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from treec_perception.capture import Links, OpenCameras
from treec_perception.describe import DescriptionQuery, match
from treec_perception.files import CameraFile, LocalizerFile
from treec_perception.localize import Localizer, Wanted
from treec_perception.look_through import sees_through
from treec_perception.models import Models, ModelUnavailable, keep_freed_memory, quiet
from treec_perception.picture import Picture
from treec_perception.pipeline.result import Localization
from treec_perception.sources import NoPicture, SourceName
from treec_sapien.bodies.pose import Vector
from treec_sapien.view.camera import Floats
from treec_sapien.view.solids import SolidStage


@dataclass(frozen=True)
class EyeSetup:
    """What the process is started with; ``pictures`` is the folder for annotated pictures.

    ``stage`` is the simulated scene, if there is one; each camera has the name of its source.
    """

    stage: SolidStage | None
    cameras: tuple[tuple[CameraFile, SourceName], ...]
    localizer: LocalizerFile
    root: Path
    pictures: Path | None


@dataclass(frozen=True)
class EyeRequest:
    """One look: what for, the poses of all pieces (pieces, 7), the links, where to turn to.

    ``poses`` is None where nothing is simulated. With ``question`` the best picture of the thing is
    matched against its candidates. Where nothing is found, it is looked ``aims`` towards, too.
    ``believed`` is where its middle is believed to be, if that is known.
    """

    number: int
    wanted: Wanted
    poses: Floats | None
    links: Links
    towards: Vector | None
    seed: int
    time: float
    question: DescriptionQuery | None = None
    believed: Vector | None = None
    aims: tuple[Vector, ...] = ()


@dataclass(frozen=True)
class EyeAnswer:
    """What each camera found, best first, and the files of the pictures; or an error."""

    found: tuple[dict[str, Any], ...] = ()
    files: tuple[str, ...] = ()
    error: str = ""
    blind: tuple[str, ...] = ()
    """Why cameras gave no picture, while others did."""
    shares: tuple[tuple[str, float], ...] = ()
    """The candidates of a question with their shares, best first."""
    through: tuple[str, ...] = ()
    """The cameras that see what is behind the place where it is believed to be."""


def serve(pipe: Connection, setup: EyeSetup) -> None:
    """Answer requests until the pipe is closed."""
    quiet()
    keep_freed_memory()
    localizer = Localizer(setup.localizer, Models(setup.root))
    sources = OpenCameras(setup.stage, setup.root)
    _one_thread()
    while True:
        try:
            request = pipe.recv()
        except (EOFError, OSError):
            sources.close()
            return
        try:
            answer = _look(setup, localizer, sources, request)
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


def _look(
    setup: EyeSetup, localizer: Localizer, sources: OpenCameras, request: EyeRequest
) -> EyeAnswer:
    sources.moment.request = request
    looks: list[tuple[Picture, Localization]] = []
    blind: list[str] = []
    for number, (spec, source) in enumerate(setup.cameras):
        try:
            picture = sources.take(spec, source, request.seed + number)
        except NoPicture as error:
            blind.append(str(error))
            continue
        if picture is not None:
            close = spec.mounted is not None and spec.mounted.hand
            found = localizer.localize(picture, request.wanted, request.believed, close=close)
            looks.append((picture, found))
    if blind and not looks:
        return EyeAnswer(error="; ".join(blind))
    looks.sort(key=lambda it: (not it[1].found, -it[1].score))
    shares = match(localizer.models, request.question, *looks[0]) if looks else ()
    files = [_keep(setup.pictures, request.number, *look) for look in looks]
    rows = [it.to_json() for _, it in looks]
    for row in rows:
        del row["milliseconds"]  # a journal has no wall-clock time
    believed, size, hollow = request.believed, request.wanted.size, request.wanted.hollow
    through = [
        picture.name
        for picture, _ in looks
        if believed is not None
        and size is not None
        and sees_through(picture, believed, size, hollow=hollow)
    ]
    kept = tuple(filter(None, files))
    return EyeAnswer(tuple(rows), kept, "", tuple(blind), shares, tuple(through))


def _keep(folder: Path | None, number: int, picture: Picture, localization: Localization) -> str:
    if folder is None:
        return ""
    from treec_perception.draw import annotate
    from treec_sapien.bodies.picture.png import png

    folder.mkdir(parents=True, exist_ok=True)
    name = f"{number:04}-{picture.name}-{picture.digest}.png"
    (folder / name).write_bytes(png(annotate(picture.colour, localization)))
    return f"{folder.name}/{name}"
