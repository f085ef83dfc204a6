"""``treec export``: a tree for other programs."""

from __future__ import annotations

import sys
from enum import StrEnum
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library, wants_colour
from treec.cli.correct import require_correct_entries, require_correct_file, require_readable

if TYPE_CHECKING:
    from treec.files.view import View


class ExportFormat(StrEnum):
    """Formats of other programs."""

    btcpp = "btcpp"
    py_trees = "py_trees"
    mermaid = "mermaid"
    html = "html"
    mcap = "mcap"


def command(
    name: Annotated[
        str, typer.Argument(help="Name of a tree, or a tree file; with --to mcap, a run.")
    ],
    to: Annotated[
        ExportFormat,
        typer.Option(
            help="XML of BehaviorTree.CPP 4 (Groot2) or py_trees; a Mermaid chart; an HTML page; "
            "an MCAP file of a run (Foxglove, bags)."
        ),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Output file (default: print).")
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Write a tree with what it inserts, or a run, for other programs.

    Nodes without a counterpart are written under names of their own, and named with their lines.
    `treec import` gives the same trees back. mermaid and html draw what `treec render` draws.
    A run's MCAP file has its journal, statuses, facts, what was said, and the messages of ROS that
    it sent and saw; `treec replay` reads it back.
    """
    if to is ExportFormat.mcap:
        return _export_run(name, library, output)
    if to in (ExportFormat.mermaid, ExportFormat.html):
        from treec.cli.render import draw_named

        return draw_named(name, library, output, ".mmd" if to is ExportFormat.mermaid else ".html")
    from treec.source.diagnostics import format_text
    from treec_interchange.exporter import export_trees

    view, tree = _find(name, library)
    done = export_trees(view, tree, "btcpp" if to is ExportFormat.btcpp else "py_trees")
    if done.findings:
        sources = view.library.sources
        print(format_text(done.findings, sources, colour=wants_colour()), file=sys.stderr)
    if output is None:
        sys.stdout.write(done.text)
        return 0
    try:
        output.write_text(done.text, "utf-8")
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    count = len(done.findings)
    print(f"{output}: {count} node{'' if count == 1 else 's'} without a counterpart")
    return 0


def _export_run(name: str, library: Path | None, output: Path | None) -> int:
    """Write a run as an MCAP file."""
    from treec.atomic import write_atomic
    from treec.cli.find_run import find_run, read_records
    from treec.requirements import needs_extra

    if output is None:
        raise Stop("--to mcap writes a file that is no text: specify --output FILE.mcap")
    try:
        from treec_interchange.mcap.write import write_run
    except ImportError as error:
        raise Stop(needs_extra("MCAP", "mcap", error)) from None
    journal = find_run(Path(name), None, library)
    file = BytesIO()
    counts = write_run(read_records(journal), journal.parent, file)
    try:
        write_atomic(output, file.getvalue())
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    print(f"{output}: {sum(counts.values())} messages on {len(counts)} channels")
    return 0


def _find(name: str, folder: Path | None) -> tuple[View, str]:
    """The view of a tree, and its name. Raises Stop."""
    from treec.cli.render import load_one_file
    from treec.files.view import View, views_of
    from treec.source.diagnostics import unknown

    if name.endswith(".tree.yaml"):
        view = View(load_one_file(Path(name)))
        first = next(iter(view.all("tree")))
        require_correct_file(view.library, Path(name))
        return view, first
    library = open_library(folder, or_none=True)
    for view in views_of(library) or [View(library)]:
        if entry := view.find("tree", name):
            require_correct_entries(view, [entry])
            return view, name
    require_readable(library, ("tree",), name)
    known = [entry.name for entry in library.of_kind("tree")]
    raise Stop(unknown("tree", name, known))
