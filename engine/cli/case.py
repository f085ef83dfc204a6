"""``treec case``: the moments in which nodes must decide something; a run's moment made one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.snapshot import SnapshotFormat, open_snapshot, pick

if TYPE_CHECKING:
    from treec.decisions.moments import RecordedRun

app = typer.Typer(
    name="case",
    help="Decisions under test: list the cases, make one of a moment of a run.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("list")
def list_(
    which: Annotated[
        list[str] | None, typer.Argument(metavar="[WHICH]...", help="Cases; all if none.")
    ] = None,
    library: LibraryOption = None,
    output_format: Annotated[
        SnapshotFormat, typer.Option("--output-format", help="text for people, json for tools.")
    ] = SnapshotFormat.text,
) -> int:
    """List the cases: the examples of all prompts, and the files below tests/decisions."""
    snapshot = open_snapshot(open_library(library))
    chosen = pick(snapshot.cases, which or [])
    rows = []
    for case in chosen:
        recording = snapshot.recordings.get(case.id)
        nobody = "cannot be read" if case.id in snapshot.broken else "never recorded"
        by = recording.by if recording is not None else nobody
        rows.append({"case": case.id, "about": case.about, "where": case.where, "by": by})
    if output_format is SnapshotFormat.json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    wide = max((len(row["case"]) for row in rows), default=0)
    for row in rows:
        print(f"{row['case']:<{wide}}  {row['by']:<14}  {row['where']}")
    print(f"{len(rows)} case{'' if len(rows) == 1 else 's'}")
    return 0


@app.command("add")
def add(
    run: Annotated[Path, typer.Argument(help="A run's folder; of a folder of runs the latest.")],
    at: Annotated[
        str, typer.Option("--at", help="An utterance (u17), a time (t=12.5), or a record (120).")
    ],
    node: Annotated[
        str | None, typer.Option("--node", help="Which node; the first decision if absent.")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="The case's name.")] = None,
    library: LibraryOption = None,
) -> int:
    """Make a case of a moment of a run: its world, what the node knew, what it decided."""
    from treec.decisions.cases import FOLDER
    from treec.decisions.frozen import case_text, default_name, frozen
    from treec.decisions.moments import MomentError

    found = open_library(library)
    recorded = read_run(run)
    try:
        view = recorded.view(found)
        moments = recorded.at(at, node)
        chosen = next((m for m in moments if m.node_class.LEADS), moments[0])
        case = name or default_name(recorded, chosen)
        data = frozen(recorded, chosen, view, case)
    except MomentError as error:
        raise Stop(str(error)) from None
    path = found.root / FOLDER / f"{chosen.node.lower()}-{case}.case.yaml"
    shown = path.relative_to(found.root).as_posix()
    if path.exists():
        raise Stop(f"{shown} is there already: choose another --name")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(case_text(data), "utf-8")
    print(f"{shown}: {chosen.node} at {chosen.label}")
    others = dict.fromkeys(m.node for m in moments if m.node != chosen.node)
    if others:
        print(f"  there decided also {', '.join(others)}: take one of them with --node")
    print("  put under `expect` what it must decide, then: treec snapshot --record")
    return 0


def read_run(path: Path) -> RecordedRun:
    """A recorded run. Raises Stop."""
    from treec.decisions.moments import RecordedRun
    from treec.world.journal import JournalError

    try:
        return RecordedRun.read(path)
    except (JournalError, OSError) as error:
        raise Stop(str(error)) from None
