"""``treec env``: look at what skills act on."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library

app = typer.Typer(name="env", help="Look at what skills act on.", no_args_is_help=True)
app.callback()(lambda: None)

_SUFFIXES = (".png", ".glb", ".svg")


@app.command("show")
def show(
    scene: Annotated[str, typer.Argument(help="A scene of the library.")],
    out: Annotated[
        Path,
        typer.Option("--out", "-o", help="A picture (.png), a model (.glb), or a plan (.svg)."),
    ],
    turn: Annotated[
        float, typer.Option("--turn", help="Degrees to the right of the front, for a picture.")
    ] = -30.0,
    tilt: Annotated[
        float, typer.Option("--tilt", min=5.0, max=89.0, help="Degrees down, for a picture.")
    ] = 28.0,
    with_robots: Annotated[
        bool, typer.Option("--robots/--no-robots", help="With the robots of its systems.")
    ] = True,
    opened: Annotated[bool, typer.Option("--open/--shut", help="With all doors open.")] = False,
    library: LibraryOption = None,
) -> int:
    """Draw a scene's bodies as they stand at the start: no simulation and no display needed."""
    from importlib import import_module

    from treec.check.scene_bodies import agents_of, packages
    from treec.files.view import View
    from treec.source.diagnostics import did_you_mean

    if out.suffix not in _SUFFIXES:
        raise Stop(f"{out}: give it one of the suffixes {', '.join(_SUFFIXES)}")
    found = open_library(library)
    entry = found.find("scene", scene)
    if entry is None:
        near = did_you_mean(scene, [it.name for it in found.of_kind("scene")])
        raise Stop(f"there is no scene '{scene}'" + (f": did you mean '{near}'?" if near else ""))
    names = packages(entry.model)
    draw = next(
        (draw for name in names if (draw := getattr(import_module(name), "show", None))), None
    )
    if draw is None:
        raise Stop(f"the scene '{scene}' has no bodies: add 'bodies: treec.envs.bodies'")
    objects = {
        name: spec.model_dump(include={"body", "pose", "yaw"})
        for name, spec in entry.model.objects.items()
    }
    agents = {it.name: it.model.body for it in agents_of(View(found), entry)} if with_robots else {}
    try:
        said = draw(objects, names, agents, out, turn=turn, tilt=tilt, opened=opened)
    except ImportError as error:
        raise Stop(f"drawing needs the extra 'sapien': {error}") from None
    except (ValueError, OSError) as error:
        raise Stop(f"{scene}: {error}") from None
    print(f"{out}: {said}")
    return 0
