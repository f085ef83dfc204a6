"""``treec pose``: find a person's upper body in a picture."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec_perception.cli.camera import SceneOption, SystemOption, check_folder, place_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from treec.files.library import Library
    from treec_perception.files import PoseEstimatorFile
    from treec_perception.picture import Picture
    from treec_perception.pose.joints import PoseEstimate


def command(
    source: Annotated[
        Path,
        typer.Argument(help="An image, a picture of 'camera show' (.npz), or a recording (.db3)."),
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Annotated picture (.png), or film of a recording (.gif)."
        ),
    ] = None,
    estimator: Annotated[
        str | None,
        typer.Option("--estimator", help="Pose estimator (default: the library's first)."),
    ] = None,
    camera: Annotated[
        str | None, typer.Option("--camera", help="The camera that made a recording: where it is.")
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    system: SystemOption = None,
    scene: SceneOption = None,
    library: LibraryOption = None,
) -> int:
    """Find the joints of a person's upper body.

    There are seven, in pixels and, with depth, in metres.

    In a recording joints are followed from picture to picture. Exit status 0 if somebody was
    found, 1 if nobody is there. Needs the extra `pose`, and its model: `treec perception weights
    --fetch pose`.
    """
    import json

    from treec_perception.pose.estimator import PoseEstimator
    from treec_perception.pose.model_file import PoseModelError

    if output is not None and output.suffix not in (".png", ".gif", ".webp"):
        raise Stop(f"{output}: the suffix must be .png, .gif or .webp")
    check_folder(output)
    opened = open_library(library, or_none=True)
    if not source.is_file():
        raise Stop(f"no such file: {source}")
    spec = find_estimator(opened, estimator)
    estimates: list[PoseEstimate] = []
    shown: list[Picture] = []
    try:
        with closing(PoseEstimator(spec, opened.root)) as runs:
            for picture in _pictures(opened, source, camera, system, scene):
                estimates.append(runs.estimate(picture))
                if output is not None and len(shown) < FILM:
                    shown.append(picture)
    except PoseModelError as error:
        raise Stop(str(error)) from None
    if not estimates:
        raise Stop(f"{source} has no picture")
    if output is not None:
        _draw(shown, estimates, output)
    if output_format is OutputFormat.json:
        print(json.dumps([it.to_json() for it in estimates], indent=2))
    else:
        _print(estimates)
        print(f"  estimator: {spec.pose_estimator}")
    return 0 if any(it.found for it in estimates) else 1


FILM = 600
"""Most pictures of a film."""


def _pictures(
    library: Library, source: Path, camera: str | None, system: str | None, scene: str | None
) -> Iterable[Picture]:
    from treec_perception.cli.see import SUFFIXES
    from treec_perception.picture import load_picture
    from treec_perception.realsense.library import RealSenseError, RealSenseUnavailable
    from treec_perception.realsense.recording import Playback
    from treec_perception.simulated import LEVEL

    try:
        if source.suffix not in SUFFIXES:
            if camera is not None:
                raise Stop(f"{source} is not a recording (.db3, .bag): leave out --camera")
            yield load_picture(source)
            return
        pose = place_of(library, camera, system, scene) if camera is not None else LEVEL
        yield from Playback(source, pose, name=camera or "")
    except (RealSenseError, RealSenseUnavailable, OSError, ValueError) as error:
        raise Stop(str(error)) from None


def find_estimator(library: Library, name: str | None) -> PoseEstimatorFile:
    """Return a pose estimator of a library, or treec's own. Raises Stop."""
    from treec.source.diagnostics import unknown
    from treec_perception.default import POSE

    entries: dict[str, PoseEstimatorFile] = {
        it.name: it.model for it in library.of_kind("pose_estimator")
    }
    if name is None:
        return next(iter(entries.values()), POSE)
    if name not in entries:
        raise Stop(unknown("pose estimator", name, entries))
    return entries[name]


def _print(estimates: list[PoseEstimate]) -> None:
    for estimate in estimates:
        if len(estimates) > 1:
            print(f"{estimate.time:.3f} s")
        if estimate.why:
            print(f"  {estimate.why}")
        for name, joint in estimate.joints.items():
            where = ""
            if joint.point is not None:
                where = "{:8.3f} {:8.3f} {:8.3f} m".format(*joint.point)
            elif joint.pixel is not None:
                where = f"pixel {joint.pixel[0]:.0f}, {joint.pixel[1]:.0f}"
            state = joint.state.value.replace("_", " ")
            print(f"  {name:<15} {state:<12} {joint.visibility:4.2f}  {where}".rstrip())
    spent = sorted(it.milliseconds for it in estimates)
    print(f"  {spent[len(spent) // 2]:.0f} ms a picture")


def _draw(pictures: list[Picture], estimates: list[PoseEstimate], output: Path) -> None:
    from treec_perception.draw import skeleton
    from treec_sapien.bodies.picture.png import png
    from treec_sapien.view.images import encode_film

    frames = [skeleton(it.colour, est) for it, est in zip(pictures, estimates, strict=False)]
    try:
        if output.suffix == ".png":
            output.write_bytes(png(frames[-1]))
            return
        output.write_bytes(encode_film(frames, [it.time for it in pictures], output.suffix))
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
