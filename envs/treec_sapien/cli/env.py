"""``treec env``: draw scenes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, group, open_library
from treec.requirements import needs_extra

app = group("env", "Draw scenes.")

_SUFFIXES = (".png", ".glb", ".svg")


@app.command("show")
def show(
    scene: Annotated[str, typer.Argument(help="Name of a scene.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", help="Image (.png), 3D model (.glb) or floor plan (.svg)."),
    ],
    turn: Annotated[
        float,
        typer.Option(
            "--turn", help="Camera azimuth of an image: degrees to the right of the front."
        ),
    ] = -30.0,
    tilt: Annotated[
        float,
        typer.Option(
            "--tilt", min=5.0, max=89.0, help="Camera tilt of an image: degrees downward."
        ),
    ] = 28.0,
    with_robots: Annotated[
        bool, typer.Option("--robots/--no-robots", help="Draw the robots of its systems, too.")
    ] = True,
    opened: Annotated[bool, typer.Option("--open/--closed", help="Draw all doors open.")] = False,
    library: LibraryOption = None,
) -> int:
    """Draw the bodies of a scene at the start of a run.

    This needs neither a simulation nor a display.
    """
    from importlib import import_module

    from treec.cli.correct import require_correct_entries, require_readable
    from treec.files.view import View, views_of
    from treec.source.diagnostics import unknown
    from treec_sapien.check.robots import with_robot
    from treec_sapien.check.scene_bodies import agents_of

    if output.suffix not in _SUFFIXES:
        raise Stop(f"{output}: the suffix must be one of {', '.join(_SUFFIXES)}")
    found = open_library(library)
    entry = found.find("scene", scene)
    if entry is None:
        require_readable(found, ("scene",), scene)
        raise Stop(unknown("scene", scene, [it.name for it in found.of_kind("scene")]))
    view = next((view for view in views_of(found) if entry in view.entries), View(found))
    require_correct_entries(view, [entry])
    names = entry.model.body_packages
    draw = next(
        (draw for name in names if (draw := getattr(import_module(name), "show", None))), None
    )
    if draw is None:
        raise Stop(f"the scene '{scene}' has no bodies: add 'bodies: treec_sapien.bodies'")
    objects = {
        name: spec.model_dump(include={"body", "pose", "yaw"})
        for name, spec in entry.model.objects.items()
    }
    bodies = {it.name: it.model.body or {} for it in agents_of(View(found), entry)}
    agents = {name: with_robot(view, body) for name, body in bodies.items()} if with_robots else {}
    try:
        text = draw(objects, names, agents, output, turn=turn, tilt=tilt, opened=opened)
    except ImportError as error:
        raise Stop(needs_extra("drawing", "sapien", error)) from None
    except (ValueError, OSError) as error:
        raise Stop(f"{scene}: {error}") from None
    print(f"{output}: {text}")
    return 0
