"""``treec camera``: list cameras, and look through them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, group, open_library

if TYPE_CHECKING:
    from treec.perception.picture import Picture

app = group("camera", "List cameras, and look through them.")

SystemOption = Annotated[
    str | None, typer.Option("--system", help="The system whose camera it is.")
]
SceneOption = Annotated[
    str | None, typer.Option("--scene", help="Scene to look at (default: the system's).")
]
SeedOption = Annotated[
    int, typer.Option("--seed", help="Draws the errors of depth, and with --jitter the places.")
]


@app.command("list")
def list_cameras(
    output_format: FormatOption = OutputFormat.text, library: LibraryOption = None
) -> int:
    """List the cameras of all systems: where they are, and what they are meant for."""
    import json

    from treec.files.view import View
    from treec.perception.find_camera import systems_with_cameras

    found = open_library(library)
    rows: dict[str, dict[str, Any]] = {}
    for system in systems_with_cameras(found):
        for name, entry in View(found, system).all("camera").items():
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
        Path, typer.Option("--output", "-o", help="PNG to write, or .npz with depth and pose.")
    ],
    depth: Annotated[
        bool, typer.Option("--depth", help="Draw depth beside colour: near is bright.")
    ] = False,
    towards: Annotated[
        str | None, typer.Option("--towards", help="A thing to which a camera that turns looks.")
    ] = None,
    seed: SeedOption = 0,
    system: SystemOption = None,
    scene: SceneOption = None,
    library: LibraryOption = None,
) -> int:
    """Take a picture with a camera of the scene, as it is at the start of a run.

    This needs neither a simulation nor a display.
    """
    from treec.perception.find_camera import CameraNotFound, find_eyes

    if output.suffix not in (".png", ".npz"):
        raise Stop(f"{output}: the suffix must be .png or .npz")
    try:
        eyes = find_eyes(open_library(library), camera, system, scene)
        if towards is not None and towards not in eyes.layout.bodies:
            raise Stop(f"there is no thing '{towards}' with a body in '{eyes.scene.name}'")
        point = eyes.place_of(towards) if towards is not None else None
        picture = eyes.camera(camera).take(seed, towards=point)
    except CameraNotFound as error:
        raise Stop(str(error)) from None
    except ImportError as error:
        raise Stop(f"pictures need the extra 'sapien': {error}") from None
    except KeyError as error:
        raise Stop(f"{camera}: {error.args[0]}") from None
    except (ValueError, OSError) as error:
        raise Stop(f"{camera}: {error}") from None
    try:
        _write(picture, output, with_depth=depth)
    except OSError as error:
        raise Stop(f"{output}: {error}") from None
    height, width, _ = picture.colour.shape
    print(f"{output}: {width} × {height}, {picture.name} in {eyes.scene.name}")
    return 0


def _write(picture: Picture, output: Path, *, with_depth: bool) -> None:
    import numpy as np

    from treec.envs.bodies.picture.png import png
    from treec.perception.draw import depth_colours

    if output.suffix == ".npz":
        picture.save(output)
        return
    shown = picture.colour
    if with_depth and picture.depth is not None:
        shown = np.concatenate([shown, depth_colours(picture.depth)], axis=1)
    output.write_bytes(png(shown))
