"""Requests that HELPER carries out on another body: one arm in a kitchen with physics.

The system is `helper` as it is. Only the environment and the scene are others, and its memory is
the one of `arm.yaml`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from experiments.helper.routines import find_wrong
from experiments.helper.talk_user import TalkUser
from treec.api.find import find_system
from treec.files.library import Library
from treec.files.view import View, in_scene, on_environment
from treec.nodes.events import Programmed, SkillEnded, SkillStarted
from treec.nodes.pairs import MemoryPair
from treec.run.clocks import SteppingClock
from treec.run.run import Run
from treec.run.users import evaluate_or_none
from treec.team.events import SubtaskDone, SubtaskFailed
from treec.world.events import flat
from treec.world.journal import Journal
from treec.world.spec import RunSpec
from treec_household.environment import Household
from treec_memory.embedders import LexicalEmbedder
from treec_memory.store import Memory
from treec_program.events import Recalled
from treec_testing.pool.library import InLibrary
from treec_testing.pool.spread import Pool, spread

SYSTEM = "helper"
MEMORY = "memory.db"


@dataclass(frozen=True)
class ArmTrial:
    """One request in one run: where in the file it stands, its seed, whether things are moved."""

    number: int
    says: str
    seed: int = 0
    jitter: bool = False


@dataclass(frozen=True)
class ArmResult:
    """What came of a trial: the program, the memory that it is from, and what is wrong."""

    trial: ArmTrial
    met: bool
    wrong: tuple[str, ...] = ()
    """Goals that do not hold, or why it was given up."""
    failures: tuple[str, ...] = ()
    """Skills that failed on the way, in order."""
    memory: str = ""
    program: str = ""
    skills: int = 0
    seconds: float = 0.0
    wall: float = 0.0
    claimed: bool = False
    """Whether the robot called it done."""

    @property
    def is_false(self) -> bool:
        """Whether it was called done, and is not."""
        return self.claimed and bool(self.wrong)


def read_requests(path: Path | None = None) -> Mapping[str, Any]:
    """Scene, memory and requests of a file; by default those of `arm.yaml`.

    Raises ValueError for a file that is not of this form, and OSError.
    """
    path = path or Path(__file__).parent / "arm.yaml"
    try:
        found = yaml.safe_load(path.read_text("utf-8"))
    except yaml.YAMLError as error:
        raise ValueError(f"{path} is not YAML: {' '.join(str(error).split())}") from None
    if not isinstance(found, dict) or {"scene", "memory", "requests"} - found.keys():
        raise ValueError(f"{path}: a file of requests has 'scene', 'memory' and 'requests'")
    return found


def make_trials(
    data: Mapping[str, Any], seeds: int, *, jitter: bool, only: Sequence[int] = ()
) -> list[ArmTrial]:
    """Every request (or ``only`` those of these numbers, from 1) with so many seeds."""
    return [
        ArmTrial(number, str(request["says"]), seed, jitter)
        for seed in range(seeds)
        for number, request in enumerate(data["requests"], 1)
        if not only or number in only
    ]


def run_trials(
    library: Library,
    trials: Sequence[ArmTrial],
    env: str,
    pool: Pool,
    tell: Callable[[ArmResult], None],
    data: Mapping[str, Any] | None = None,
) -> list[ArmResult]:
    """Run trials in processes of their own; results are in their order."""
    found: dict[ArmTrial, ArmResult] = {}

    run = InLibrary(partial(run_trial, env=env, data=data), library)
    for trial, result in spread(run, trials, pool, fresh=1, lost=_broke_off):
        found[trial] = result
        tell(result)
    return [found[trial] for trial in trials]


def _broke_off(trial: ArmTrial) -> ArmResult:
    return ArmResult(trial, False, ("broke off: its process has ended",))


def run_trial(
    library: Library, trial: ArmTrial, env: str, data: Mapping[str, Any] | None = None
) -> ArmResult:
    """Say a request to HELPER in an environment, and judge the state in the end."""
    began = time.perf_counter()
    data = data or read_requests()
    request = data["requests"][trial.number - 1]
    system = on_environment(in_scene(find_system(library, SYSTEM), str(data["scene"])), env)
    with TemporaryDirectory() as folder:
        memory = Memory(Path(folder) / MEMORY, LexicalEmbedder())
        try:
            memory.add_all(MemoryPair(one["key"], one["answer"]) for one in data["memory"])
        finally:
            memory.close()
        run = Run(
            View(library, system),
            SteppingClock(),
            Journal.in_memory(),
            RunSpec(
                seed=trial.seed, env=env, chat=True, jitter=trial.jitter, memories=Path(folder)
            ),
        )
        TalkUser(run, [trial.says]).begin()
        wrong: list[str] = []
        kitchen = run.runtime.environments.open(env)
        run.go()
        goals = request.get("goal", ())
        wrong += [f"not so: {goal}" for goal in goals if not evaluate_or_none(goal, run.scope)]
        home = None if kitchen is None else kitchen.environment
        if isinstance(home, Household):
            wrong += find_wrong(request.get("state", {}), home.state)
        if env == "sapien" and kitchen is not None:
            wrong += _not_heated(kitchen.environment, request.get("heated", ()))
    events = [event for record in run.journal.records for event in flat(record.event)]
    given_up = [event.reason for event in events if isinstance(event, SubtaskFailed)]
    recalled = [e for e in events if isinstance(e, Recalled) and e.pairs]
    programs = [e.program for e in events if isinstance(e, Programmed)]
    return ArmResult(
        trial,
        not wrong and not given_up,
        (*given_up, *wrong),
        tuple(f"{e.skill}: {e.reason}" for e in events if isinstance(e, SkillEnded) and e.failed),
        str(recalled[0].pairs[0]["key"]) if recalled else "",
        programs[0] if programs else "",
        sum(isinstance(e, SkillStarted) for e in events),
        run.clock.now(),
        time.perf_counter() - began,
        any(isinstance(event, SubtaskDone) for event in events),
    )


def _not_heated(kitchen: Any, things: Sequence[str]) -> list[str]:
    from treec_sapien.machines import treatments

    return [f"not heated: {one}" for one in things if "heated" not in treatments(kitchen, one)]
