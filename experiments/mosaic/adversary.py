"""``python -m experiments.mosaic.adversary``: the table of attacks on a system's contracts."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main
from treec.api.errors import TreecError
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.progress import progress

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from experiments.mosaic.attacks import AdversaryReport
    from treec.files.library import Library

MOST_SHOWN = 20


def command(
    system: Annotated[str, typer.Option("--system", help="System to attack.")] = "mosaic",
    seed: Annotated[int, typer.Option("--seed", help="Random seed of the attacks.")] = 0,
    n: Annotated[int, typer.Option("--n", min=1, help="Number of attempts.")] = 10_000,
    rows: Annotated[
        bool,
        typer.Option(
            "--rows",
            help="Print how many bad readings, bad programs and lost orders there are, too; it "
            "needs MOSAIC and the template of the warehouse.",
        ),
    ] = False,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Attack a system with bad answers of a model.

    It is attacked at every moment of its scenarios, through reasons that exist.

    Exit status 0 if no attempt got through, 1 otherwise.
    """
    from experiments.mosaic.attacks import attack_runs

    found = open_library(library)
    if rows:
        print("\n".join(format_rows(found, seed)))
    try:
        with progress("attempts", n) as tell:
            report = attack_runs(found, system, seed, n, tell)
    except TreecError as error:
        raise Stop(str(error)) from None
    if output_format is OutputFormat.json:
        counts = {
            name: {"tried": c.tried, "through": c.through} for name, c in report.counts.items()
        }
        data = {"seed": seed, "runs": report.runs, "moments": report.moments, "attacks": counts}
        print(json.dumps(data, indent=2))
    else:
        print(format_table(report), end="")
        for line in report.through[:MOST_SHOWN]:
            print(f"  {line}")
    return 1 if report.through else 0


def format_rows(library: Library, seed: int) -> Iterator[str]:
    """What a model reads, the programs that it writes and compound orders, as a table.

    Below it, what got through, was refused though right, or was lost.
    """
    from experiments.mosaic.bad_programs import try_programs
    from experiments.mosaic.lost_orders import give_orders
    from experiments.mosaic.readings import read_all

    read = [*read_all(library)]
    programs, orders = [*try_programs(library)], [*give_orders(library, seed)]
    wrong, right = ([one for one in read if one.right == is_right] for is_right in (False, True))
    found: dict[str, Sequence[object]] = {
        "bad answers at the reading: stopped": [one for one in wrong if one.stands],
        "right answers at the reading: stand": [one for one in right if not one.stands],
        "bad programs: refused, failed by name or asked": [p for p in programs if not p.handled],
        "compound orders: no clause lost without a word": [one for one in orders if one.lost],
    }
    yield from ("| what | of | |", "|---|---:|---:|")
    sizes = (len(wrong), len(right), len(programs), len(orders))
    for (about, amiss), size in zip(found.items(), sizes, strict=True):
        yield f"| {about} | {size} | {size - len(amiss)} |"
    yield ""
    for about, amiss in found.items():
        yield from (f"  {about.partition(':')[0]}: {one}" for one in amiss)


def format_table(report: AdversaryReport) -> str:
    """The attempts by kind, as a Markdown table."""
    from experiments.mosaic.attacks import ATTACKS

    rows = ["| attack | tried | got through |", "|---|---:|---:|"]
    for attack in ATTACKS:
        count = report.counts[attack.__name__]
        about = (attack.__doc__ or "").rstrip(".")
        rows.append(f"| {about} | {count.tried:,} | {len(count.through)} |")
    rows.append(f"| all, seed {report.seed} | {report.tried:,} | {len(report.through)} |")
    where = f"{report.runs} runs, {report.moments} moments"
    return "\n".join([*rows, "", where]) + "\n"


if __name__ == "__main__":
    sys.exit(main(command))
