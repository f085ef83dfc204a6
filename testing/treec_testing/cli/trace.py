"""``treec trace``: tick a tree by itself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import FormatOption, OutputFormat, Stop


def command(
    file: Annotated[
        Path, typer.Argument(help="Tree file whose leaves are probes, or nodes of your own.")
    ],
    ticks: Annotated[
        int, typer.Option("--ticks", "-n", min=0, max=100_000, help="Number of ticks.")
    ] = 6,
    output_format: FormatOption = OutputFormat.text,
    tree: Annotated[
        str | None, typer.Option("--tree", help="Name of the tree, if the file has several.")
    ] = None,
) -> int:
    """Tick a tree by itself and print each tick.

    Each line has the root's status, the leaves that were ticked and those that were halted.
    """
    import json

    from treec.cli.correct import require_correct_file, stop_with
    from treec.compile.standalone import BuildError, build_alone
    from treec.files.library import load_alone
    from treec_testing.tick_trace import trace

    if not file.is_file():
        raise Stop(f"no such file: {file}")
    library = load_alone(file)
    stop_with(library, library.diagnostics)
    require_correct_file(library, file, alone=False)
    try:
        root = build_alone(library, file, tree)
    except BuildError as error:
        if error.library is None:
            raise Stop(str(error)) from None
        from treec.check import check_library

        problems = [p for p in check_library(error.library) if p.severity == "error"]
        note = "trace has no system: its leaves must be probes, or nodes of your own"
        stop_with(error.library, problems, note)
        where = f"{error.span}: " if error.span is not None else ""
        raise Stop(f"{where}{error}", 1) from None
    traced = trace(root, ticks)
    for node in root.iterate():
        span, failure = getattr(node, "span", None), getattr(node, "failure", None)
        if span is not None and failure is not None:  # a class of somebody's own
            raise Stop(f"{span}: a node failed: {failure}", 1)
    if output_format is OutputFormat.json:
        print(json.dumps(traced, ensure_ascii=False))
        return 0
    for number, tick in enumerate(traced["ticks"], 1):
        leaves = "  ".join(f"{name} {status}" for name, status in tick["leaf_ticks"])
        halted = f"  halted: {', '.join(tick['halted'])}" if tick["halted"] else ""
        print(f"{number:3}  {tick['root']:8}  {leaves or '-'}{halted}")
    if traced["halted_at_end"]:
        print(f"end  halted: {', '.join(traced['halted_at_end'])}")
    return 0
