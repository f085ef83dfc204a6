"""``treec new``: write a new file from a skeleton, in the right folder."""

from __future__ import annotations

from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library
from treec.files.settings import SETTINGS
from treec.files.skeletons import NoSkeleton
from treec.files.view import View
from treec.source.diagnostics import unknown
from treec_editor.new_files import skeleton, skeletons


def command(
    kind: Annotated[str, typer.Argument(help="Kind of file, or of Python code.")],
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
    found = open_library(library)
    systems = [entry for entry in found.own("system") if system in (None, entry.name)]
    if system is not None and not systems:
        raise Stop(unknown("system", system, [entry.name for entry in found.own("system")]))
    views = [View(found, entry) for entry in systems] or [View(found)]
    view = max(views, key=lambda view: len(view.all(kind)))  # where there are such files already
    try:
        new = skeleton(view, kind, name, to)
    except (NoSkeleton, ValueError) as error:
        raise Stop(str(error)) from None
    files = {new.path: new.text, **new.beside}
    for path in files:
        if (found.root / path).exists():
            raise Stop(f"{path} already exists")
    if new.settings is not None:
        files[SETTINGS] = new.settings
    files.update(new.changed)
    for path, text in files.items():
        (found.root / path).parent.mkdir(parents=True, exist_ok=True)
        (found.root / path).write_text(text, "utf-8")
    print(f"{new.path}: fill it in, then run 'treec check'")
    if others := [path for path in files if path != new.path]:
        print(f"  also written: {', '.join(others)}")
    if new.note:
        print(f"  {new.note}")
    return 0


def _kinds() -> str:
    """A line for each kind, for `--help`."""
    kinds = skeletons()
    width = max(map(len, kinds))
    return "\n".join(f"{kind:<{width}}  {about}" for kind, about in kinds.items())


command.__doc__ = f"Write a new file from a skeleton.\n\nKinds:\n\n\b\n{_kinds()}"
