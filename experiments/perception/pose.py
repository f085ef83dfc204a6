"""``python -m experiments.perception.pose``: how well joints of a person are found."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from experiments.command import main
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.requirements import needs_extra
from treec_perception.cli.pose import find_estimator


def command(
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Photograph of one person (default: scikit-image's)."),
    ] = None,
    estimator: Annotated[
        str | None,
        typer.Option("--estimator", help="Pose estimator (default: the library's first)."),
    ] = None,
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            help="Recordings of people, .npz: instead of a photograph, people who move like that "
            "in a simulated scene (extra `sapien`).",
        ),
    ] = None,
    rate: Annotated[
        float, typer.Option("--rate", min=0.5, max=60, help="With --data: pictures a second.")
    ] = 5.0,
    n: Annotated[
        int,
        typer.Option("--n", min=1, help="Showings at each distance; with --data: people."),
    ] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Find joints in a photograph, or of people who move.

    The photograph is shown to a depth camera at four distances.

    The joints are compared with those found in the photograph itself: this measures what distance,
    place, light and errors of depth do to them, not how far they are from a person's true joints.
    With --data people who move as recorded are watched by two simulated cameras, and the joints are
    compared with those that move them. Needs the extra `pose` and its model.
    """
    import json

    if data is not None:
        if picture is not None:
            raise Stop("--picture and --data are two evaluations: give one of them")
        return _people(data, estimator, n, seed, rate, output_format, library)
    from experiments.perception.photograph import make_trials, summary
    from treec_perception.files import NoiseSpec
    from treec_perception.picture import load_picture
    from treec_perception.pose.landmarker import PoseLandmarker
    from treec_perception.pose.model_file import PoseModelError, find_model
    from treec_perception.stages import LandmarksStage, LiftStage, named

    found = open_library(library, or_none=True)
    stages = [named(stage)[1] for stage in find_estimator(found, estimator).stages]
    marks = next(it for it in stages if isinstance(it, LandmarksStage))
    lifted = next((it for it in stages if isinstance(it, LiftStage)), None)
    if lifted is None:
        raise Stop("the pose estimator has no stage 'lift': it gives no points")
    try:
        photograph = _photograph() if picture is None else load_picture(picture).colour
        with PoseLandmarker(find_model(marks.model, found.root)) as landmarker:
            noise = NoiseSpec.model_validate({})
            trials = make_trials(photograph, landmarker, (marks, lifted), noise, n, seed)
    except (PoseModelError, ValueError, OSError) as error:
        raise Stop(str(error)) from None
    rows = summary(trials)
    if output_format is OutputFormat.json:
        print(json.dumps(rows, indent=2))
        return 0
    print(
        "{:<16}{:>8}{:>10}{:>10}{:>10}{:>9}".format(
            "", "trials", "visible", "found", "median", "95 %"
        )
    )
    for name, row in rows.items():
        cells = [row["trials"], row["joints_visible"], row["joints_found"]]
        errors = ["" if row[key] is None else f"{row[key]} mm" for key in ("median_mm", "p95_mm")]
        print("{:<16}{:>8}{:>10}{:>10}{:>10}{:>9}".format(name, *cells, *errors))
    return 0


def _people(
    data: Path,
    estimator: str | None,
    n: int,
    seed: int,
    rate: float,
    output_format: OutputFormat,
    library: Path | None,
) -> int:
    import json
    import sys

    from treec_perception.default import BONES
    from treec_perception.pose.model_file import PoseModelError

    found = open_library(library, or_none=True)
    spec = BONES if estimator is None else find_estimator(found, estimator)
    try:
        from experiments.perception.people import summary, watch_people
        from treec_sapien.people.recordings import MotionFileError, read_recordings
    except ImportError as error:
        raise Stop(needs_extra("this", "sapien,pose", error)) from None
    trials = []
    try:
        episodes = read_recordings(data)
        for trial in watch_people(episodes, spec, found.root, n, seed, rate):
            trials.append(trial)
            print(f"{len(trials)}/{n}", file=sys.stderr, flush=True)
    except (MotionFileError, PoseModelError, ValueError) as error:
        raise Stop(str(error)) from None
    table = summary(trials)
    if output_format is OutputFormat.json:
        print(json.dumps(table, indent=2))
        return 0
    pictures = next(iter(table["people_left"].values()))["pictures"]
    people = "1 person" if n == 1 else f"{n} people"
    print(f"{people}, {pictures} pictures of each camera; errors of joints that are seen")
    for camera, rows in table.items():
        print(f"\n{camera}\n{'':<16}{'seen':>8}{'median':>10}{'95 %':>10}")
        for name, row in rows.items():
            errors = ["–" if row[k] is None else f"{row[k]} mm" for k in ("median_mm", "p95_mm")]
            seen = f"{row['seen']:.0%}"
            print("{:<16}{:>8}{:>10}{:>10}".format(name.replace("_", " "), seen, *errors))
        print(f"all at once in {rows['all seven']['at_once']:.0%} of the pictures")
    return 0


def _photograph() -> Any:
    try:
        from skimage import data
    except ImportError:
        raise Stop(
            "give a photograph with --picture, or install scikit-image, which has one"
        ) from None
    return data.astronaut()


if __name__ == "__main__":
    sys.exit(main(command))
