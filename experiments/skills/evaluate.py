"""``python -m experiments.skills.evaluate``: success rates of all skills, in seeded trials."""

from __future__ import annotations

import itertools
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from experiments.command import main, print_report
from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.progress import progress
from treec_testing.cli.pool_options import JobsOption, OnOption, make_pool

if TYPE_CHECKING:
    from experiments.skills.report import SkillReport
    from treec_testing.pool.spread import Pool

PAGE = Path("docs/results/skills.md")


@dataclass(frozen=True)
class TrialOptions:
    """Which skills to try, and how often."""

    env: str
    systems: tuple[str, ...]
    """Empty: all that have different skills."""
    skills: tuple[str, ...]
    scenes: tuple[str, ...]
    objects: int | None
    n: int
    seed: int
    jobs: int | None
    on: str
    keep: Path | None

    @property
    def command(self) -> str:
        """The command with these options, without --jobs, --on and --keep."""
        words = [f"python -m experiments.skills.evaluate --env {self.env}"]
        words += [f"--system {name}" for name in self.systems]
        words += [f"--skill {name}" for name in self.skills]
        words += [f"--scene {name}" for name in self.scenes]
        words += [] if self.objects is None else [f"--objects {self.objects}"]
        return " ".join([*words, f"--n {self.n} --seed {self.seed}"])


def command(
    system: Annotated[
        list[str] | None,
        typer.Option(
            "--system", help="System to try; repeatable (default: all with different skills)."
        ),
    ] = None,
    env: Annotated[
        str, typer.Option("--env", help="Environment to try the skills in.")
    ] = "symbolic",
    skill: Annotated[
        list[str] | None, typer.Option("--skill", help="Try only this skill; repeatable.")
    ] = None,
    scene: Annotated[
        list[str] | None, typer.Option("--scene", help="Use only this scene; repeatable.")
    ] = None,
    objects: Annotated[
        int | None,
        typer.Option(
            "--objects", min=1, help="Number of objects to sample from each scene (default: all)."
        ),
    ] = None,
    n: Annotated[int, typer.Option("--n", min=1, help="Trials of each skill.")] = 3,
    seed: Annotated[int, typer.Option("--seed", help="Random seed of objects and scenes.")] = 0,
    jobs: JobsOption = None,
    on: OnOption = "",
    keep: Annotated[
        Path | None, typer.Option("--keep", help="Folder for results; a later run continues there.")
    ] = None,
    output_format: FormatOption = OutputFormat.text,
    write: Annotated[bool, typer.Option("--write", help=f"Write the tables into {PAGE}.")] = False,
    library: LibraryOption = None,
) -> int:
    """Measure the success rate of every skill in seeded trials.

    Objects and scenes are sampled by the seed; skills that must come before are run first.
    """
    there = tuple(skill or ()), tuple(scene or ())
    trying = TrialOptions(env, tuple(system or ()), *there, objects, n, seed, jobs, on, keep)
    return run(trying, output_format, write, library)


def run(
    trying: TrialOptions, output_format: OutputFormat, write: bool, library: Path | None
) -> int:
    """Try the skills and print the tables; with ``write``, write them into the page."""

    from experiments.line_store import LineStoreError
    from experiments.page import PageMarkerError, write_page
    from experiments.skills.cases import NoTrials, SkillSelection, select_trials
    from experiments.skills.report import SkillReport, to_json, to_text
    from experiments.skills.results import TrialResult
    from experiments.skills.trials import run_trials
    from treec.nodes.environment import (
        SYMBOLIC,
        EnvironmentUnavailable,
        find_environment,
        unknown_environment,
    )
    from treec.run.run import CannotRun

    found = open_library(library)
    env = trying.env
    selection = SkillSelection(trying.systems, trying.skills, trying.scenes, trying.objects)
    try:
        if env != SYMBOLIC and find_environment(env) is None:
            raise unknown_environment(env)
        cases = select_trials(found, env, selection, trying.n, trying.seed)
    except (EnvironmentUnavailable, NoTrials, CannotRun) as error:
        raise Stop(str(error)) from None
    pool = make_pool(trying.jobs, trying.on, min(2, os.cpu_count() or 1))
    trials, count = cases.trials, itertools.count(1)
    with progress("trials", len(trials)) as advance:

        def tell(done: TrialResult, now: bool) -> None:
            number = next(count)
            if now and env != SYMBOLIC and not sys.stderr.isatty():
                print(f"{number}/{len(trials)} {done.describe()}", file=sys.stderr, flush=True)
            advance()

        try:
            done = run_trials(found, trials, env=env, pool=pool, keep=trying.keep, tell=tell)
        except LineStoreError as error:
            raise Stop(str(error)) from None
    report = SkillReport(env, trying.n, trying.seed, cases.without, tuple(done), cases.impossible)
    took = _took(report, pool)
    print_report(output_format, to_json(report), to_text(report))
    print(took, file=sys.stderr)
    if write:
        try:
            write_page(found.root / PAGE, to_text(report), trying.command, took, "skills.evaluate")
        except PageMarkerError as error:
            raise Stop(str(error)) from None
        print(f"{found.root / PAGE}: written", file=sys.stderr)
    return 0


def _took(report: SkillReport, pool: Pool) -> str:
    """Wall time of all trials, also of those that earlier commands ran."""
    seconds = sum(done.wall for done in report.done)
    many = f"{pool.jobs} at a time" if pool.jobs else f"by {pool.on}"
    text = f"{len(report.done)} trials, {many}; the trials took {seconds:.0f} s"
    if not hasattr(os, "getloadavg"):
        return f"{text}."
    return f"{text}. The load average was {os.getloadavg()[0]:.1f} at the end."


if __name__ == "__main__":
    sys.exit(main(command))
