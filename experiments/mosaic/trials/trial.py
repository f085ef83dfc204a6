"""Cook a recipe with all modules at once, and say what failed by whose fault.

Jittered things, cameras for things and joints, forecasts of a person from recordings, and a user
who agrees, is vague, wants another agent, adds work and interrupts.
"""

from __future__ import annotations

import json
import random
import resource
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from experiments.line_store import LineStore, LineStoreError
from experiments.mosaic.intents import INTENTS, IntentLog
from experiments.mosaic.judge import Ledger, Story, judge, read_story
from experiments.mosaic.kitchen import Kitchen, kitchen_of
from experiments.mosaic.plan import MODES, TrialPlan, fill_in
from experiments.mosaic.trial import head_of
from experiments.mosaic.trials.attribution import AttributedFailure, attribute
from experiments.mosaic.trials.person import (
    SteppingAside,
    boxes_of,
    motion_of,
    stores_of,
    visit_of,
    with_person,
)
from experiments.mosaic.user import SimulatedUser
from treec.files.library import Library
from treec.files.view import View, on_environment
from treec.nodes.environment import SYMBOLIC
from treec.run.clocks import SteppingClock
from treec.run.folder import JOURNAL
from treec.run.run import Run
from treec.world.clock import VirtualClock
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_testing.pool.files import Filed, filed
from treec_testing.pool.library import InLibrary
from treec_testing.pool.spread import HERE, Pool, spread

if TYPE_CHECKING:
    from treec.ask.asker import OpenedModel

FILE = "trials.jsonl"

ALL_MODES = (*MODES, "E")
"""Those of appendix H, and interruptions."""

INTERACTIONS = 2
"""Off-nominal interactions of a trial, each of another mode."""


@dataclass(frozen=True, slots=True)
class WholeTrial:
    """A recipe, a seed, and what is on. ``people`` is a file of recordings; empty: nobody moves."""

    recipe: str
    seed: int
    env: str = "sapien"
    see: bool = False
    people: str = ""
    film: float = 0.0
    model: str | None = None
    api_base: str | None = None

    @property
    def name(self) -> str:
        """Of its folder."""
        return f"{self.recipe.lower().replace(' ', '_')}-{self.seed}"


@dataclass(frozen=True, slots=True)
class WholeTrialResult:
    """What became of a trial.

    ``subtasks`` are those that a robot was to do, ``done`` those of them that a robot did;
    ``seconds`` are simulated, ``cpu`` the processor's, with that of the processes that see;
    ``touched`` counts contacts with the person by the person's own motion.
    """

    trial: WholeTrial
    ended: str
    subtasks: int
    done: int
    seconds: float
    cpu: float
    failures: tuple[AttributedFailure, ...] = ()
    interactions: tuple[str, ...] = ()
    touched: int = 0
    looks: int = 0
    broke_off: bool = False
    """Whether the trial's process crashed."""

    @property
    def whole(self) -> bool:
        """Whether it came to its end without a failure that was not made up for."""
        return self.ended == "finished" and all(one.mended for one in self.failures)


def plan_of(trial: WholeTrial, kitchen: Kitchen) -> TrialPlan:
    """Draw the interactions of a trial: of two modes, whatever is on."""
    rng = random.Random(f"trial {trial.recipe} {trial.seed}")
    modes = sorted(rng.sample(ALL_MODES, INTERACTIONS))
    return TrialPlan("trial", trial.recipe, fill_in(kitchen, trial.recipe, modes, rng))


def run_trial(library: Library, system: str, trial: WholeTrial, folder: Path) -> WholeTrialResult:
    """Cook a recipe; journal, intents, motion, pictures and film are written into ``folder``.

    Raises KeyError without the system, NoMotion without a recording that can be used.
    """
    began = _cpu()
    folder.mkdir(parents=True)
    entry = library.find("system", system)
    if entry is None:
        raise KeyError(system)
    view = View(library, on_environment(entry, trial.env))
    kitchen = kitchen_of(view)
    if trial.people and trial.env != SYMBOLIC:
        visit = visit_of(kitchen.recipes[trial.recipe])
        motion = motion_of(visit, view.objects, Path(trial.people), trial.seed, folder)
        view = with_person(view, motion)
    plan = plan_of(trial, kitchen)
    opened = _model(library, view, trial)
    run = Run(
        view,
        VirtualClock() if trial.env == SYMBOLIC else SteppingClock(),
        Journal.create(folder / JOURNAL),
        RunSpec(
            seed=trial.seed,
            env=trial.env,
            film=trial.film,
            jitter=trial.env != SYMBOLIC,
            see=trial.see,
            model=opened and opened.name,
        ),
        transport=opened and opened.transport,
        folder=folder,
    )
    log = IntentLog(folder / INTENTS, head_of(kitchen, plan, trial.seed))
    chance = random.Random(f"words {trial.seed} {trial.recipe}")
    user = SimulatedUser(run, plan, kitchen, chance, log)
    run.loop.after_tick.append(user.look)
    if trial.people and trial.env != SYMBOLIC:
        person = SteppingAside(
            run, trial.env, kitchen.user, boxes_of(view.objects), stores_of(view.objects)
        )
        run.loop.after_tick.append(person.look)
    try:
        reason = run.go().reason
        ended = user.ended or f"gave up: {reason}"
    except Exception as error:  # counts as a failed trial
        ended = f"{type(error).__name__}: {error}"
    run.journal.commit()
    return judge_trial(trial, folder, ended, run.clock.now(), _cpu() - began)


def judge_trial(
    trial: WholeTrial, folder: Path, ended: str, seconds: float, cpu: float
) -> WholeTrialResult:
    """Return what became of a trial, from what lies in its folder."""
    texts = ((folder / name).read_text("utf-8") for name in (JOURNAL, INTENTS))
    story = read_story(*texts)
    verdict = judge(story)
    subtasks, done = robots_part(story)
    notes = [event.record for event in story.events if event.kind == "skill.noted"]
    touches = [record["touch"] for record in notes if "touch" in record]
    return WholeTrialResult(
        trial,
        ended,
        subtasks=subtasks,
        done=done,
        seconds=seconds,
        cpu=cpu,
        failures=tuple(attribute(story, verdict, ended)),
        interactions=tuple(one.mode + ("" if one.reached else "?") for one in verdict.passed),
        touched=sum(not touch["own"] for touch in touches),
        looks=sum(
            event.kind == "need.answered" and event.data["provider"] == "localize"
            for event in story.events
        ),
    )


def robots_part(story: Story) -> tuple[int, int]:
    """Return how many subtasks robots were to do in the end, and how many of these they did.

    What the user has taken over counts, unless they wanted to do it themselves.
    """
    ledger = Ledger()
    for event in story.events:
        ledger.apply(event)
    own = {
        str(act.get("subtask"))
        for said in story.said
        for act in said.acts
        if act["do"] == "request" and act.get("agent") == story.user
    }
    robots = [name for name in story.agents if not story.is_person(name)]
    subtasks = done = 0
    for work in ledger.subtasks.values():
        if work.status == "dropped" or not any(story.able(name, work.task) for name in robots):
            continue
        person = work.by is not None and story.is_person(work.by)
        if person and work.id in own and not work.ran:
            continue
        subtasks += 1
        done += work.status == "done" and not person
    return subtasks, done


def run_trials(
    library: Library,
    system: str,
    trials: Sequence[WholeTrial],
    *,
    pool: Pool = HERE,
    keep: Path,
    tell: Callable[[WholeTrialResult], None] = lambda done: None,
) -> list[WholeTrialResult]:
    """Run all trials that ``keep`` has not, each in a process of its own; ``tell`` after each.

    Raises LineStoreError.
    """
    store = LineStore(keep, FILE)
    wanted = set(trials)
    found = {one.trial: one for one in _read(store) if one.trial in wanted}
    for one in found.values():
        tell(one)
    missing = [trial for trial in trials if trial not in found]
    run = InLibrary(filed(partial(_try, system), keep=True), library)
    for trial, ran in spread(run, missing, pool, fresh=1, lost=_broke_off):
        ran.put(keep / trial.name)
        found[trial] = ran.result
        if not ran.result.broke_off:
            store.add(asdict(ran.result))
        tell(ran.result)
    return [found[trial] for trial in trials]


def _try(system: str, library: Library, trial: WholeTrial, folder: Path) -> WholeTrialResult:
    return run_trial(library, system, trial, folder)


def _broke_off(trial: WholeTrial) -> Filed[WholeTrialResult]:
    failure = AttributedFailure("engine", "crashed", 0.0, "the process of the trial ended")
    return Filed(WholeTrialResult(trial, "broke off", 0, 0, 0.0, 0.0, (failure,), broke_off=True))


def _model(library: Library, view: View, trial: WholeTrial) -> OpenedModel | None:
    """The model of a trial, opened; None for rules."""
    if trial.model is None:
        return None
    from treec.cli.model_options import open_chosen
    from treec.world.spec import ModelOptions

    assert view.system is not None
    options = ModelOptions(model=trial.model, api_base=trial.api_base)
    return open_chosen(library.root, view.system.model, options)


def _cpu() -> float:
    """Seconds of this process, and of those that it has waited for."""
    return time.process_time() + sum(resource.getrusage(resource.RUSAGE_CHILDREN)[:2])


def _read(store: LineStore) -> Iterator[WholeTrialResult]:
    for number, line in store.lines:
        try:
            data: dict[str, Any] = json.loads(line)
            trial = WholeTrial(**data.pop("trial"))
            failures = tuple(AttributedFailure(**one) for one in data.pop("failures"))
            interactions = tuple(data.pop("interactions"))
            yield WholeTrialResult(
                trial=trial, failures=failures, interactions=interactions, **data
            )
        except (ValueError, KeyError, TypeError):
            raise LineStoreError(f"{store.file}:{number}: not a trial") from None
