"""``python -m experiments.mosaic.imports PAGES``: recipe pages imported, and cooked."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from experiments.command import main, print_report
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.progress import progress


def command(
    pages: Annotated[Path, typer.Argument(help="Folder of saved recipe pages (searched whole).")],
    lists: Annotated[
        Path | None,
        typer.Option("--lists", help="Recorded lists of subtasks, NAME.txt for the page NAME."),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="Pages that are drawn.")] = 60,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the draw.")] = 0,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Import recipe pages by `treec recipe import`, and cook those with a recorded list.

    A page's own numbered instructions are imported as a list, with one `get` for each ingredient:
    what is kept, the order, and words that are taken for others. A page of which a list is recorded
    is imported with that and cooked in the symbolic kitchen. Where NAME.json stands beside a page
    (as in the test data of recipe-scrapers), what is read is compared with it.
    """

    from experiments.mosaic.imports_table import to_json, to_text
    from experiments.mosaic.imports_trials import draw_pages, try_page

    root = open_library(library).root
    chosen = draw_pages(pages, n, seed, lists)
    if not chosen:
        raise Stop(f"{pages} has no pages (.html, .htm, .testhtml)")
    results = []
    with progress("pages", len(chosen)) as move:
        for page in chosen:
            results.append(try_page(root, page, lists))
            move()
    print_report(output_format, to_json(results), to_text(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(command))
