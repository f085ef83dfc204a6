"""Runs trials of skills, each in a fresh world, in parallel processes.

Positions vary between trials within the scene's `jitter:`. A trial that raises counts as failed.
Results can be stored in a folder, so that an interrupted evaluation can continue.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Protocol, runtime_checkable

from experiments.skills.cases import SkillTrial
from experiments.skills.results import EvaluationFolder, TrialResult
from treec.files.library import Library
from treec.files.view import View, in_scene, on_environment
from treec.nodes.environment import SYMBOLIC
from treec.nodes.events import SkillEnded, SkillStarted
from treec.run.clocks import SteppingClock
from treec.run.run import CannotRun, Run
from treec.world.failures import Reported, StepFailed, TimedOut, Unmet, failure_of
from treec.world.journal import Journal, Record
from treec.world.spec import RunSpec
from treec_testing.pool.library import InLibrary
from treec_testing.pool.spread import HERE, Pool, spread
from treec_testing.skill_trial import CannotTry, finish, try_skill

TRIALS_A_PROCESS = 25
"""Trials after which a process is replaced."""


@runtime_checkable
class MeasuringEnvironment(Protocol):
    """An environment that can measure its things, for evaluations."""

    def measure(self, thing: str) -> Mapping[str, float]:
        """Measurements by name, such as how far a door is open, from 0 to 1."""


class SkillWatch:
    """Records when a skill begins and ends, and failures."""

    def __init__(self) -> None:
        self._began: dict[str, tuple[float, float]] = {}
        self.own: tuple[float, float] | None = None
        self.failure: tuple[str, str] | None = None

    def follow(self, skill: str, args: Mapping[str, str]) -> Callable[[Record], None]:
        """Watch a skill with its arguments; other skills belong to the preparation."""
        expected = {name: value for name, value in args.items() if name != "agent"}

        def hear(record: Record) -> None:
            event = record.event
            if not isinstance(event, SkillStarted | SkillEnded) or event.id is None:
                return
            own = event.skill == skill and {k: str(v) for k, v in event.args.items()} == expected
            if isinstance(event, SkillStarted):
                self._began[event.id] = record.t, time.perf_counter()
                if own:
                    self.own = None
                return
            began, wall = self._began.pop(event.id, (record.t, time.perf_counter()))
            if own:
                self.own = record.t - began, time.perf_counter() - wall
            if event.failed:
                self.failure = event.skill, event.reason

        return hear


def run_trial(library: Library, trial: SkillTrial, env: str) -> TrialResult:
    """Run one trial."""
    system = library.find("system", trial.system)
    if system is None:
        raise KeyError(trial.system)
    view = View(library, on_environment(in_scene(system, trial.scene), env))
    began = time.process_time()
    done = _try(view, trial, env)
    return replace(done, cpu=time.process_time() - began)


def _try(view: View, trial: SkillTrial, env: str) -> TrialResult:
    run = Run(
        view, SteppingClock(), Journal.in_memory(), RunSpec(seed=trial.seed, env=env, jitter=True)
    )
    try:
        run.open_environments()
        return _try_in(run, trial, env)
    except (CannotRun, CannotTry) as error:
        return TrialResult(trial, False, False, "cannot be tried", str(error))
    except Exception as error:  # a trial that breaks off has failed; the others go on
        return TrialResult(trial, False, False, type(error).__name__, str(error))
    finally:
        finish(run)


def _try_in(run: Run, trial: SkillTrial, env: str) -> TrialResult:
    for call in trial.calls:
        watch = SkillWatch()
        leave = run.world.subscribe(watch.follow(call.skill, dict(call.args)))
        result = try_skill(run, call.skill, dict(call.args))
        leave()
        own = call is trial.call
        if result.ok and not own:
            continue
        failed = watch.failure or ("", result.reason)
        cause = "" if result.ok else cause_of(failed[1])
        if own and watch.own is not None:
            measures = _measurements(run, trial, env)
            reason = "" if result.ok else failed[1]
            return TrialResult(trial, result.ok, True, cause, reason, *watch.own, measures)
        if result.ok:
            return TrialResult(
                trial, False, False, "nothing to be done", "its effects held already"
            )
        before = failed[0] or call.skill
        return TrialResult(trial, False, False, f"{before} before it: {cause}", result.reason)
    raise ValueError("a trial has at least one call")


def cause_of(reason: str) -> str:
    """The name under which tables count a failure."""
    match failure_of(reason):
        case Unmet() | StepFailed(why=Unmet()):
            return "a condition does not hold"
        case TimedOut():
            return "timed out"
    if reason.startswith("it has not ended"):
        return "timed out"
    return Reported(reason).name or "failed"


def _measurements(run: Run, trial: SkillTrial, env: str) -> tuple[tuple[str, float], ...]:
    """The environment's measurements of the things that the call names."""
    environment = run.runtime.environment(trial.call.agent) if env != SYMBOLIC else None
    if not isinstance(environment, MeasuringEnvironment):
        return ()
    found: dict[str, float] = {}
    for _, thing in trial.call.args:
        found.update(environment.measure(thing))
    return tuple(sorted(found.items()))


def run_trials(
    library: Library,
    trials: Sequence[SkillTrial],
    *,
    env: str,
    pool: Pool = HERE,
    keep: Path | None = None,
    tell: Callable[[TrialResult, bool], None] = lambda done, now: None,
) -> list[TrialResult]:
    """Run all trials; ``tell`` is called after each.

    Results are in the order of the trials. With ``keep``, results stored in that folder are used,
    and ``tell`` is called with a flag that they are not new. Raises LineStoreError.
    """
    stored = None if keep is None else EvaluationFolder(keep, env, trials)
    found = {} if stored is None else dict(stored.done)
    todo = [trial for trial in trials if trial not in found]

    for done in found.values():
        tell(done, False)
    fresh = 0 if pool.is_here() and env == SYMBOLIC else TRIALS_A_PROCESS
    run = InLibrary(partial(run_trial, env=env), library)
    for trial, result in spread(run, todo, pool, fresh=fresh, lost=_broke_off):
        found[trial] = result
        if stored is not None:
            stored.add(result)
        tell(result, True)
    return [found[trial] for trial in trials]


def _broke_off(trial: SkillTrial) -> TrialResult:
    return TrialResult(trial, False, False, "broke off", "its process has ended")
