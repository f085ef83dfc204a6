"""``treec thor scene``: a scene's file from AI2-THOR, or from recorded metadata."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library


def command(
    name: Annotated[
        str | None,
        typer.Argument(help="Scene of AI2-THOR, such as FloorPlan1; opened in the simulator."),
    ] = None,
    metadata: Annotated[
        Path | None,
        typer.Option("--metadata", help="JSON file with an event's metadata, instead."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File (default: standard output).")
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Write a scene's file for `--env thor`.

    Object types that the household has no class for are left out, and told.
    """
    import sys

    from treec.api.find import find_system
    from treec.files.view import View
    from treec_thor.scene_file import BadMetadata, scene_of_metadata

    if (name is None) == (metadata is None):
        raise Stop("give either a scene of AI2-THOR or --metadata FILE")
    found = open_library(library, or_none=True)
    types = View(found, find_system(found, "helper")).types
    classes = [one for one in types.names if types.is_a(one, "Thing")]
    data = _recorded(metadata) if metadata is not None else _opened(str(name))
    try:
        text, unknown = scene_of_metadata(data, classes, name)
    except BadMetadata as error:
        where = f"{metadata}: " if metadata is not None else ""
        raise Stop(f"{where}{error}") from None
    if unknown:
        print(f"treec: no class for {', '.join(unknown)}: left out", file=sys.stderr)
    if output is None:
        print(text, end="")
    else:
        output.write_text(text, "utf-8")
        print(f"{output}: {text.count('{type:')} objects")
    return 0


def _recorded(path: Path) -> dict[str, object]:
    import json

    try:
        data = json.loads(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise Stop(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise Stop(f"{path}: an event's metadata is a JSON object")
    return data


def _opened(name: str) -> dict[str, object]:
    from treec_thor.environment import open_controller

    try:
        controller = open_controller(name)
    except ImportError as error:
        raise Stop(f"AI2-THOR cannot be opened: {error}, or give --metadata FILE") from None
    try:
        return dict(controller.last_event.metadata)
    finally:
        controller.stop()
