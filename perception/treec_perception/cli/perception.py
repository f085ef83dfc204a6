"""``treec perception``: which weights are installed, and training for scenes of one's own."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import (
    FormatOption,
    LibraryOption,
    OutputFormat,
    Stop,
    group,
    open_library,
)

app = group("perception", "The weights that treec sees with, and training for your scenes.")


@app.command("weights")
def weights(
    fetch: Annotated[
        str | None,
        typer.Option(
            "--fetch", help="Get a model that is not part of treec: pose.", metavar="WHAT"
        ),
    ] = None,
    wheel: Annotated[
        Path | None,
        typer.Option("--wheel", help="The wheel of mediapipe 0.10.21 (default: pip gets it)."),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """List the weights that are installed: where, how large, with which hash.

    Exit status 1 if one of treec's small weights is missing. `--fetch pose` makes MediaPipe's pose
    model from the wheel of an older release (35 MB), with the extra `pose`; it is kept in the
    user's data folder, or where TREEC_POSE_MODEL says.
    """
    import json

    from treec_perception.weights_info import installed, pose_model

    if fetch is not None and fetch != "pose":
        raise Stop(f"--fetch {fetch}: only 'pose' can be had")
    if wheel is not None and fetch is None:
        raise Stop("--wheel is for --fetch pose")
    if fetch is not None:
        _fetch_pose(wheel)
    rows = installed()
    pose = pose_model()
    if output_format is OutputFormat.json:
        print(json.dumps([*rows, pose], indent=2))
    else:
        for row in rows:
            if row["sha256"] is None:
                print(f"{row['part']}: missing ({row['folder']}): 'treec[see]' brings it")
                continue
            size, parameters = row["bytes"] / 1e6, row["parameters"] / 1e6
            print(f"{row['part']}: {row['architecture']}, {parameters:.1f} million parameters")
            print(f"  {row['folder']}")
            print(f"  {size:.1f} MB, sha256 {row['sha256']}")
            print(f"  {row['origin']}")
        known = next((row["knows"] for row in rows if "knows" in row), None)
        if known is not None:
            print(f"both know, {known['only']}: {', '.join(known['names'])};")
            print(f"  by colour and kind: {', '.join(known['kinds'])}; no photographs")
            print("  'treec perception train' goes on from them for the things of your scenes")
        if pose["sha256"] is None:
            print(f"pose: not installed ({pose['file']}): 'treec perception weights --fetch pose'")
        else:
            print(f"pose: MediaPipe's pose landmarker\n  {pose['file']}")
            print(f"  {pose['bytes'] / 1e6:.1f} MB, sha256 {pose['sha256']}\n  {pose['origin']}")
    return 0 if all(row["sha256"] for row in rows) else 1


@app.command("train")
def train(
    out: Annotated[Path, typer.Argument(help="Folder for pictures, checkpoints and weights.")],
    base: Annotated[
        str,
        typer.Option(
            "--from",
            help="Weights to go on from: small, a folder with detector and scorer, or none.",
        ),
    ] = "small",
    pictures: Annotated[
        int | None, typer.Option("--pictures", min=1, help="Training pictures (400; none: 3600).")
    ] = None,
    detector_steps: Annotated[
        int | None,
        typer.Option("--detector-steps", min=1, help="Steps of the detector (300; none: 2100)."),
    ] = None,
    scorer_steps: Annotated[
        int | None,
        typer.Option("--scorer-steps", min=1, help="Steps of the scorer (500; none: 7800)."),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, help="Threads of torch.")] = 1,
    processes: Annotated[
        int, typer.Option("--processes", min=1, help="Processes that make pictures and batches.")
    ] = 1,
    device: Annotated[
        str, typer.Option("--device", help="cpu, cuda, or auto: a GPU if torch has one.")
    ] = "auto",
    library: LibraryOption = None,
) -> int:
    """Fit the small weights to the things of the library's scenes.

    Its things stand at random on the furniture of its scenes, among others, before random cameras
    and in random light; every third picture is of the packs' scenes, so that what the weights know
    is kept. Tells how many things of further pictures the scorer names right, before and after. A
    run that was cut off continues in the same folder. Needs the extras `see` and `sapien`; without
    the latter no robots stand around.

    Use the result with TREEC_PERCEPTION_WEIGHTS=FOLDER, or as `model: FOLDER/detector` and `model:
    FOLDER/scorer` in a localizer.
    """
    from treec_perception.models import ModelUnavailable, quiet
    from treec_perception.vocabulary import small_folder

    quiet()
    try:
        from treec_perception.training.train import TrainingPlan
        from treec_perception.training.train import train as fit
    except ImportError as error:
        message = f"{error.name} is missing: pip install -c constraints.txt 'treec[see,sapien]'"
        raise Stop(message) from None
    found = open_library(library)
    anew = base == "none"
    folder = small_folder("scorer").parent if base == "small" else Path(base)
    parts = [folder / part / "config.json" for part in ("detector", "scorer")]
    if not anew and not all(part.is_file() for part in parts):
        raise Stop(f"--from {base}: no weights in {folder}: small, a folder, or none")
    plan = TrainingPlan(
        pictures or (3600 if anew else 400),
        detector_steps or (2100 if anew else 300),
        scorer_steps or (7800 if anew else 500),
        threads,
        processes,
        device,
        None if anew else folder,
    )
    try:
        out.mkdir(parents=True, exist_ok=True)
        trials = fit(found, out, plan, _TrainingProgress())
    except (ValueError, ModelUnavailable) as error:  # a device that is not there, nothing to learn
        raise Stop(str(error)) from None
    except (OSError, RuntimeError) as error:
        raise Stop(f"{out}: {getattr(error, 'strerror', None) or error}") from None
    for trial in trials:
        print(trial)
    print(f"{out}: detector and scorer; use them with TREEC_PERCEPTION_WEIGHTS={out}")
    return 0


class _TrainingProgress:
    """Tells how far each part is, at most every few seconds."""

    def __init__(self) -> None:
        self._part, self._began, self._first, self._told = "", 0.0, 0, 0.0

    def __call__(self, part: str, done: int, of: int, remark: str) -> None:
        now = time.monotonic()
        if part != self._part:
            self._part, self._began, self._first, self._told = part, now, done, 0.0
        if now - self._told < 5.0 and done < of:
            return
        self._told = now
        left = ""
        if done > self._first:
            seconds = (of - done) * (now - self._began) / (done - self._first)
            left = f", {seconds / 60:.0f} min left" if seconds >= 60 else f", {seconds:.0f} s left"
        more = f", {remark}" if remark else ""
        print(f"{part}: {done} of {of}{more}{left if done < of else ''}", file=sys.stderr)


def _fetch_pose(wheel: Path | None) -> None:
    from treec_perception.pose.model_file import PoseModelError, fetch, pose_model_file

    if wheel is None:
        print("getting the wheel of mediapipe 0.10.21 (35 MB)", file=sys.stderr)
    try:
        fetch(pose_model_file(), wheel)
    except (PoseModelError, OSError) as error:
        raise Stop(str(error)) from None
