"""One run of the integration test: a plan, a simulated user, the whole system, a virtual clock."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from pathlib import Path

from treec.files.library import Library
from treec.files.view import View
from treec.run.folder import JOURNAL
from treec.run.loop import LoopError
from treec.run.run import Run
from treec.systems.mosaic.evaluate.intents import INTENTS, IntentLog
from treec.systems.mosaic.evaluate.judge import Verdict, judge_files
from treec.systems.mosaic.evaluate.kitchen import Kitchen, kitchen_of
from treec.systems.mosaic.evaluate.plan import TrialPlan
from treec.systems.mosaic.evaluate.user import SimulatedUser
from treec.world.clock import VirtualClock
from treec.world.journal import Journal


@dataclass(frozen=True)
class TrialSetup:
    """A system made ready to be tried over and over."""

    view: View
    kitchen: Kitchen


def stage(library: Library, system: str, contracts: bool) -> TrialSetup:
    """The system, with or without its contracts. Raises KeyError when there is no such system."""
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
    """What is tried: the plan, the repetition, the seed of the whole evaluation."""

    row: str
    plan: TrialPlan
    index: int
    run: int
    seed: int

    @property
    def name(self) -> str:
        """Of its folder."""
        recipe = self.plan.recipe.lower().replace(" ", "_")
        return f"{self.row}/{self.plan.difficulty}/{self.index + 1}-{recipe}-{self.run + 1}"

    @property
    def chance(self) -> int:
        """The seed of phrasing and timing: another for each repetition, the same for each row."""
        text = f"{self.seed} {self.plan.difficulty} {self.index} {self.plan.recipe} {self.run}"
        return random.Random(text).randrange(2**31)


@dataclass(frozen=True)
class Result:
    """A judged run; ``real`` and ``cpu`` seconds alone differ from machine to machine."""

    trial: MosaicTrial
    verdict: Verdict
    ended: str
    real: float
    cpu: float


def try_out(staged: TrialSetup, trial: MosaicTrial, folder: Path) -> Result:
    """Let a run happen in ``folder`` (journal and intents stay there) and judge it."""
    folder.mkdir(parents=True)
    began, began_cpu = time.perf_counter(), time.process_time()
    run = Run(staged.view, VirtualClock(), Journal.create(folder / JOURNAL), seed=trial.chance)
    kitchen = staged.kitchen
    head = {
        "row": trial.row,
        "difficulty": trial.plan.difficulty,
        "recipe": trial.plan.recipe,
        "run": trial.run + 1,
        "seed": trial.chance,
        "user": kitchen.user,
        "agents": {m.name: {"person": m.person, "can": m.can} for m in kitchen.team.values()},
        "recipes": sorted(kitchen.recipes),
        "interactions": [interaction.json() for interaction in trial.plan.interactions],
    }
    log = IntentLog(folder / INTENTS, head)
    user = SimulatedUser(run, trial.plan, kitchen, random.Random(f"words {trial.chance}"), log)
    run.loop.after_tick.append(user.look)
    try:
        outcome = run.go()
        ended = user.ended or f"gave up: {outcome.reason} after {outcome.seconds:.0f} s"
    except LoopError as error:
        ended = f"broke off: {error}"
    real, cpu = time.perf_counter() - began, time.process_time() - began_cpu
    return Result(trial, judge_files(folder / JOURNAL, folder / INTENTS), ended, real, cpu)
