"""``treec new``: write a new file from a skeleton, in the right folder."""

from __future__ import annotations

from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library


def command(
    kind: Annotated[
        str, typer.Argument(help="Kind of file: action, decision, task, recipe, skill, agent, …")
    ],
    name: Annotated[str, typer.Argument(help="Name of the new thing.")],
    to: Annotated[
        str | None, typer.Option("--to", help="Decision that it offers itself to.")
    ] = None,
    system: Annotated[
        str | None,
        typer.Option("--system", help="System it is for (default: the one with most of its kind)."),
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Write a new file from a skeleton."""
    from treec.files.skeletons import NoSkeleton, skeleton
    from treec.files.view import View

    found = open_library(library)
    systems = [entry for entry in found.own("system") if system in (None, entry.name)]
    if system is not None and not systems:
        raise Stop(f"there is no system '{system}'")
    views = [View(found, entry) for entry in systems] or [View(found)]
    view = max(views, key=lambda view: len(view.all(kind)))  # where there are such files already
    try:
        new = skeleton(view, kind, name, to)
    except (NoSkeleton, ValueError) as error:
        raise Stop(str(error)) from None
    path = found.root / new.path
    if path.exists():
        raise Stop(f"{new.path} exists already")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(new.text, "utf-8")
    print(f"{new.path}: fill it in, then run 'treec check'")
    if new.note:
        print(f"  {new.note}")
    return 0
