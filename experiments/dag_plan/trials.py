"""Run the nine tasks in an environment: seeded trials of one system in parallel processes.

A trial is a whole run without a model. DAG-Plan's graph is dispatched to the arms, whose skills act
in the environment; the stages of TP-S and TP-D are executed as written. Plans are those
that a model wrote, or follow from the reference graph. For comparison a reference graph is also run
one sub-task at a time in the order of its nodes, by any arm that can.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import yaml

from experiments.dag_plan.arm_time import arm_time
from experiments.dag_plan.execution_store import (
    ExecutionFolder,
    ExecutionMethod,
    ExecutionResult,
    ExecutionTrial,
)
from experiments.dag_plan.written_plans import TASKS
from treec.files.library import Library
from treec.files.view import View, in_scene, on_environment
from treec.nodes.events import SkillEnded
from treec.run.clocks import SteppingClock
from treec.run.folder import JOURNAL
from treec.run.run import Run
from treec.run.users import evaluate_or_none
from treec.world.events import flat
from treec.world.journal import Journal, read_journal
from treec.world.spec import RunSpec
from treec_dag_plan.arms.problem import problem_in
from treec_dag_plan.files import DRAWN_UP
from treec_testing.decisions.situation import with_model
from treec_testing.pool.files import Filed, filed
from treec_testing.pool.library import InLibrary
from treec_testing.pool.spread import HERE, Pool, spread

PAPER_METHODS = (ExecutionMethod.DAG_PLAN, ExecutionMethod.TP_S, ExecutionMethod.TP_D)
SYSTEMS = {
    ExecutionMethod.DAG_PLAN: "dag_plan",
    ExecutionMethod.TP_S: "dag_plan_tp_s",
    ExecutionMethod.TP_D: "dag_plan_tp_d",
    ExecutionMethod.ONE_BY_ONE: "dag_plan",
}
NO_PLAN = "no plan is valid"
LEARNED = "treec_learning.sapien.subtasks:LearnedSubtask"
"""The worker of skills whose last part is learned."""

Plans = Mapping[tuple[str, str], str]
"""The plan for a method and a task's name; empty if no plan was valid."""


def make_trials(
    tasks: Sequence[int],
    n: int,
    seed: int,
    *,
    jitter: bool = False,
    methods: Sequence[ExecutionMethod] = PAPER_METHODS,
    plans: Plans | None = None,
    learned: bool = False,
) -> list[ExecutionTrial]:
    """Return ``n`` trials per task and method, with the same seeds for all methods.

    With ``plans`` only for the tasks and methods that it has.
    """
    chosen = tuple(sorted(set(tasks))) or tuple(range(1, len(TASKS) + 1))
    return [
        ExecutionTrial(
            task,
            seed + number,
            method,
            jitter,
            None if plans is None else plans[method, TASKS[task - 1]],
            learned,
        )
        for number in range(n)
        for task in chosen
        for method in methods
        if plans is None or (method, TASKS[task - 1]) in plans
    ]


def run_trial(library: Library, trial: ExecutionTrial, env: str, folder: Path) -> ExecutionResult:
    """Run a trial and write its journal into ``folder``."""
    began, worked = time.perf_counter(), time.process_time()
    folder.mkdir(parents=True)
    if trial.plan == "":
        return ExecutionResult(trial, False, 0.0, 0.0, (NO_PLAN,))
    name = TASKS[trial.task - 1]
    if trial.method is ExecutionMethod.ONE_BY_ONE:
        library = _with_plan(library, name, _chain(library, name), folder)
    elif trial.plan is not None:
        library = _with_plan(library, name, trial.plan, folder)
    if trial.learned:
        library = _with_policies(library, env)
    problem = problem_in(library, name)
    system = library.find("system", SYSTEMS[trial.method])
    if system is None:
        raise KeyError(SYSTEMS[trial.method])
    there = on_environment(in_scene(system, problem.model.scene), env)
    run = Run(
        View(library, there),
        SteppingClock(),
        Journal.create(folder / JOURNAL),
        RunSpec(seed=trial.seed, task=problem.model.task, env=env, jitter=trial.jitter),
        folder=folder,
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
    spent = arm_time(read_journal(folder / JOURNAL))
    return ExecutionResult(
        trial,
        ok and not reasons,
        seconds,
        wall,
        (*_failed(folder), *reasons),
        cpu,
        spent=spent,
    )


def run_trials(
    library: Library,
    trials: Sequence[ExecutionTrial],
    *,
    env: str,
    pool: Pool = HERE,
    keep: Path | None = None,
    tell: Callable[[ExecutionResult], None] = lambda done: None,
) -> list[ExecutionResult]:
    """Run all trials and call ``tell`` after each.

    Every trial has a process of its own, so that trials cannot affect each other. Results stored in
    ``keep`` are reused. Raises LineStoreError.
    """
    with tempfile.TemporaryDirectory(prefix="treec-") as temporary:
        folder = keep or Path(temporary)
        store = ExecutionFolder(folder, env, trials)
        found = dict(store.done)
        for done in found.values():
            tell(done)

        missing = [trial for trial in trials if trial not in found]
        run = InLibrary(filed(partial(_try, env), keep is not None), library)
        for trial, ran in spread(run, missing, pool, fresh=1, lost=_broke_off):
            ran.put(folder / trial.name)
            found[trial] = ran.result
            store.add(ran.result)
            tell(ran.result)
        return [found[trial] for trial in trials]


def _try(env: str, library: Library, trial: ExecutionTrial, folder: Path) -> ExecutionResult:
    return run_trial(library, trial, env, folder)


def _broke_off(trial: ExecutionTrial) -> Filed[ExecutionResult]:
    reasons = ("broke off: its process has ended",)
    return Filed(ExecutionResult(trial, False, 0.0, 0.0, reasons, whole=False))


def _chain(library: Library, name: str) -> str:
    """Return the task's graph as a chain in the order of its nodes."""
    entry = library.find("problem", name)
    if entry is None or entry.model.graph is None:
        raise KeyError(name)
    nodes = yaml.safe_load(library.file(entry.model.graph, entry).read_text("utf-8"))["nodes"]
    for number, node in enumerate(nodes.values(), 1):
        if number > 1:
            node["edge"] = sorted({*node["edge"], number - 1})
    return yaml.safe_dump({"nodes": nodes}, sort_keys=False)


def _with_plan(library: Library, name: str, text: str, folder: Path) -> Library:
    """Return the library with this plan, a graph or stages, as the task's reference."""
    file = folder / "plan.yaml"
    file.write_text(text, "utf-8")
    changes = {
        ("problem", name): {"graph": str(file.resolve())},
        **{
            ("plan", entry.name): {"offline": "reference"}
            for entry in library.of_kind("plan")
            if entry.model.answers in DRAWN_UP
        },
    }
    return library.with_entries(
        with_model(one, one.model.model_copy(update=changes[one.kind, one.name]))
        if (one.kind, one.name) in changes
        else one
        for one in library.entries
    )


def learned_skills() -> Mapping[str, str]:
    """Return the skills for which a policy exists, and its name. Raises ImportError."""
    from treec_learning.policies import learned_skills as found  # needs numpy

    return found()


def _with_policies(library: Library, env: str) -> Library:
    """Return the library with a policy in each skill for which one exists."""
    skills = {name: library.find("skill", name) for name in learned_skills()}
    bound = {
        name: entry.model.model_copy(update={"runs": {**entry.model.runs, env: LEARNED}})
        for name, entry in skills.items()
        if entry is not None
    }
    return library.with_entries(
        with_model(one, bound[one.name]) if one.kind == "skill" and one.name in bound else one
        for one in library.entries
    )


def _failed(folder: Path) -> tuple[str, ...]:
    """Return the failures of skills from the journal, in order."""
    events = (event for record in read_journal(folder / JOURNAL) for event in flat(record.event))
    return tuple(
        f"{e.skill}: {e.reason}".strip(": ")
        for e in events
        if isinstance(e, SkillEnded) and e.failed
    )
