"""``treec evaluate pose``: how well the joints of a person are found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.perception.cli.pose import find_estimator


def command(
    picture: Annotated[
        Path | None,
        typer.Option("--picture", help="Photograph of one person (default: scikit-image's)."),
    ] = None,
    estimator: Annotated[
        str | None,
        typer.Option("--estimator", help="Pose estimator (default: the library's first)."),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="Showings at each distance.")] = 20,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Find the joints of a person in a photograph.

    It is shown to a depth camera at four distances.

    The joints are compared with those found in the photograph itself: this measures what distance,
    place, light and errors of depth do to them, not how far they are from a person's true joints.
    Needs the extra `pose` and its model.
    """
    import json

    from treec.perception.evaluate.pose import make_trials, summary
    from treec.perception.files import NoiseSpec
    from treec.perception.picture import load_picture
    from treec.perception.pose.landmarker import PoseLandmarker
    from treec.perception.pose.model_file import PoseModelError, find_model
    from treec.perception.stages import LandmarksStage, LiftStage, named

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


def _photograph() -> Any:
    try:
        from skimage import data
    except ImportError:
        raise Stop(
            "give a photograph with --picture, or install scikit-image, which has one"
        ) from None
    return data.astronaut()
