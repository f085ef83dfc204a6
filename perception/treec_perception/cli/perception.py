"""``treec perception weights``: which weights are installed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import FormatOption, OutputFormat, Stop, group

app = group("perception", "The weights that treec sees with.")


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
        if pose["sha256"] is None:
            print(f"pose: not installed ({pose['file']}): 'treec perception weights --fetch pose'")
        else:
            print(f"pose: MediaPipe's pose landmarker\n  {pose['file']}")
            print(f"  {pose['bytes'] / 1e6:.1f} MB, sha256 {pose['sha256']}\n  {pose['origin']}")
    return 0 if all(row["sha256"] for row in rows) else 1


def _fetch_pose(wheel: Path | None) -> None:
    from treec_perception.pose.model_file import PoseModelError, fetch, pose_model_file

    if wheel is None:
        print("getting the wheel of mediapipe 0.10.21 (35 MB)", file=sys.stderr)
    try:
        fetch(pose_model_file(), wheel)
    except (PoseModelError, OSError) as error:
        raise Stop(str(error)) from None
