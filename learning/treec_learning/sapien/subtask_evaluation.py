"""DAG-Plan's sub-tasks with physics: a policy's last part beside the straight way and planning.

A trial is a scene with its things displaced by the seed. It is a success if the worker ended
without a failure and the conditions of the reward (Table 6) hold then. All controllers meet the
same scenes.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from importlib import import_module
from typing import Any

import numpy as np

from treec import Effect, ExternalWork, Outcome, WorkOrder
from treec.files.library import Library
from treec.world.clock import VirtualClock
from treec_learning.evaluation import share_text
from treec_learning.files import JudgedSpec, RewardFile
from treec_learning.hand.evaluation import STRAIGHT
from treec_learning.hand.straight_line import straight_actions
from treec_learning.policy import Policy
from treec_learning.sapien.learned_hand import Actions
from treec_learning.sapien.subtask import SubtaskEnvironment
from treec_learning.sapien.subtasks import LearnedSubtask
from treec_learning.shipped import learning_files
from treec_sapien.environment import SapienKitchen
from treec_sapien.worker import Physical

LEARNED, PLANNED = "learned", "planning"
"""Names of the rows."""
EVALUATED = 500_000
"""Added to seeds, so that no scene is one of any other use."""

_LONGEST = 90.0  # simulated seconds


@dataclass(frozen=True)
class SubtaskResult:
    """What came of a trial; ``seconds`` are simulated, ``wall`` are those that it took."""

    of: str
    seed: int
    success: bool
    seconds: float
    wall: float
    failure: str = ""


@dataclass
class SubtaskTable:
    """Results by policy and controller."""

    trials: int
    seed: int
    rows: dict[str, dict[str, list[SubtaskResult]]] = field(default_factory=dict)


class _TrialHost:
    """A host for a worker that is tried by itself."""

    def __init__(self, kitchen: SapienKitchen) -> None:
        self.environment = kitchen
        self.clock = VirtualClock()
        self.outcome: Outcome | None = None

    def sense(self, order_id: str, effects: tuple[Effect, ...]) -> None:
        """Nobody asks."""

    def finish(self, order_id: str, outcome: Outcome) -> None:
        """Keep the outcome."""
        self.outcome = outcome

    def begin_external(self, name: str, *, takes: float = 0.0, limit: float = 0.0) -> ExternalWork:
        """Workers of physics ask nothing outside. Raises RuntimeError."""
        raise RuntimeError(f"{name} is not part of a trial")


def evaluate(
    library: Library,
    policies: Mapping[str, Policy],
    trials: int,
    seed: int,
    *,
    tell: Callable[[str], None] = lambda text: None,
) -> SubtaskTable:
    """Try each policy, the straight way in its place, and planning on the same scenes.

    They are those of the policy's file in turn.
    """
    table = SubtaskTable(trials, seed)
    for name, policy in policies.items():
        judged = judged_of(library, policy)
        for number in range(trials):
            spec = judged[number % len(judged)]
            for row, worker in _controllers(library, name, policy):
                of = f"{name}, {number + 1} of {trials}: {row}"
                tell(f"{of} …")
                result = try_once(library, policy, spec, EVALUATED + seed + number, worker)
                tell(f"{of}: {result.failure or f'{result.seconds:.1f} s'}")
                table.rows.setdefault(name, {}).setdefault(row, []).append(result)
    return table


class _TriedSubtask(LearnedSubtask):
    """The worker with given actions for its last part, whatever the skill."""

    def __init__(self, name: str, given: Actions) -> None:
        super().__init__()
        self._named = name, given

    def actions(self, skill: str) -> tuple[str, Actions]:
        return self._named


def _controllers(library: Library, name: str, policy: Policy) -> Iterator[tuple[str, Physical]]:
    yield LEARNED, _TriedSubtask(name, policy.motions)
    yield STRAIGHT, _TriedSubtask(STRAIGHT, straight_actions)
    yield PLANNED, planned(library, policy.made["learning"]["skill"])


def judged_of(library: Library, policy: Policy) -> Sequence[JudgedSpec]:
    """Return the sub-tasks by which a policy is judged: its file's, else what its card says.

    Raises ValueError if there are none.
    """
    name = policy.made["learning"]["learning"]
    own = {entry.name: entry.model for entry in library.of_kind("learning")}
    file = {**learning_files(), **own}.get(name)
    judged = policy.made["learning"]["judged"] if file is None else file.judged
    if not judged:
        raise ValueError(f"learning file '{name}' does not say by what it is judged: judged: [...]")
    return [JudgedSpec.model_validate(one) for one in judged]


def planned(library: Library, skill: str) -> Physical:
    """Return the worker that does a skill by planning. Raises ValueError for a skill without."""
    entry = library.find("skill", skill)
    worker = None if entry is None else entry.model.runs.get("sapien")
    if worker is None:
        raise ValueError(f"skill '{skill}' has no worker in sapien")
    module, _, cls = str(worker).partition(":")
    made: Physical = getattr(import_module(module), cls)()
    return made


def to_text(table: SubtaskTable) -> str:
    """The table as text."""
    lines = []
    wide = max(len(row) for rows in table.rows.values() for row in rows) + 2
    for name, rows in table.rows.items():
        lines.append(f"{name:{wide}}{'success':>14}{'s':>8}{'wall':>8}")
        for row, results in rows.items():
            good = [one.success for one in results]
            done = [one.seconds for one in results if one.success]
            seconds = f"{np.mean(done):.1f}" if done else "-"
            wall = float(np.mean([one.wall for one in results]))
            lines.append(f"  {row:{wide - 2}}{share_text(good):>14}{seconds:>8}{wall:>8.1f}")
        for row, results in rows.items():
            causes = Counter(f"{one.of}: {one.failure}" for one in results if not one.success)
            lines += [f"  {row}, {n} x {cause}" for cause, n in causes.most_common()]
        lines.append("")
    lines += [
        "Success: no failure, and the reward's conditions hold then. s: simulated seconds of those",
        "that succeeded, with the way there; wall: seconds that a trial took, its scene included.",
    ]
    return "\n".join(lines) + "\n"


def to_json(table: SubtaskTable) -> dict[str, Any]:
    """The table as plain data."""
    return {
        "environment": "sapien",
        "trials": table.trials,
        "seed": table.seed,
        "policies": {
            name: {row: [asdict(one) for one in results] for row, results in rows.items()}
            for name, rows in table.rows.items()
        },
    }


def try_once(
    library: Library, policy: Policy, spec: JudgedSpec, seed: int, worker: Physical
) -> SubtaskResult:
    """Let a worker do a sub-task in a scene. Raises ValueError for what the scene does not have."""
    made = policy.made["learning"]
    reward = RewardFile.model_validate(policy.made["reward"])
    things = {name: spec.args[of] for name, of in made["binds"].items()}
    began = time.monotonic()
    failure = ""
    steps: Sequence[tuple[str, Mapping[str, str], Physical]] = [
        *((step.skill, step.args, planned(library, step.skill)) for step in spec.before),
        (made["skill"], spec.args, worker),
    ]
    start = 0.0
    with closing(
        SubtaskEnvironment(
            spec.scene, reward, things, spec.agent, opened=spec.opened, library=library
        )
    ) as env:
        env.reset(seed=seed)
        for number, (skill, args, doing) in enumerate(steps):
            start = env.kitchen.now
            outcome = _run(env.kitchen, doing, skill, spec.agent, args, f"s{number}")
            if outcome is None or not outcome.ok:
                why = "timed out" if outcome is None else str(outcome.failure)
                failure = why if number == len(steps) - 1 else f"before: {why}"
                break
        seconds = env.kitchen.now - start
        good = not failure and env.judge()
    of = f"{spec.scene} {' '.join(spec.args.values())}"
    wall = time.monotonic() - began
    return SubtaskResult(of, seed, good, seconds, wall, failure or ("" if good else "not so"))


def _run(
    kitchen: SapienKitchen,
    worker: Physical,
    skill: str,
    agent: str,
    args: Mapping[str, str],
    order_id: str,
) -> Outcome | None:
    """Run a worker to its end; None if that takes too long."""
    host = _TrialHost(kitchen)
    order = WorkOrder(order_id, skill, agent, {"agent": agent, **args}, 1.0)
    end = kitchen.now + _LONGEST
    worker.start(order, host)
    while host.outcome is None:
        if kitchen.now > end:
            worker.cancel()
            return None
        kitchen.step(kitchen.now + 0.5)
    return host.outcome
