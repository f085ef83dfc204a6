"""The nine tasks done in an environment: seeded trials of one system, over processes.

A trial is a whole run without a model: the reference graph is shared out to the arms and their
skills act in the environment. For comparison every graph is also done one sub-task at a time, in
the order of its nodes, which is what plans for a single arm come to (the paper's TP-S).
"""

from __future__ import annotations

import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import yaml

from engine.evaluate.dual_arm import TASKS
from engine.files.entry import Entry
from engine.files.library import Library, load_library
from engine.files.problems import ProblemFile
from engine.files.view import View, in_scene, on_environment
from engine.plan.arms.problem import problem_in
from engine.run.clocks import SteppingClock
from engine.run.folder import JOURNAL
from engine.run.run import Run
from engine.run.users import value_now
from engine.world.journal import Journal

SYSTEM = "dag_plan"


@dataclass(frozen=True, slots=True)
class Trial:
    """A task by its number (1 to 9), a seed, and whether its sub-tasks wait for one another."""

    task: int
    seed: int
    one_by_one: bool = False

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"task_{self.task}-{'one_by_one' if self.one_by_one else 'both_arms'}-{self.seed}"


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a trial: simulated seconds, those of the wall, and what failed on the way."""

    trial: Trial
    ok: bool
    seconds: float
    wall: float
    failures: tuple[str, ...] = ()


def trials_of(tasks: Sequence[int], n: int, seed: int) -> list[Trial]:
    """Every task ``n`` times in both ways, with the same seeds."""
    chosen = tuple(sorted(set(tasks))) or tuple(range(1, len(TASKS) + 1))
    return [
        Trial(task, seed + number, one_by_one)
        for number in range(n)
        for task in chosen
        for one_by_one in (False, True)
    ]


def try_task(library: Library, trial: Trial, env: str, folder: Path) -> Done:
    """Let a trial happen in ``folder``, where its journal stays."""
    began = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    name = TASKS[trial.task - 1]
    if trial.one_by_one:
        library = _chained(library, name, folder)
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
    )
    try:
        outcome = run.go()
    except Exception as error:  # a trial that breaks off has failed; the others go on
        told = (*_failed(folder), f"{type(error).__name__}: {error}")
        return Done(trial, False, run.clock.now(), time.perf_counter() - began, told)
    unmet = tuple(
        f"not so: {goal}" for goal in problem.model.goal if not value_now(goal, run.scope)
    )
    failures = (*_failed(folder), *unmet)
    wall = time.perf_counter() - began
    return Done(trial, outcome.ok and not unmet, outcome.seconds, wall, failures)


def try_all(
    library: Library,
    trials: Sequence[Trial],
    *,
    env: str,
    jobs: int = 1,
    keep: Path | None = None,
    tell: Callable[[], None] = lambda: None,
) -> list[Done]:
    """Let all trials happen, ``jobs`` at a time; ``tell`` is called after each.

    Every trial has a process of its own: what one leaves behind must not touch another.
    """
    with tempfile.TemporaryDirectory(prefix="treec-") as temporary:
        folder = keep or Path(temporary)
        context = multiprocessing.get_context("spawn")
        found: dict[Trial, Done] = {}
        with ProcessPoolExecutor(jobs, context, max_tasks_per_child=1) as pool:
            orders = {
                pool.submit(_try, str(library.root), trial, env, str(folder / trial.name)): trial
                for trial in trials
            }
            for order in as_completed(orders):
                trial = orders[order]
                error = order.exception()
                if error is None:
                    found[trial] = order.result()
                else:
                    found[trial] = Done(trial, False, 0.0, 0.0, (f"broke off: {error}",))
                tell()
        return [found[trial] for trial in trials]


def _try(root: str, trial: Trial, env: str, folder: str) -> Done:
    """A trial in a process of its own."""
    if root not in sys.path:
        sys.path.insert(0, root)  # so that workers named in files are the library's own
    return try_task(load_library(Path(root)), trial, env, Path(folder))


def _chained(library: Library, name: str, folder: Path) -> Library:
    """The library with the task's graph made a chain: every node waits for the one before it."""
    entry = library.find("problem", name)
    if entry is None or entry.model.graph is None:
        raise KeyError(name)
    nodes = yaml.safe_load(Path(library.root, entry.model.graph).read_text("utf-8"))["nodes"]
    for number, node in enumerate(nodes.values(), 1):
        if number > 1:
            node["edge"] = sorted({*node["edge"], number - 1})
    graph = folder / "graph.yaml"
    graph.write_text(yaml.safe_dump({"nodes": nodes}, sort_keys=False), "utf-8")
    model: ProblemFile = entry.model.model_copy(update={"graph": str(graph.resolve())})
    new = Entry(entry.kind, entry.name, model, entry.node, entry.file)
    entries = [new if one is entry else one for one in library.entries]
    return Library(library.root, entries, library.sources)


def _failed(folder: Path) -> tuple[str, ...]:
    """What skills failed of, in order, from the journal."""
    found = []
    for line in (folder / JOURNAL).read_text("utf-8").splitlines():
        record = json.loads(line)
        if record["kind"] == "skill.ended" and not record["data"].get("ok", True):
            data = record["data"]
            found.append(f"{data.get('skill', '')}: {data.get('reason', '')}".strip(": "))
    return tuple(found)
