"""Run the nine tasks in an environment: seeded trials of one system in parallel processes.

A trial is a whole run without a model: the reference graph is dispatched to the arms, whose skills
act in the environment. For comparison every graph is also run one sub-task at a time in the order
of its nodes, like single-arm plans (the paper's TP-S).
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import yaml

from treec.evaluate.processes import run_all, run_in_process
from treec.files.entry import Entry
from treec.files.library import Library, load_library
from treec.files.view import View, in_scene, on_environment
from treec.run.clocks import SteppingClock
from treec.run.folder import JOURNAL
from treec.run.run import Run
from treec.run.users import evaluate_or_none
from treec.systems.dag_plan.arms.problem import problem_in
from treec.systems.dag_plan.evaluate.dual_arm import TASKS
from treec.systems.dag_plan.evaluate.dual_arm_execution_store import (
    ExecutionFolder,
    ExecutionResult,
    ExecutionTrial,
)
from treec.systems.dag_plan.files import ProblemFile
from treec.world.journal import Journal

SYSTEM = "dag_plan"


def make_trials(
    tasks: Sequence[int],
    n: int,
    seed: int,
    *,
    jitter: bool = False,
    modes: Sequence[bool] = (False, True),
) -> list[ExecutionTrial]:
    """Return ``n`` trials per task and mode, with the same seeds for both modes.

    ``modes`` say whether sub-tasks are done one by one.
    """
    chosen = tuple(sorted(set(tasks))) or tuple(range(1, len(TASKS) + 1))
    return [
        ExecutionTrial(task, seed + number, one_by_one, jitter)
        for number in range(n)
        for task in chosen
        for one_by_one in modes
    ]


def run_trial(library: Library, trial: ExecutionTrial, env: str, folder: Path) -> ExecutionResult:
    """Run a trial and write its journal into ``folder``."""
    began, worked = time.perf_counter(), time.process_time()
    if folder.exists():  # left over from an interrupted trial
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    name = TASKS[trial.task - 1]
    if trial.one_by_one:
        library = _chain(library, name, folder)
    problem = problem_in(library, name)
    system = library.find("system", SYSTEM)
    if system is None:
        raise KeyError(SYSTEM)
    there = on_environment(in_scene(system, problem.model.scene), env)
    run = Run(
        View(library, there),
        SteppingClock(),
        Journal.create(folder / JOURNAL),
        seed=trial.seed,
        task=problem.model.task,
        env=env,
        folder=folder,
        jitter=trial.jitter,
    )
    try:
        outcome = run.go()
        seconds, ok = outcome.seconds, outcome.ok
        goals = problem.model.goal
        reasons = tuple(
            f"not so: {goal}" for goal in goals if not evaluate_or_none(goal, run.scope)
        )
    except Exception as error:  # counts as a failed trial
        seconds, ok, reasons = run.clock.now(), False, (f"{type(error).__name__}: {error}",)
    wall, cpu = time.perf_counter() - began, time.process_time() - worked
    return ExecutionResult(
        trial, ok and not reasons, seconds, wall, (*_failed(folder), *reasons), cpu
    )


def run_trials(
    library: Library,
    trials: Sequence[ExecutionTrial],
    *,
    env: str,
    jobs: int = 1,
    keep: Path | None = None,
    tell: Callable[[ExecutionResult], None] = lambda done: None,
) -> list[ExecutionResult]:
    """Run all trials, ``jobs`` at a time, and call ``tell`` after each.

    Every trial has a process of its own, so that trials cannot affect each other. Results stored in
    ``keep`` are reused. Raises LineStoreError.
    """
    with tempfile.TemporaryDirectory(prefix="treec-") as temporary:
        folder = keep or Path(temporary)
        store = ExecutionFolder(folder, env, trials)
        found = dict(store.done)
        for done in found.values():
            tell(done)

        def take(done: ExecutionResult) -> None:
            found[done.trial] = done
            store.add(done)
            tell(done)

        missing = [trial for trial in trials if trial not in found]
        calls = [partial(_apart, library.root, one, env, folder / one.name) for one in missing]
        run_all(calls, jobs, take)
        return [found[trial] for trial in trials]


def _apart(root: Path, trial: ExecutionTrial, env: str, folder: Path) -> ExecutionResult:
    """Run a trial in a process of its own; a crash of the process is a failure."""
    reasons = ("broke off: its process has ended",)
    return run_in_process(_try, str(root), trial, env, str(folder)) or ExecutionResult(
        trial, False, 0.0, 0.0, reasons, whole=False
    )


def _try(root: str, trial: ExecutionTrial, env: str, folder: str) -> ExecutionResult:
    """Load the library in a new process and run the trial."""
    return run_trial(load_library(Path(root)), trial, env, Path(folder))


def _chain(library: Library, name: str, folder: Path) -> Library:
    """Return the library with the task's graph as a chain in the order of its nodes."""
    entry = library.find("problem", name)
    if entry is None or entry.model.graph is None:
        raise KeyError(name)
    nodes = yaml.safe_load(library.file(entry.model.graph, entry).read_text("utf-8"))["nodes"]
    for number, node in enumerate(nodes.values(), 1):
        if number > 1:
            node["edge"] = sorted({*node["edge"], number - 1})
    graph = folder / "graph.yaml"
    graph.write_text(yaml.safe_dump({"nodes": nodes}, sort_keys=False), "utf-8")
    model: ProblemFile = entry.model.model_copy(update={"graph": str(graph.resolve())})
    new = Entry(entry.kind, entry.name, model, entry.node, entry.file)
    entries = [new if one is entry else one for one in library.entries]
    return library.with_entries(entries)


def _failed(folder: Path) -> tuple[str, ...]:
    """Return the failures of skills from the journal, in order."""
    found = []
    for line in (folder / JOURNAL).read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["kind"] == "skill.ended" and not record["data"].get("ok", True):
            data = record["data"]
            found.append(f"{data.get('skill', '')}: {data.get('reason', '')}".strip(": "))
    return tuple(found)
