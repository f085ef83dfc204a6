"""``treec forecast watch``: find and forecast a person before a real camera, or in a recording."""

from __future__ import annotations

import json
import time
from collections import deque
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.requirements import needs_extra
from treec_perception.cli.camera import check_folder

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from treec.files.library import Library
    from treec_forecasting.files import CameraJoints, ForecasterFile
    from treec_forecasting.watch import WatchedMoment
    from treec_perception.files import CameraFile, PoseEstimatorFile
    from treec_perception.picture import Picture
    from treec_sapien.bodies.pose import Pose

FILM = 600
"""Most pictures of a film."""

KEPT = 5000
"""Pictures of whose joints the end tells: the last ones of a camera that is watched for long."""

SUFFIXES = (".gif", ".webp")


def command(
    recording: Annotated[
        Path | None,
        typer.Argument(help="A recording of a depth camera, .db3 or .bag (default: --camera)."),
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option(
            "--camera",
            help="The RealSense camera to look through; with a recording, the one that made it: "
            "where it is (default: at the origin, level).",
        ),
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Film of the first 600 pictures, .gif or .webp."),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.1, help="How long to look (default: to the end, Ctrl-C)."),
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            "--model", help="Forecaster (default: the library's `forecaster`, or steady)."
        ),
    ] = None,
    estimator: Annotated[
        str | None,
        typer.Option("--estimator", help="Pose estimator (default: the forecaster's)."),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Find a person's joints in the pictures of a depth camera, and forecast them.

    With the library's first forecaster and its pose estimator, as runs do. At the end forecasts are
    compared with what was found later. Exit status 0 if something was forecast, else 1. Needs the
    extras `forecast`, `pose` and `realsense`.
    """
    if recording is None and camera is None:
        raise Stop("give a recording, or a camera with --camera")
    if output is not None and output.suffix not in SUFFIXES:
        raise Stop(f"{output}: the suffix must be .gif or .webp")
    check_folder(output)
    opened = open_library(library, or_none=True)
    if recording is not None and not recording.exists():
        raise Stop(f"no such recording: {recording}")
    spec, camera_joints, pose = _files(opened, model, estimator)
    try:
        from treec_forecasting.live import LiveForecaster, open_model
        from treec_forecasting.watch import draw, watch
        from treec_perception.pose.estimator import PoseEstimator
        from treec_perception.pose.model_file import PoseModelError
        from treec_perception.realsense.library import RealSenseError, RealSenseUnavailable
    except ImportError as error:
        raise Stop(needs_extra("this", "forecast,pose", error)) from None
    network = open_model(spec.model, opened.root)
    if isinstance(network, str):
        raise Stop(network)
    moments: deque[WatchedMoment] = deque(maxlen=KEPT)
    frames: list[npt.NDArray[np.uint8]] = []
    times: list[float] = []
    printed = -1
    if output_format is OutputFormat.text:
        print(f"forecaster {spec.forecaster} ({spec.model}), pose estimator {pose.pose_estimator}")
    try:
        with closing(PoseEstimator(pose, opened.root)) as runs:
            pictures = _pictures(opened, recording, camera, seconds)
            for moment in watch(pictures, runs, LiveForecaster(spec, network), camera_joints.sigma):
                if output is not None and len(frames) < FILM:
                    frames.append(draw(moment))
                    times.append(moment.picture.time)
                moments.append(moment.without_pixels())
                if output_format is OutputFormat.text and int(moment.picture.time) != printed:
                    printed = int(moment.picture.time)
                    _tell(moment)
    except KeyboardInterrupt:
        pass
    except (PoseModelError, RealSenseError, RealSenseUnavailable, OSError) as error:
        raise Stop(str(error)) from None
    if not moments:
        raise Stop(f"{recording or camera} has no picture")
    if output is not None:
        _film(frames, times, output)
    if output_format is OutputFormat.json:
        print(json.dumps([it.to_json() for it in moments], indent=2))
    else:
        _sum_up(list(moments))
    return 0 if any(it.outlook.basis == "forecast" for it in moments) else 1


def _files(
    library: Library, model: str | None, estimator: str | None
) -> tuple[ForecasterFile, CameraJoints, PoseEstimatorFile]:
    from treec_forecasting.files import CameraJoints
    from treec_forecasting.provider import DEFAULT
    from treec_perception.cli.pose import find_estimator
    from treec_perception.default import BONES

    spec: ForecasterFile = next((it.model for it in library.of_kind("forecaster")), DEFAULT)
    if model is not None:
        spec = spec.model_copy(update={"model": model})
    joints = spec.joints.camera or CameraJoints.model_validate({})
    named = estimator or joints.pose_estimator
    return spec, joints, BONES if named is None else find_estimator(library, named)


def _pictures(
    library: Library, recording: Path | None, camera: str | None, seconds: float | None
) -> Iterator[Picture]:
    """Pictures with their place; those of a camera begin at 0 s."""
    from treec_perception.realsense.recording import Playback
    from treec_perception.simulated import LEVEL

    spec = None if camera is None else _camera(library, camera)
    if recording is not None:
        pose = LEVEL if spec is None else _pose(spec)
        first: float | None = None
        for picture in Playback(recording, pose, name=camera or recording.stem):
            first = picture.time if first is None else first
            if seconds is not None and picture.time - first > seconds:
                return
            yield picture
        return
    from treec_perception.realsense.live import LiveCamera

    assert spec is not None
    if spec.runs.realsense is None:
        raise Stop(f"the camera '{camera}' is not a RealSense: add 'realsense: {{}}' to its 'runs'")
    live = LiveCamera(spec, _pose(spec))
    try:
        picture = live.wait()
        began = picture.time
        while seconds is None or picture.time - began <= seconds:
            yield replace(picture, time=picture.time - began)
            before = picture.time
            while picture.time <= before:  # the next frame
                time.sleep(0.1 / spec.rate)
                picture = live.take()
    finally:
        live.close()


def _camera(library: Library, name: str) -> CameraFile:
    from treec.source.diagnostics import unknown

    known: dict[str, CameraFile] = {it.name: it.model for it in library.of_kind("camera")}
    if name not in known:
        raise Stop(unknown("camera", name, known))
    return known[name]


def _pose(spec: CameraFile) -> Pose:
    """Where a camera is."""
    from treec_perception.frustum import pose_of_camera

    if spec.pose is None:
        raise Stop(f"the camera '{spec.camera}' is on a robot: where it is, runs alone know")
    return pose_of_camera(spec.pose)


def _tell(moment: WatchedMoment) -> None:
    import numpy as np

    seen = int((~np.isnan(moment.joints).any(axis=1)).sum())
    outlook = moment.outlook
    line = f"{moment.picture.time:7.2f} s  {seen} of 7 joints  "
    wrists, now = moment.wrists(0.4), moment.wrists(0.0)
    if wrists is None or now is None:
        print(f"{line}{outlook.basis}: {outlook.why}", flush=True)
        return
    left, right = 100 * np.linalg.norm(wrists - now, axis=1)
    print(f"{line}forecast: in 0.4 s wrists move {left:.0f} and {right:.0f} cm", flush=True)


def _sum_up(moments: list[WatchedMoment]) -> None:
    import numpy as np

    from treec_forecasting.watch import AHEAD, errors

    people = sum(not it.estimate.why for it in moments)
    forecast = sum(it.outlook.basis == "forecast" for it in moments)
    spent = float(np.median([it.estimate.milliseconds for it in moments]))
    print(
        f"{len(moments)} pictures, somebody in {people}, forecast in {forecast}; "
        f"{spent:.0f} ms a picture"
    )
    for ahead in AHEAD:
        off, stayed = errors(moments, ahead)
        if len(off):
            print(
                f"wrists {ahead:g} s later: {1000 * np.median(off):.0f} mm from the forecast in "
                f"the median, {1000 * np.median(stayed):.0f} mm from where they were "
                f"({len(off)} found again)"
            )


def _film(frames: list[npt.NDArray[np.uint8]], times: list[float], output: Path) -> None:
    from treec_sapien.view.images import encode_film

    try:
        output.write_bytes(encode_film(frames, times, output.suffix))
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
