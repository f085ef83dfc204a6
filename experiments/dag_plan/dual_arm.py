"""``python -m experiments.dag_plan.dual_arm``: DAG-Plan's nine tasks beside the paper's figures."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main, print_report
from experiments.dag_plan.execution_store import ExecutionMethod
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.model_options import (
    ApiBaseOption,
    MaxCostOption,
    MaxTimeOption,
    MaxTokensOption,
    ModelOption,
    OfflineOption,
    open_chosen,
)
from treec.cli.progress import progress
from treec.world.spec import ModelOptions
from treec_testing.cli.pool_options import OnOption, make_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    from experiments.dag_plan.execution_store import ExecutionTrial
    from experiments.dag_plan.rates import SampleReport
    from treec.ask.transport import Transport
    from treec.files.library import Library
    from treec_testing.pool.spread import Pool


class SkillChoice(StrEnum):
    """What does the sub-tasks."""

    engineered = "engineered"
    learned = "learned"
    both = "both"


@dataclass(frozen=True)
class SamplingOptions:
    """How plans are sampled from a model."""

    samples: int
    temperature: float
    tasks: tuple[int, ...]
    """Empty: all."""
    at_once: int | None
    keep: Path | None
    ablations: bool = False


def command(
    samples: Annotated[
        int, typer.Option("--samples", min=1, help="Plans per method and task.")
    ] = 5,
    temperature: Annotated[
        float, typer.Option("--temperature", min=0.0, max=2.0, help="Temperature of the model.")
    ] = 0.5,
    task: Annotated[
        list[int] | None,
        typer.Option("--task", min=1, max=9, help="Try only this task; repeatable."),
    ] = None,
    ablations: Annotated[
        bool,
        typer.Option(
            "--ablations", help="DAG-Plan without reflection, examples and node types, too."
        ),
    ] = False,
    env: Annotated[
        str | None,
        typer.Option("--env", help="Run the tasks in this environment, --n trials each."),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="With --env: trials per task.")] = 3,
    seed: Annotated[int, typer.Option("--seed", help="With --env: random seed.")] = 0,
    jitter: Annotated[
        bool,
        typer.Option("--jitter", help="With --env: vary object poses by the seed."),
    ] = False,
    method: Annotated[
        list[ExecutionMethod] | None,
        typer.Option(
            "--method",
            case_sensitive=False,
            help="With --env: only this; repeatable (default: the paper's three).",
        ),
    ] = None,
    skills: Annotated[
        SkillChoice,
        typer.Option(
            "--skills",
            help="With --env sapien: skills that plan, policies where there are some, or both.",
        ),
    ] = SkillChoice.engineered,
    plans: Annotated[
        Path | None,
        typer.Option(
            "--plans", help="With --env: execute a model's plans, from this --keep folder."
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs", "-j", min=1, help="Concurrent requests; with --env: parallel processes."
        ),
    ] = None,
    on: OnOption = "",
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Folder for results; a later run continues there.")
    ] = None,
    model: ModelOption = None,
    api_base: ApiBaseOption = None,
    offline: OfflineOption = False,
    max_cost: MaxCostOption = None,
    max_tokens: MaxTokensOption = None,
    max_time: MaxTimeOption = None,
    output_format: FormatOption = OutputFormat.text,
    library: LibraryOption = None,
) -> int:
    """Plan DAG-Plan's nine tasks and compare with the paper.

    Without a model, it schedules the reference graphs and prints the number of stages. With one, it
    samples plans by each method, returns wrong ones to the model and simulates the others. With
    --env, the robot's arms do the tasks in that environment by each method.
    """
    chosen = tuple(task or ())
    if env is not None:
        from experiments.dag_plan.trials import PAPER_METHODS, make_trials

        best = None if plans is None else _best_plans(plans, model)
        methods = tuple(method or PAPER_METHODS)
        trials = [
            trial
            for learned in _learned(skills, env)
            for trial in make_trials(
                chosen, n, seed, jitter=jitter, methods=methods, plans=best, learned=learned
            )
        ]
        if not trials:
            raise Stop(f"{plans}: no plans of these methods for these tasks")
        return run_in(env, trials, make_pool(jobs, on), keep, output_format, library)
    if on:
        raise Stop("--on needs --env: requests are made from here")
    options = ModelOptions(model, api_base, offline, max_cost, max_tokens, max_time)
    sampling = SamplingOptions(samples, temperature, chosen, jobs, keep, ablations)
    return run(output_format, library, options, sampling)


def _learned(skills: SkillChoice, env: str) -> tuple[bool, ...]:
    """Whether trials use policies: no, yes, or some of each. Raises Stop where there are none."""
    if skills is SkillChoice.engineered:
        return (False,)
    if env != "sapien":
        raise Stop("--skills learned needs --env sapien: policies act there alone")
    try:
        from experiments.dag_plan.trials import learned_skills

        learned_skills()
    except ImportError as error:
        raise Stop(f"policies need the extra 'learn' ({error})") from None
    return (True,) if skills is SkillChoice.learned else (False, True)


def run(
    output_format: OutputFormat,
    library: Path | None,
    options: ModelOptions,
    sampling: SamplingOptions,
) -> int:
    """Schedule the nine reference graphs by every method, sample plans, and print the table."""

    from experiments.dag_plan.ablations import BLIND
    from experiments.dag_plan.methods import METHODS
    from experiments.dag_plan.table import to_json, to_text
    from experiments.dag_plan.written_plans import EvaluationInputError, evaluate
    from experiments.line_store import LineStoreError
    from treec_dag_plan.arms.problem import ProblemError

    found = open_library(library)
    try:
        blind = (BLIND,) if sampling.ablations else ()
        report = evaluate(found, (*METHODS, *blind))
        opened = open_chosen(found.root, None, options)
        sampled = None
        if opened is not None:
            sampled = _sample(found, opened.name, opened.transport, sampling)
    except (EvaluationInputError, LineStoreError, ProblemError) as error:
        raise Stop(str(error)) from None
    print_report(output_format, to_json(report, sampled), to_text(report, sampled))
    return 0


def run_in(
    env: str,
    trials: Sequence[ExecutionTrial],
    pool: Pool,
    keep: Path | None,
    output_format: OutputFormat,
    library: Path | None,
) -> int:
    """Run seeded trials of the nine tasks in an environment and print the results.

    Shows a progress bar on a terminal, otherwise a line for each trial.
    """

    from experiments.dag_plan.execution import make_report, to_json, to_text
    from experiments.dag_plan.execution_store import ExecutionResult
    from experiments.dag_plan.trials import run_trials
    from experiments.line_store import LineStoreError
    from treec.nodes.environment import (
        SYMBOLIC,
        EnvironmentUnavailable,
        find_environment,
        unknown_environment,
    )

    found = open_library(library)
    try:
        if env != SYMBOLIC and find_environment(env) is None:
            raise unknown_environment(env)
    except EnvironmentUnavailable as error:
        raise Stop(str(error)) from None
    count = 0
    with progress("trials", len(trials)) as move:

        def show_trial(one: ExecutionResult) -> None:
            nonlocal count
            count += 1
            move()
            if not sys.stderr.isatty():
                print(f"{count} of {len(trials)}: {one.summary()}", file=sys.stderr, flush=True)

        try:
            done = run_trials(found, trials, env=env, pool=pool, keep=keep, tell=show_trial)
        except LineStoreError as error:
            raise Stop(str(error)) from None
    report = make_report(done, env)
    print_report(output_format, to_json(report), to_text(report))
    return 0


def _best_plans(folder: Path, model: str | None) -> dict[tuple[str, str], str]:
    """Return the best plans of one model in the folder of an evaluation."""
    from experiments.dag_plan.best_plans import best_plans
    from experiments.dag_plan.sample_store import FILE, SampleFolder
    from experiments.line_store import LineStoreError

    if not (folder / FILE).is_file():
        raise Stop(f"{folder} has no {FILE}; this command with --model writes it")
    try:
        samples = SampleFolder(folder).samples.values()
    except LineStoreError as error:
        raise Stop(str(error)) from None
    models = sorted({sample.asked.model for sample in samples})
    if model is None and len(models) > 1:
        raise Stop(f"{folder}: plans of {', '.join(models)}; choose with --model")
    return best_plans(one for one in samples if model in (None, one.asked.model))


def _sample(
    library: Library, model: str, transport: Transport, sampling: SamplingOptions
) -> SampleReport:
    """Sample the plans that are not stored yet; each is stored at once."""
    import asyncio

    from experiments.dag_plan.ablations import ABLATIONS
    from experiments.dag_plan.rates import rate
    from experiments.dag_plan.sample_store import SampleFolder
    from experiments.dag_plan.sampling import (
        AT_ONCE,
        SampleSettings,
        make_prompts,
        make_requests,
        sample_all,
    )
    from treec_dag_plan.arms.problem import problem_in

    tasks = tuple(sorted(set(sampling.tasks))) or tuple(range(1, 10))
    also = ABLATIONS if sampling.ablations else ()
    problems = [problem_in(library, f"task_{number}") for number in tasks]
    prompts = make_prompts(library, problems, also)
    folder = sampling.keep or _folder(library)
    store = SampleFolder(folder)
    settings = SampleSettings(model, sampling.temperature, sampling.samples)
    requests = make_requests(prompts, settings)
    stored = [store.samples[one] for _, one in requests if one in store.samples]
    todo = [(prompt, one) for prompt, one in requests if one not in store.samples]
    note = f"{len(stored)} of them are there" if stored else f"'--keep {folder}' goes on"
    print(f"{len(requests)} plans, kept in {folder}: {note}", file=sys.stderr)
    with progress("plans", len(todo)) as advance:
        at_once = sampling.at_once or AT_ONCE
        new = asyncio.run(sample_all(todo, transport, at_once, store, advance))
    found = [*stored, *new]
    return rate(model, sampling.temperature, sampling.samples, tasks, found, also)


def _folder(library: Library) -> Path:
    from datetime import datetime

    from treec.run.folder import new_folder

    try:
        return new_folder(library.root / "runs", "dual_arm", datetime.now())
    except OSError as error:
        raise Stop(f"{library.root / 'runs'}: {error.strerror}; see --keep") from None


if __name__ == "__main__":
    sys.exit(main(command))
