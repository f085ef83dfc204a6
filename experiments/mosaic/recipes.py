"""``python -m experiments.mosaic.recipes``: recipes cooked with a simulated user."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main, print_report
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.progress import progress
from treec_testing.cli.pool_options import JobsOption, OnOption, make_pool

if TYPE_CHECKING:
    from experiments.mosaic.recipe_trials import RecipeResult


def command(
    system: Annotated[str, typer.Option("--system", help="System to evaluate.")] = "mosaic",
    recipe: Annotated[
        list[str] | None,
        typer.Option("--recipe", help="Cook only this recipe; repeatable (default: all)."),
    ] = None,
    env: Annotated[str, typer.Option("--env", help="Environment of all agents.")] = "sapien",
    n: Annotated[int, typer.Option("--n", min=1, help="Trials per recipe.")] = 3,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    jitter: Annotated[
        bool, typer.Option("--jitter", help="Vary object poses by the seed.")
    ] = False,
    jobs: JobsOption = None,
    on: OnOption = "",
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Folder for results; a later run continues there.")
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Cook recipes in an environment with a simulated user.

    The user agrees to everything. Prints for each recipe how many trials finished, and how many
    came off whole: without the person doing a robot's part.
    """

    from experiments.line_store import LineStoreError
    from experiments.mosaic.kitchen import kitchen_of
    from experiments.mosaic.recipe_table import to_json, to_text
    from experiments.mosaic.recipe_trials import RecipeTrial, run_trials
    from treec.files.view import View
    from treec.nodes.environment import (
        SYMBOLIC,
        EnvironmentUnavailable,
        find_environment,
        unknown_environment,
    )

    found = open_library(library)
    entry = found.find("system", system)
    if entry is None:
        raise Stop(f"unknown system '{system}'")
    known = sorted(kitchen_of(View(found, entry)).recipes)
    names = recipe or known
    for name in names:
        if name not in known:
            raise Stop(f"unknown recipe '{name}'; there are: {', '.join(known)}")
    try:
        if env != SYMBOLIC and find_environment(env) is None:
            raise unknown_environment(env)
    except EnvironmentUnavailable as error:
        raise Stop(str(error)) from None
    trials = [RecipeTrial(name, seed + i, env, jitter) for i in range(n) for name in names]
    with progress("trials", len(trials)) as move:

        def tell(one: RecipeResult) -> None:
            move()
            if not sys.stderr.isatty():
                did = "whole" if one.whole else one.ended
                trial = f"{one.trial.recipe}, seed {one.trial.seed}: {did}"
                print(f"{trial} after {one.seconds:.0f} s", file=sys.stderr, flush=True)

        try:
            results = run_trials(
                found, system, trials, pool=make_pool(jobs, on, 1), keep=keep, tell=tell
            )
        except LineStoreError as error:
            raise Stop(str(error)) from None
    print_report(output_format, to_json(results), to_text(results))
    return 0


if __name__ == "__main__":
    sys.exit(main(command))
