"""``python -m experiments.helper.personalization``: the paper's 40 requests for routines."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from experiments.command import main
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, open_library
from treec.cli.model_options import ApiBaseOption, ModelOption
from treec.cli.progress import progress


def command(
    show: Annotated[
        bool, typer.Option("--show", help="Show each request that failed, and why.")
    ] = False,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Ask for the paper's personal routines, and judge them.

    Ten routines are taught and asked for with up to three changes. Programs are by the model; if
    none is chosen, by memory alone, which changes nothing.
    """
    import json
    import tempfile
    from dataclasses import asdict
    from pathlib import Path

    from experiments.helper.model import choose_model
    from experiments.helper.routines import (
        CHANGES,
        PAPER,
        RequestTrial,
        read_routines,
        try_routine,
    )
    from treec.api.find import find_system
    from treec.files.view import View, in_scene

    found = open_library(library, or_none=True)
    view = View(found, in_scene(find_system(found, "helper"), "household_flat"))
    routines = read_routines()
    trials: list[RequestTrial] = []
    chosen = choose_model(found, model, api_base)
    with progress("requests", sum(len(one["requests"]) for one in routines)) as advance:
        for routine in routines:
            with tempfile.TemporaryDirectory() as folder:
                for trial in try_routine(view, routine, Path(folder), chosen):
                    trials.append(trial)
                    advance()
    if output_format is OutputFormat.json:
        print(json.dumps([asdict(trial) for trial in trials], indent=1, ensure_ascii=False))
        return 0
    print(f"{'':16}{chosen.name if chosen else 'no model':>12}{'HELPER (Table 3)':>20}")
    for number, name in enumerate(CHANGES):
        own = [trial for trial in trials if trial.changes == number]
        share = f"{sum(t.met for t in own)} of {len(own)}"
        print(f"{name:16}{share:>12}{PAPER[number]:>18} %")
    false = sum(trial.claimed and not trial.met for trial in trials)
    print(f"{'falsely done':16}{f'{false} of {sum(t.claimed for t in trials)}':>12}")
    print(f"{'all':16}{f'{sum(t.met for t in trials)} of {len(trials)}':>12}{'37 of 40':>20}")
    for trial in trials if show else ():
        if not trial.met:
            print(f"\n{trial.says}\n  {'; '.join(trial.wrong)}")
    return 0


if __name__ == "__main__":
    sys.exit(main(command))
