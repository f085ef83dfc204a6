"""Run the whole system once with a simulated user on virtual time, and judge the run."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from experiments.mosaic.intents import INTENTS, IntentLog
from experiments.mosaic.judge import Verdict, judge_files
from experiments.mosaic.kitchen import Kitchen, kitchen_of
from experiments.mosaic.plan import TrialPlan
from experiments.mosaic.user import SimulatedUser
from treec.files.library import Library
from treec.files.view import View
from treec.run.folder import JOURNAL
from treec.run.loop import LoopError
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec


@dataclass(frozen=True)
class TrialSetup:
    """A system prepared for many trials."""

    view: View
    kitchen: Kitchen


def set_up(library: Library, system: str, contracts: bool) -> TrialSetup:
    """Prepare a system with or without its contracts. Raises KeyError if it is unknown."""
    if not contracts:
        kept = [entry for entry in library.entries if entry.kind != "contract"]
        library = library.with_entries(kept)
    entry = library.find("system", system)
    if entry is None:
        raise KeyError(system)
    view = View(library, entry)
    return TrialSetup(view, kitchen_of(view))


@dataclass(frozen=True)
class MosaicTrial:
    """A plan, its repetition, and the seed of the evaluation."""

    row: str
    plan: TrialPlan
    index: int
    run: int
    seed: int

    @property
    def name(self) -> str:
        """The trial's folder."""
        recipe = self.plan.recipe.lower().replace(" ", "_")
        return f"{self.row}/{self.plan.difficulty}/{self.index + 1}-{recipe}-{self.run + 1}"

    @property
    def run_seed(self) -> int:
        """Seed of phrasing and timing; differs between repetitions, not between rows."""
        text = f"{self.seed} {self.plan.difficulty} {self.index} {self.plan.recipe} {self.run}"
        return random.Random(text).randrange(2**31)


@dataclass(frozen=True)
class PlannerResult:
    """A judged run. Only ``real`` and ``cpu`` (seconds) depend on the machine."""

    trial: MosaicTrial
    verdict: Verdict
    ended: str
    real: float
    cpu: float


MakeRun = Callable[[View, Journal, int], Run]
"""Makes a run of a system with a journal and a seed."""


def make_offline_run(view: View, journal: Journal, seed: int) -> Run:
    """A run on virtual time, without a model."""
    return Run(view, VirtualClock(), journal, RunSpec(seed=seed))


def head_of(kitchen: Kitchen, plan: TrialPlan, seed: int) -> dict[str, object]:
    """What the judge is told of a trial beside its journal."""
    return {
        "difficulty": plan.difficulty,
        "recipe": plan.recipe,
        "seed": seed,
        "user": kitchen.user,
        "agents": {m.name: {"person": m.person, "can": m.can} for m in kitchen.team.values()},
        "recipes": sorted(kitchen.recipes),
        "interactions": [interaction.json() for interaction in plan.interactions],
    }


def run_trial(
    setup: TrialSetup, trial: MosaicTrial, folder: Path, make_run: MakeRun = make_offline_run
) -> PlannerResult:
    """Run a trial, write its journal and intents into ``folder``, and judge it."""
    folder.mkdir(parents=True)
    began, began_cpu = time.perf_counter(), time.process_time()
    run = make_run(setup.view, Journal.create(folder / JOURNAL), trial.run_seed)
    kitchen = setup.kitchen
    head = {"row": trial.row, "run": trial.run + 1} | head_of(kitchen, trial.plan, trial.run_seed)
    log = IntentLog(folder / INTENTS, head)
    user = SimulatedUser(run, trial.plan, kitchen, random.Random(f"words {trial.run_seed}"), log)
    run.loop.after_tick.append(user.look)
    try:
        outcome = run.go()
        ended = user.ended or f"gave up: {outcome.reason} after {outcome.seconds:.0f} s"
    except LoopError as error:
        ended = f"broke off: {error}"
    real, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    return PlannerResult(trial, judge_files(folder / JOURNAL, folder / INTENTS), ended, real, cpu)
