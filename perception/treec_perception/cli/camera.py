"""``treec camera``: list cameras, look through them, record, and play recordings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, group, open_library

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec_perception.find_camera import SceneEyes
    from treec_perception.picture import Picture
    from treec_sapien.bodies.pose import Pose

app = group("camera", "List cameras, look through them, record, and play recordings.")

SystemOption = Annotated[
    str | None, typer.Option("--system", help="The system whose camera it is.")
]
SceneOption = Annotated[
    str | None, typer.Option("--scene", help="Scene to look at (default: the system's).")
]
SeedOption = Annotated[
    int, typer.Option("--seed", help="Draws the errors of depth, and with --jitter the places.")
]


class PictureOrigin(StrEnum):
    """What gives a camera's pictures, as in a file's `runs`."""

    sapien = "sapien"
    realsense = "realsense"
    recording = "recording"


SourceOption = Annotated[
    PictureOrigin,
    typer.Option("--source", help="The simulated scene at its start, a RealSense, a recording."),
]


@app.command("list")
def list_cameras(
    output_format: FormatOption = OutputFormat.text, library: LibraryOption = None
) -> int:
    """List the cameras of all systems: where they are, and what they are meant for."""
    import json

    from treec.files.view import View
    from treec_perception.find_camera import systems_with_cameras

    opened = open_library(library)
    rows: dict[str, dict[str, Any]] = {}
    for system in systems_with_cameras(opened):
        for name, entry in View(opened, system).all("camera").items():
            spec = entry.model
            row = rows.setdefault(
                f"{entry.path}:{name}",
                {
                    "camera": name,
                    "place": f"on {spec.mounted.agent}" if spec.mounted else "fixed",
                    "size": spec.size,
                    "sources": [key for key, it in spec.runs if it is not None],
                    "meant_for": spec.meant_for,
                    "about": spec.about,
                    "systems": [],
                },
            )
            row["systems"].append(system.name)
    if output_format is OutputFormat.json:
        print(json.dumps(list(rows.values()), indent=2))
        return 0
    if not rows:
        print("no system has a camera: write NAME.camera.yaml")
        return 0
    wide = max(len(row["camera"]) for row in rows.values())
    for row in rows.values():
        systems = ", ".join(row["systems"])
        print(f"{row['camera']:<{wide}}  {row['place']:<8}  {row['about']} ({systems})")
    return 0


@app.command("show")
def show(
    camera: Annotated[str, typer.Argument(help="Name of a camera.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="PNG to write, or .npz with depth and pose."),
    ] = None,
    live: Annotated[
        bool, typer.Option("--live", help="Show it live on a page of this machine, until Ctrl-C.")
    ] = False,
    port: Annotated[
        int, typer.Option("--port", help="Port of that page (default: a free one).")
    ] = 0,
    depth: Annotated[
        bool, typer.Option("--depth", help="Draw depth beside colour: near is bright.")
    ] = False,
    towards: Annotated[
        str | None, typer.Option("--towards", help="A thing to which a camera that turns looks.")
    ] = None,
    source: SourceOption = PictureOrigin.sapien,
    seed: SeedOption = 0,
    system: SystemOption = None,
    scene: SceneOption = None,
    library: LibraryOption = None,
) -> int:
    """Take a picture with a camera, or show it live.

    Without `--source` it shows the scene as it is at the start of a run, which needs neither a
    simulation nor a display.
    """
    if live == (output is not None):
        raise Stop("give either -o FILE or --live")
    if output is not None and output.suffix not in (".png", ".npz"):
        raise Stop(f"{output}: the suffix must be .png or .npz")
    check_folder(output)
    opened = open_library(library)
    with _look(opened, camera, source, system, scene, towards) as (eyes, take):
        if live:
            return _live(camera, take, eyes.cameras[camera].rate, seed, port, with_depth=depth)
        picture = take(seed)
    assert output is not None
    try:
        _write(picture, output, with_depth=depth)
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    height, width, _ = picture.colour.shape
    where = f" in {eyes.scene.name}" if source is PictureOrigin.sapien else f" from its {source}"
    print(f"{output}: {width} × {height}, {picture.name}{where}")
    return 0


@app.command("record")
def record(
    camera: Annotated[str, typer.Argument(help="Name of a camera.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="Recording to write (.db3).")],
    seconds: Annotated[
        float, typer.Option("--seconds", min=0.01, max=3600, help="Length of the recording.")
    ] = 2.0,
    source: SourceOption = PictureOrigin.sapien,
    seed: SeedOption = 0,
    system: SystemOption = None,
    scene: SceneOption = None,
    library: LibraryOption = None,
) -> int:
    """Record colour and depth in librealsense's format, to be played by any tool that reads it.

    Needs the extra `realsense`. Simulated pictures differ in the errors of depth alone. Ctrl-C ends
    a recording early; what was recorded stays.
    """
    from treec.cli.progress import progress
    from treec_perception.realsense.library import RealSenseError, RealSenseUnavailable
    from treec_perception.realsense.recording import RecordingWriter

    opened = open_library(library)
    with _look(opened, camera, source, system, scene, None) as (eyes, take):
        spec = eyes.cameras[camera]
        count = max(1, round(seconds * spec.rate))
        picture = take(seed)
        assert picture.camera is not None
        try:
            with (
                RecordingWriter(output, picture.camera, camera, round(spec.rate)) as recorder,
                progress("pictures", count) as advance,
            ):
                try:
                    for number in range(count):
                        if number:
                            picture = take(seed + number)
                        recorder.write(replace(picture, time=number / spec.rate))
                        advance()
                except KeyboardInterrupt:
                    pass
                written = recorder.count
        except (RealSenseError, RealSenseUnavailable, ValueError) as error:
            raise Stop(str(error)) from None
    pictures = "picture" if written == 1 else "pictures"
    print(f"{output}: {written} {pictures}, {written / spec.rate:.2f} s, of {camera}")
    return 0


@app.command("play")
def play(
    recording: Annotated[Path, typer.Argument(help="A recording of librealsense: .db3, .bag.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Film (.gif, .webp), or one picture (.png, .npz)."),
    ] = None,
    frame: Annotated[
        int | None, typer.Option("--frame", min=0, help="The one picture, from 0.")
    ] = None,
    depth: Annotated[
        bool, typer.Option("--depth", help="Draw depth beside colour: near is bright.")
    ] = False,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Play a recording: say what is in it, and write it as a film or as a picture.

    Needs the extra `realsense`.
    """
    import json

    from treec_perception.realsense.library import RealSenseError, RealSenseUnavailable
    from treec_perception.realsense.recording import Playback

    film = output is not None and output.suffix in (".gif", ".webp")
    if output is not None and not film and output.suffix not in (".png", ".npz"):
        raise Stop(f"{output}: the suffix must be .gif, .webp, .png or .npz")
    check_folder(output)
    if film and frame is not None:
        raise Stop("a film has all pictures: leave out --frame")
    times: list[float] = []
    frames: list[Any] = []
    last: Picture | None = None
    try:
        played = Playback(recording)
        for picture in played:
            times.append(picture.time)
            if film and len(times) <= FILM:
                frames.append(_shown(picture, with_depth=depth))
            if frame is None or len(times) - 1 == frame:
                last = picture
    except (RealSenseError, RealSenseUnavailable) as error:
        raise Stop(str(error)) from None
    except KeyboardInterrupt:
        print("stopped")
    if last is None:
        there = f"it has {len(times)}" if times else "no picture has colour and depth"
        raise Stop(f"{recording} has no picture {frame or 0}: {there}")
    about = _about(recording, played.model, times, last, played.dropped)
    if output_format is OutputFormat.json:
        print(json.dumps(about, indent=2))
    else:
        print(
            f"{recording}: {about['pictures']} pictures of {about['width']} × {about['height']}, "
            f"{about['rate']:.1f} a second for {about['seconds']:.2f} s, from {about['device']}"
        )
        if played.dropped:
            print(f"  {played.dropped} frames had no partner")
    if output is not None:
        try:
            if film:
                _write_film(frames, times, output)
            else:
                _write(last, output, with_depth=depth)
        except OSError as error:
            raise Stop(f"{output} cannot be written: {error.strerror}") from None
        if len(times) > FILM and film:
            print(f"  the film has the first {FILM} pictures")
    return 0


FILM = 600
"""Most pictures of a film."""


def _about(
    path: Path, device: str, times: list[float], last: Picture, dropped: int
) -> dict[str, Any]:
    height, width, _ = last.colour.shape
    seconds = times[-1] - times[0]
    assert last.camera is not None
    return {
        "file": str(path),
        "device": device,
        "pictures": len(times),
        "seconds": round(seconds, 4),
        "rate": round((len(times) - 1) / seconds, 3) if seconds > 0 else 0.0,
        "width": width,
        "height": height,
        "lens": {key: round(getattr(last.camera, key), 3) for key in ("fx", "fy", "cx", "cy")},
        "without_partner": dropped,
    }


@contextmanager
def _look(
    library: Library,
    camera: str,
    source: PictureOrigin,
    system: str | None,
    scene: str | None,
    towards: str | None,
) -> Iterator[tuple[SceneEyes, Callable[[int], Picture]]]:
    """Give the camera's scene and a function that takes a picture by a seed. Raises Stop."""
    from treec.source.diagnostics import unknown
    from treec_perception.find_camera import CameraNotFound, find_eyes
    from treec_perception.sources import NoPicture

    try:
        eyes = find_eyes(library, camera, system, scene)
        if towards is not None and towards not in eyes.layout.bodies:
            raise Stop(unknown("thing with a body", towards, eyes.layout.bodies))
        point = eyes.place_of(towards) if towards is not None else None
        if source is PictureOrigin.sapien:
            simulated = eyes.camera(camera)
            yield eyes, lambda seed: simulated.take(seed, towards=point)
        else:
            with _real(eyes, camera, source) as take:
                yield eyes, take
    except CameraNotFound as error:
        raise Stop(str(error)) from None
    except KeyError as error:
        raise Stop(f"{camera}: {error.args[0]}") from None
    except NoPicture as error:
        raise Stop(str(error)) from None
    except (ValueError, OSError) as error:
        raise Stop(f"{camera}: {error}") from None


@contextmanager
def _real(
    eyes: SceneEyes, camera: str, source: PictureOrigin
) -> Iterator[Callable[[int], Picture]]:
    """Open a camera that is not simulated. On a robot its place is that of the start."""
    import time

    from treec_perception.sources import NoPicture, open_source

    spec = eyes.cameras[camera]
    if getattr(spec.runs, source) is None:
        raise NoPicture(f"the camera '{camera}' has no '{source}' in its 'runs'")
    stage = eyes.stage() if spec.mounted is not None else None
    assert source is not PictureOrigin.sapien
    name: Any = source.value
    opened = open_source(spec, name, stage, eyes.view.library.root)
    began = time.monotonic()

    def take(seed: int) -> Picture:
        picture = opened.take(seed, time.monotonic() - began, None)
        assert picture is not None
        return picture

    try:
        yield take
    finally:
        opened.close()


def check_folder(output: Path | None) -> None:
    """Raise Stop if a file cannot be written since its folder does not exist."""
    if output is not None and not output.parent.is_dir():
        raise Stop(f"{output}: no folder '{output.parent}'")


def place_of(library: Library, camera: str, system: str | None, scene: str | None) -> Pose:
    """Return where a camera is at the start, for a recording that does not say. Raises Stop."""
    from treec_perception.find_camera import CameraNotFound, find_eyes
    from treec_perception.simulated import camera_pose

    try:
        eyes = find_eyes(library, camera, system, scene)
    except CameraNotFound as error:
        raise Stop(str(error)) from None
    spec = eyes.cameras[camera]
    if spec.pose is not None:
        from treec_perception.frustum import pose_of_camera

        return pose_of_camera(spec.pose)
    return camera_pose(spec, eyes.stage().link_pose)


def _live(
    name: str,
    take: Callable[[int], Picture],
    rate: float,
    seed: int,
    port: int,
    *,
    with_depth: bool,
) -> int:
    from itertools import count

    from treec_perception.live_page import LivePage

    seeds = count(seed)

    def next_picture() -> Picture:
        picture = take(next(seeds))
        return replace(picture, colour=_shown(picture, with_depth=with_depth))

    try:
        page = LivePage(name, next_picture, rate=min(rate, 15.0), port=port)
    except OSError as error:
        raise Stop(f"port {port}: {error.strerror}") from None
    print(f"{name} live: {page.address}  (Ctrl-C ends)", flush=True)
    try:
        page.closing.wait()
    except KeyboardInterrupt:
        pass
    finally:
        page.close()
    if page.failure:
        raise Stop(page.failure, 1)
    return 0


def _shown(picture: Picture, *, with_depth: bool) -> Any:
    import numpy as np

    from treec_perception.draw import depth_colours

    if with_depth and picture.depth is not None:
        return np.concatenate([picture.colour, depth_colours(picture.depth)], axis=1)
    return picture.colour


def _write(picture: Picture, output: Path, *, with_depth: bool) -> None:
    from treec_sapien.bodies.picture.png import png

    if output.suffix == ".npz":
        picture.save(output)
    else:
        output.write_bytes(png(_shown(picture, with_depth=with_depth)))


def _write_film(frames: list[Any], times: list[float], output: Path) -> None:
    from treec_sapien.view.images import encode_film

    output.write_bytes(encode_film(frames, times, output.suffix))
