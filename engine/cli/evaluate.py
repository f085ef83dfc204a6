"""``treec evaluate``: experiments on a whole system, as a table, JSON and a figure."""

from __future__ import annotations

import sys
import time
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli import evaluate_dual_arm, evaluate_skills
from treec.cli.check import Format
from treec.cli.common import LibraryOption, Stop, open_library
from treec.cli.evaluate_progress import progress
from treec.cli.model_options import (
    ApiBaseOption,
    MaxCostOption,
    MaxTimeOption,
    MaxTokensOption,
    ModelOption,
    OfflineOption,
)
from treec.run.model_choice import ModelOptions

if TYPE_CHECKING:
    from treec.evaluate.report import Report
    from treec.files.library import Library

PAGE = Path("docs/evaluation/planner.md")
FIGURE = Path("docs/pictures/evaluation_planner.svg")


class What(StrEnum):
    """The experiments there are."""

    planner = "planner"
    dual_arm = "dual_arm"
    skills = "skills"


def command(
    what: Annotated[
        What,
        typer.Argument(
            help="planner: MOSAIC's appendix H; dual_arm: DAG-Plan's Table 2; skills: each skill."
        ),
    ],
    system: Annotated[
        str | None,
        typer.Option("--system", help="The system to try: mosaic; skills: one, or both (default)."),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", help="Random seed for recipes, interactions and phrasing.")
    ] = 0,
    recipes: Annotated[int, typer.Option("--recipes", min=1, help="How many recipes.")] = 5,
    n: Annotated[int, typer.Option("--n", min=1, help="Runs of each recipe, trials.")] = 3,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Processes, one a core; dual_arm: plans asked for at once."
        ),
    ] = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            "--keep", help="A folder for journals and intents; dual_arm, skills: to go on with."
        ),
    ] = None,
    samples: Annotated[
        int, typer.Option("--samples", min=1, help="dual_arm: plans of each method and task.")
    ] = 5,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0.0, max=2.0, help="dual_arm: the model's.")
    ] = 0.5,
    task: Annotated[
        list[int] | None,
        typer.Option("--task", min=1, max=9, help="dual_arm: sample for this task alone."),
    ] = None,
    env: Annotated[
        str | None,
        typer.Option("--env", help="dual_arm, skills: do them in it, --n seeded trials each."),
    ] = None,
    skill: Annotated[
        list[str] | None, typer.Option("--skill", help="skills: try this one alone; repeatable.")
    ] = None,
    scene: Annotated[
        list[str] | None, typer.Option("--scene", help="skills: in this scene alone; repeatable.")
    ] = None,
    objects: Annotated[
        int | None,
        typer.Option("--objects", min=1, help="skills: of so many things a scene, drawn."),
    ] = None,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    offline: OfflineOption = False,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    max_time: MaxTimeOption = None,
    output_format: Annotated[
        Format, typer.Option("--output-format", help="Output format.")
    ] = Format.text,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A figure: x.svg.")] = None,
    write: Annotated[
        bool, typer.Option("--write", help=f"Write into {PAGE}, or the page of skills.")
    ] = False,
    library: LibraryOption = None,
) -> int:
    """Try a whole system and print what came of it.

    planner: a simulated user talks to a system, and the runs are judged. dual_arm: plans for nine
    tasks of two arms, the paper's number of stages beside ours; with a model, --samples plans of
    each method are asked of it, sent back while wrong, and done in their world. With --env the
    tasks are done there by the robot's arms, beside the paper's Table 3. skills: --n trials of each
    skill, on things and in scenes drawn by the seed; what must be done before is done.
    """
    import json

    from treec.evaluate.chart import to_svg
    from treec.evaluate.report import to_json
    from treec.evaluate.table import to_text

    if what is What.dual_arm and env is not None:
        chosen = tuple(task or ())
        return evaluate_dual_arm.run_in(env, n, seed, chosen, jobs, keep, output_format, library)
    if what is What.dual_arm:
        options = ModelOptions(model, api_base, offline, max_cost, max_tokens, max_time)
        sampling = evaluate_dual_arm.Sampling(samples, temperature, tuple(task or ()), jobs, keep)
        return evaluate_dual_arm.run(output_format, library, options, sampling)
    if what is What.skills:
        names = () if system is None else (system,)
        there = tuple(skill or ()), tuple(scene or ())
        trying = evaluate_skills.Trying(
            env or "symbolic", names, *there, objects, n, seed, jobs, keep
        )
        return evaluate_skills.run(trying, output_format, write, library)
    system = system or "mosaic"
    if output is not None and output.suffix != ".svg":
        raise Stop(f"a figure's name ends in .svg, not '{output.suffix}'")
    if keep is not None and keep.exists() and any(keep.iterdir()):
        raise Stop(f"{keep} is not empty: --keep makes a new folder")
    found = open_library(library)
    began = time.perf_counter()
    report = _evaluate(found, system, seed, recipes, n, jobs, keep)
    took = _took(report, time.perf_counter() - began)
    if output_format is Format.json:
        print(json.dumps(to_json(report), indent=2, ensure_ascii=False))
    else:
        print(to_text(report), end="")
    print(took, file=sys.stderr)
    if output is not None:
        _write(output, to_svg(report))
    if write:
        _write_page(found, report, took)
    return 0


def _evaluate(
    library: Library,
    system: str,
    seed: int,
    recipes: int,
    n: int,
    jobs: int | None,
    keep: Path | None,
) -> Report:
    import os

    from treec.check import check_library
    from treec.evaluate.plan import DIFFICULTIES, draw_plans
    from treec.evaluate.pool import try_all
    from treec.evaluate.report import make_report
    from treec.evaluate.rows import ROWS
    from treec.evaluate.trial import Trial, stage
    from treec.source.diagnostics import format_text

    errors = [d for d in check_library(library) if d.severity == "error"]
    if errors:
        print(format_text(errors, library.sources))
        raise Stop(f"'{system}' does not run while its library has errors", 1)
    try:
        kitchen = stage(library, system, contracts=True).kitchen
    except KeyError:
        raise Stop(f"there is no system '{system}'") from None
    if not kitchen.recipes:
        raise Stop(f"the system '{system}' has no recipes")
    trials = [
        Trial(row.key, plan, index, run, seed)
        for row in ROWS
        if not row.not_run
        for difficulty in DIFFICULTIES
        for index, plan in enumerate(draw_plans(kitchen, seed, recipes, difficulty))
        for run in range(n)
    ]
    with progress("runs", len(trials)) as tell:
        results = try_all(
            library, system, trials, jobs=jobs or os.cpu_count() or 1, keep=keep, tell=tell
        )
    return make_report(system, seed, recipes, n, results)


def _took(report: Report, seconds: float) -> str:
    """Real time, which is no part of the report: it differs from run to run."""
    easy = [r.real for r in report.results if r.trial.plan.difficulty == "easy"]
    cpu = [r.cpu for r in report.results if r.trial.plan.difficulty == "easy"]
    return (
        f"{len(report.results)} runs in {seconds:.1f} s; an Easy run took "
        f"{sum(easy) / len(easy):.2f} s of real time on average, {max(easy):.2f} s at most "
        f"({sum(cpu) / len(cpu):.2f} s and {max(cpu):.2f} s of a processor's)."
    )


def _write(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError as error:
        raise Stop(f"{path} cannot be written: {error.strerror}") from None
    print(f"{path}: written", file=sys.stderr)


def _write_page(library: Library, report: Report, took: str) -> None:
    from treec.evaluate.chart import to_svg
    from treec.evaluate.page import NoPage, write_page
    from treec.evaluate.table import to_text

    command = (
        f"treec evaluate planner --seed {report.seed} --recipes {report.recipes} --n {report.runs}"
    )
    try:
        write_page(library.root / PAGE, to_text(report, failures=False), command, took)
    except NoPage as error:
        raise Stop(str(error)) from None
    _write(library.root / FIGURE, to_svg(report))
    print(f"{library.root / PAGE}: written", file=sys.stderr)
