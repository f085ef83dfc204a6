"""``treec import``: trees of BehaviorTree.CPP and py_trees as a tree file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import Stop, wants_colour


def command(
    file: Annotated[Path, typer.Argument(help="An XML file of BehaviorTree.CPP or py_trees.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output file: .tree.yaml (default: print the trees)."),
    ] = None,
) -> int:
    """Read the trees of an XML file, and of those that it includes.

    Its format is BehaviorTree.CPP 4 (Groot2, Nav2) or py_trees.

    Node types that treec does not have become node classes of one's own. What has no counterpart is
    named with its line. Exit status 0 if the file was read, 1 if not.
    """
    from treec.interchange.importer import import_trees
    from treec.interchange.includes import MAX_BYTES
    from treec.interchange.tree_yaml import to_tree_file
    from treec.source.diagnostics import format_text
    from treec.source.text import SourceFile

    if output is not None and not output.name.endswith(".tree.yaml"):
        raise Stop(f"the output file must end in .tree.yaml: {output.stem}.tree.yaml")
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise Stop(f"{file} is larger than {MAX_BYTES // 1_000_000} MB")
    path = file.as_posix()

    def read(name: str) -> bytes:
        """A file that is included, which lies below the folder, links followed."""
        target = (file.parent / name).resolve()
        if not target.is_relative_to(file.parent.resolve()):
            raise OSError("it is a link to outside the folder of the imported file")
        with target.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)

    done = import_trees(data, path, read)
    if done.findings:
        sources = {
            name: SourceFile(name, text.decode("utf-8", "replace"))
            for name, text in done.sources.items()
        }
        text = format_text(done.findings, sources, colour=wants_colour())
        print(text, file=sys.stderr)
    if done.failed:
        return 1
    text = to_tree_file(done.trees)
    if output is None:
        sys.stdout.write(text)
        return 0
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    count = len(done.trees)
    print(f"{output}: {count} tree{'' if count == 1 else 's'}")
    return 0
