"""``treec case``: list the test cases, or add one from a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, group, open_library
from treec_testing.cli.open_snapshot import open_snapshot, pick
from treec_testing.cli.read_run import read_run

if TYPE_CHECKING:
    from treec.files.library import Library
    from treec_testing.decisions.moments import RecordedRun
    from treec_testing.decisions.snapshot import AnyCase, Snapshot

app = group("case", "Test cases: list them, or add one from a run.")


@app.command("list")
def list_(
    which: Annotated[
        list[str] | None, typer.Argument(metavar="[WHICH]...", help="Cases (default: all).")
    ] = None,
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """List the test cases.

    They are the examples of all prompts, and the files in tests/decisions; those of whole systems
    once for each author of answers.
    """
    snapshot = open_snapshot(open_library(library))
    chosen = pick(snapshot.every, which or [])
    rows = [
        {
            "case": case.id,
            "about": case.about,
            "where": case.where,
            "by": _answered_by(snapshot, case),
        }
        for case in chosen
    ]
    if output_format is OutputFormat.json:
        print(json.dumps(rows, indent=2, ensure_ascii=False))
        return 0
    wide = max((len(row["case"]) for row in rows), default=0)
    for row in rows:
        print(f"{row['case']:<{wide}}  {row['by']:<14}  {row['where']}")
    print(f"{len(rows)} case{'' if len(rows) == 1 else 's'}")
    return 0


def _answered_by(snapshot: Snapshot, case: AnyCase) -> str:
    from treec_testing.decisions.system_cases import SystemCase

    if isinstance(case, SystemCase):
        return case.author
    recording = snapshot.recordings.get(case.id)
    nobody = "cannot be read" if case.id in snapshot.broken else "never recorded"
    return recording.by if recording is not None else nobody


@app.command("add")
def add(
    run: Annotated[
        Path, typer.Argument(help="Folder or journal of a run; in a folder of runs, the latest.")
    ],
    at: Annotated[
        str,
        typer.Option("--at", help="Moment: an utterance (u17), a time (t=12.5) or a record (120)."),
    ],
    node: Annotated[
        str | None, typer.Option("--node", help="Node (default: the first that decided then).")
    ] = None,
    name: Annotated[str | None, typer.Option("--name", help="Name of the case.")] = None,
    whole: Annotated[
        bool, typer.Option("--whole", help="A case of the whole system instead of one node.")
    ] = False,
    says: Annotated[
        list[str] | None,
        typer.Option("--says", help="With --whole: words instead of the run's; repeatable."),
    ] = None,
    library: LibraryOption = None,
) -> int:
    """Add a test case from a moment of a run.

    It holds the world at that moment, what the node knew and what it decided. With --whole it
    holds the world, what the user said then, and what followed.
    """
    from treec.files.former_kinds import DECISIONS as FOLDER
    from treec_testing.decisions.case_data import case_data, case_text, default_case_name
    from treec_testing.decisions.moments import MomentError

    if says and not whole:
        raise Stop("--says needs --whole")
    if node and whole:
        raise Stop("--node and --whole exclude each other")
    found = open_library(library)
    recorded = read_run(run, library)
    if whole:
        return _add_whole(found, recorded, at, name, says)
    try:
        view = recorded.view(found)
        moments = recorded.at(at, node)
        chosen = next((m for m in moments if m.node_class.LEADS), moments[0])
        case = name or default_case_name(recorded, chosen)
        data = case_data(recorded, chosen, view, case)
    except MomentError as error:
        raise Stop(str(error)) from None
    shown = _write(found, f"{FOLDER}/{chosen.node.lower()}-{case}.case.yaml", case_text(data))
    print(f"{shown}: {chosen.node} at {chosen.label}")
    others = dict.fromkeys(m.node for m in moments if m.node != chosen.node)
    if others:
        print(f"  {', '.join(others)} decided then, too: choose one with --node")
    print("  write under `expect` what it must decide, then run: treec snapshot --record")
    return 0


def _add_whole(
    library: Library, run: RecordedRun, at: str, name: str | None, says: list[str] | None
) -> int:
    from treec.files.former_kinds import DECISIONS as FOLDER
    from treec_testing.decisions.case_data import case_text, default_name
    from treec_testing.decisions.moments import MomentError
    from treec_testing.decisions.system_case_data import system_case_data
    from treec_testing.recordings.recording import slug

    case = name or default_name(run, slug(at))
    try:
        data = system_case_data(run, at, run.view(library), case, says)
    except MomentError as error:
        raise Stop(str(error)) from None
    print(_write(library, f"{FOLDER}/{case}.case.yaml", case_text(data)))
    if "must" in data:
        print("  `must` is what followed in the run: edit it, and write `must_not`")
    else:
        print("  write what must happen under `must`, and what must not under `must_not`")
    print(f"  then run: treec snapshot {case}")
    return 0


def _write(library: Library, shown: str, text: str) -> str:
    """Write a new file of the library and return its name. Raises Stop if it exists."""
    path = library.root / shown
    if path.exists():
        raise Stop(f"{shown} already exists; specify another --name")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return shown
