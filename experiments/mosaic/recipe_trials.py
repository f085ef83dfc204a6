"""Cook recipes in an environment with a simulated user: seeded trials, each in its own process.

The user agrees to everything, does their own part, and has no wishes of their own. Results are
stored as JSON lines; an evaluation continues in the same folder.
"""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from experiments.line_store import LineStore, LineStoreError
from experiments.mosaic.intents import INTENTS, IntentLog
from experiments.mosaic.kitchen import kitchen_of
from experiments.mosaic.plan import TrialPlan
from experiments.mosaic.user import SimulatedUser
from treec.files.library import Library
from treec.files.view import View, on_environment
from treec.nodes.environment import SYMBOLIC
from treec.nodes.events import SkillEnded
from treec.run.clocks import SteppingClock
from treec.run.folder import JOURNAL
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.events import flat
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_testing.pool.files import Filed, filed
from treec_testing.pool.library import InLibrary
from treec_testing.pool.spread import HERE, Pool, spread

FILE = "recipes.jsonl"


@dataclass(frozen=True, slots=True)
class RecipeTrial:
    """A recipe, a seed, the environment, and whether things are displaced by the seed."""

    recipe: str
    seed: int
    env: str
    jitter: bool = False

    @property
    def name(self) -> str:
        """Of its folder."""
        recipe = self.recipe.lower().replace(" ", "_")
        return f"{self.env}-{recipe}-{self.seed}{'-jitter' if self.jitter else ''}"


@dataclass(frozen=True, slots=True)
class RecipeResult:
    """What became of a trial; subtasks are counted by who did them.

    ``taken_over`` are those that a robot could have done and the person did; ``seconds`` are
    simulated, ``cpu`` the processor's.
    """

    trial: RecipeTrial
    ended: str
    subtasks: int
    by_robots: int
    by_person: int
    taken_over: int
    seconds: float
    cpu: float
    failures: tuple[str, ...] = ()
    broke_off: bool = False
    """Whether the trial's process crashed."""

    @property
    def finished(self) -> bool:
        """Whether everything was done."""
        return self.ended == "finished" and self.by_robots + self.by_person == self.subtasks

    @property
    def whole(self) -> bool:
        """Whether the robots did all of their part."""
        return self.finished and not self.taken_over


def run_trial(library: Library, system: str, trial: RecipeTrial, folder: Path) -> RecipeResult:
    """Cook a recipe and write the journal into ``folder``. Raises KeyError without the system."""
    worked = time.process_time()
    folder.mkdir(parents=True)
    entry = library.find("system", system)
    if entry is None:
        raise KeyError(system)
    view = View(library, on_environment(entry, trial.env))
    run = Run(
        view,
        VirtualClock() if trial.env == SYMBOLIC else SteppingClock(),
        Journal.create(folder / JOURNAL),
        RunSpec(seed=trial.seed, env=trial.env, film=0.0, jitter=trial.jitter),
        folder=folder,
    )
    kitchen = kitchen_of(view)
    log = IntentLog(folder / INTENTS, {"recipe": trial.recipe, "seed": trial.seed})
    chance = random.Random(f"words {trial.seed} {trial.recipe}")
    user = SimulatedUser(run, TrialPlan("nominal", trial.recipe, ()), kitchen, chance, log)
    run.loop.after_tick.append(user.look)
    failures: list[str] = []

    def note(record: Record) -> None:
        for event in flat(record.event):
            if isinstance(event, SkillEnded) and event.failed:
                failures.append(f"{event.skill}: {event.reason}")

    run.world.subscribe(note)
    try:
        reason = run.go().reason
        ended = user.ended or f"gave up: {reason}"
    except Exception as error:  # counts as a failed trial
        ended = f"{type(error).__name__}: {error}"
    done = [work for work in run.team.subtasks if work.status == "done"]
    person = [work for work in done if work.agent == kitchen.user]
    taken = [work for work in person if kitchen.able(work.task)[0] != kitchen.user]
    return RecipeResult(
        trial,
        ended,
        subtasks=len(kitchen.recipes[trial.recipe]),
        by_robots=len(done) - len(person),
        by_person=len(person),
        taken_over=len(taken),
        seconds=run.clock.now(),
        cpu=time.process_time() - worked,
        failures=tuple(failures),
    )


def run_trials(
    library: Library,
    system: str,
    trials: Sequence[RecipeTrial],
    *,
    pool: Pool = HERE,
    keep: Path | None = None,
    tell: Callable[[RecipeResult], None] = lambda done: None,
) -> list[RecipeResult]:
    """Run all trials, each in a process of its own, and call ``tell`` after each.

    Raises LineStoreError.
    """
    with tempfile.TemporaryDirectory(prefix="treec-") as temporary:
        folder = keep or Path(temporary)
        store = LineStore(folder, FILE)
        found = {one.trial: one for one in _read(store) if one.trial in set(trials)}
        for one in found.values():
            tell(one)

        missing = [trial for trial in trials if trial not in found]
        run = InLibrary(filed(partial(_try, system), keep is not None), library)
        for trial, ran in spread(run, missing, pool, fresh=1, lost=_broke_off):
            ran.put(folder / trial.name)
            found[trial] = ran.result
            if not ran.result.broke_off:
                store.add(asdict(ran.result))
            tell(ran.result)
        return [found[trial] for trial in trials]


def _try(system: str, library: Library, trial: RecipeTrial, folder: Path) -> RecipeResult:
    return run_trial(library, system, trial, folder)


def _broke_off(trial: RecipeTrial) -> Filed[RecipeResult]:
    return Filed(RecipeResult(trial, "broke off", 0, 0, 0, 0, 0.0, 0.0, broke_off=True))


def _read(store: LineStore) -> Iterator[RecipeResult]:
    for number, line in store.lines:
        try:
            data: dict[str, Any] = json.loads(line)
            trial, failures = RecipeTrial(**data.pop("trial")), tuple(data.pop("failures"))
            yield RecipeResult(trial=trial, failures=failures, **data)
        except (ValueError, KeyError, TypeError):
            raise LineStoreError(f"{store.file}:{number}: not a trial") from None
