"""``python -m experiments.mosaic.trials``: MOSAIC's Figure 3, trials with all modules at once."""

from __future__ import annotations

import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import print_report
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.model_options import ApiBaseOption, ModelOption
from treec.cli.progress import progress
from treec_testing.cli.pool_options import JobsOption, OnOption, make_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.mosaic.trials.trial import WholeTrial, WholeTrialResult
    from treec.files.library import Library

PAGE = Path("docs/results/trials.md")
FIGURE = Path("docs/pictures/trials.svg")
WHAT = "mosaic.trials"


def command(
    system: Annotated[str, typer.Option("--system", help="System to evaluate.")] = "mosaic",
    recipes: Annotated[
        int, typer.Option("--recipes", min=1, help="Number of recipes, the paper's first.")
    ] = 6,
    recipe: Annotated[
        list[str] | None, typer.Option("--recipe", help="Cook only this recipe; repeatable.")
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="Trials per recipe.")] = 10,
    seed: Annotated[int, typer.Option("--seed", help="Random seed.")] = 0,
    env: Annotated[str, typer.Option("--env", help="Environment of all agents.")] = "sapien",
    see: Annotated[
        bool, typer.Option("--see", help="Look for things and joints with cameras.")
    ] = False,
    people: Annotated[
        Path | None,
        typer.Option(
            "--people",
            metavar="FILE",
            help="Recordings (.npz), of which somebody comes to what the robots work at, such as "
            "trees/scenarios/reaching.npz.",
        ),
    ] = None,
    film: Annotated[
        float, typer.Option("--film", min=0.0, help="Seconds between frames of films; 0 for none.")
    ] = 0.0,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    jobs: JobsOption = None,
    on: OnOption = "",
    keep: Annotated[
        Path | None,
        typer.Option("--keep", help="Folder for results and a page; a later run continues there."),
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write a figure (.svg).")
    ] = None,
    write: Annotated[bool, typer.Option("--write", help=f"Write the table into {PAGE}.")] = False,
    library: LibraryOption = None,
) -> int:
    """Cook recipes with a user who interacts, people, cameras and forecasts.

    Prints how many trials and subtasks came off, beside MOSAIC's Figure 3, and to which module each
    failure belongs.
    """

    from experiments.line_store import LineStoreError
    from experiments.mosaic.trials.chart import to_svg
    from experiments.mosaic.trials.page import write_page
    from experiments.mosaic.trials.table import to_json, to_text
    from experiments.mosaic.trials.trial import WholeTrial, run_trials

    if output is not None and output.suffix != ".svg":
        raise Stop(f"'{output.name}': a figure's file name ends in .svg")
    found = open_library(library)
    names = _recipes(found, system, recipe or (), recipes)
    _check(env, people, see=see)
    trials = [
        WholeTrial(
            name,
            seed + i,
            env,
            see,
            "" if people is None else str(people.resolve()),
            film,
            model,
            api_base,
        )
        for i in range(n)
        for name in names
    ]
    with ExitStack() as stack:
        move = stack.enter_context(progress("trials", len(trials)))
        temporary = tempfile.TemporaryDirectory(prefix="treec-")
        folder = keep or Path(stack.enter_context(temporary))

        def tell(one: WholeTrialResult) -> None:
            move()
            if not sys.stderr.isatty():
                did = "whole" if one.whole else one.ended
                trial = f"{one.trial.recipe}, seed {one.trial.seed}"
                part = f"{one.done} of {one.subtasks} subtasks"
                print(f"{trial}: {did}, {part}, {one.cpu:.0f} s CPU", file=sys.stderr, flush=True)

        try:
            pool = make_pool(jobs, on, 1)
            results = run_trials(found, system, trials, pool=pool, keep=folder, tell=tell)
        except LineStoreError as error:
            raise Stop(str(error)) from None
        if keep is not None:
            print(f"{write_page(keep, results)}: written", file=sys.stderr)
    print_report(output_format, to_json(results), to_text(results))
    if output is not None:
        output.write_text(to_svg(results), "utf-8")
        print(f"{output}: written", file=sys.stderr)
    if write:
        _write(found, results, _options(names, recipe, trials[0], n, people))
    return 0


def _recipes(library: Library, system: str, wanted: Sequence[str], number: int) -> list[str]:
    """The recipes to cook: those named, or the paper's and then others. Raises Stop."""
    from experiments.mosaic.kitchen import kitchen_of
    from experiments.mosaic.trials.paper import RECIPES
    from treec.files.view import View
    from treec.source.diagnostics import unknown

    entry = library.find("system", system)
    if entry is None:
        raise Stop(unknown("system", system, (it.name for it in library.of_kind("system"))))
    known = sorted(kitchen_of(View(library, entry)).recipes)
    wrong = next((name for name in wanted if name not in known), None)
    if wrong is not None:
        raise Stop(unknown("recipe", wrong, known))
    first = [name for name in RECIPES if name in known]
    names = list(wanted) or [*first, *(name for name in known if name not in first)][:number]
    if not names:
        raise Stop(f"the system '{system}' has no recipes")
    return names


def _check(env: str, people: Path | None, *, see: bool) -> None:
    """Refuse what cannot run. Raises Stop."""
    from experiments.mosaic.trials.person import NoMotion, recordings
    from treec.nodes.environment import (
        SYMBOLIC,
        EnvironmentUnavailable,
        find_environment,
        unknown_environment,
    )

    try:
        if env != SYMBOLIC and find_environment(env) is None:
            raise unknown_environment(env)
        if people is not None:
            recordings(people.resolve())
    except (EnvironmentUnavailable, NoMotion) as error:
        raise Stop(str(error)) from None
    if env == SYMBOLIC and (see or people is not None):
        raise Stop("--see and --people need bodies: --env sapien")


def _options(
    names: Sequence[str],
    recipe: Sequence[str] | None,
    first: WholeTrial,
    n: int,
    people: Path | None,
) -> str:
    """The options that run the same trials again, of which this is the first."""
    chosen = [f'--recipe "{name}"' for name in names] if recipe else [f"--recipes {len(names)}"]
    more = ["--see"] if first.see else []
    more += [f"--people {people.name if people.is_absolute() else people}"] if people else []
    more += [f"--env {first.env}"] if first.env != "sapien" else []
    more += [f"--model {first.model}"] if first.model is not None else []
    return " ".join([*chosen, f"--n {n}", f"--seed {first.seed}", *more])


def _write(library: Library, results: Sequence[WholeTrialResult], options: str) -> None:
    from experiments.mosaic.trials.chart import to_svg
    from experiments.mosaic.trials.table import to_text
    from experiments.page import PageMarkerError, write_page

    cpu = [one.cpu for one in results]
    mean, most = sum(cpu) / len(cpu), max(cpu)
    took = f"A trial took {mean:.0f} s of CPU time on average, {most:.0f} s at most."
    page = library.root / PAGE
    try:
        write_page(page, to_text(results), f"python -m experiments.{WHAT} {options}", took, WHAT)
    except PageMarkerError as error:
        raise Stop(str(error)) from None
    (library.root / FIGURE).write_text(to_svg(results), "utf-8")
    print(f"{page}: written", file=sys.stderr)
