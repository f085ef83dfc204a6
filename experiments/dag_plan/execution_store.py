"""Store trials of the nine tasks as JSON lines.

An evaluation continues in the same folder: stored trials of the same environment are not repeated,
unless their process crashed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from hashlib import sha256
from pathlib import Path
from typing import Any

from experiments.dag_plan.arm_time import ArmTime
from experiments.line_store import LineStore, LineStoreError

FILE = "trials.jsonl"


class ExecutionMethod(StrEnum):
    """How a task is planned and done: the paper's methods, and its graph one node at a time."""

    DAG_PLAN = "DAG-Plan"
    TP_S = "TP-S"
    TP_D = "TP-D"
    ONE_BY_ONE = "one-by-one"


@dataclass(frozen=True, slots=True)
class ExecutionTrial:
    """A task by its number (1 to 9), a seed, and the method.

    With ``jitter`` things are displaced at random, by the seed; with ``learned`` the skills for
    which a policy exists use it. ``plan`` is the text of the plan to
    execute: None for one that follows from the reference graph, empty if no plan was valid.
    """

    task: int
    seed: int
    method: ExecutionMethod = ExecutionMethod.DAG_PLAN
    jitter: bool = False
    plan: str | None = None
    learned: bool = False

    @property
    def name(self) -> str:
        """Of its folder."""
        name = f"task_{self.task}-{self.method}-{self.seed}{'-jitter' if self.jitter else ''}"
        name += "-learned" if self.learned else ""
        return name if self.plan is None else f"{name}-{sha256(self.plan.encode()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True)
class ExecutionResult:
    """A trial's result: simulated seconds, and the failures on the way.

    ``wall`` are real seconds and ``cpu`` the processor's, without reading the library.
    """

    trial: ExecutionTrial
    ok: bool
    seconds: float
    wall: float
    failures: tuple[str, ...] = ()
    cpu: float = 0.0
    whole: bool = True
    """False if the trial's process crashed."""
    spent: ArmTime = field(default_factory=dict)
    """What each arm spent the simulated seconds on."""

    def summary(self) -> str:
        """Describe the result in one line."""
        came = f"done in {self.seconds:.1f} s" if self.ok else f"failed after {self.seconds:.1f} s"
        why = f": {self.failures[-1]}" if self.failures and not self.ok else ""
        who = f"task {self.trial.task}, {self.trial.method}, seed {self.trial.seed}"
        return f"{who}: {came} ({self.cpu:.1f} s of a processor){why}"


class ExecutionFolder:
    """The folder of an evaluation in an environment, and what there is in it."""

    def __init__(self, folder: Path, env: str, trials: Sequence[ExecutionTrial]) -> None:
        """Open it. Raises LineStoreError."""
        self._file, self._env = LineStore(folder, FILE), env
        self.done = self._read(set(trials))

    def add(self, done: ExecutionResult) -> None:
        """Store a trial. Raises LineStoreError."""
        if done.whole:
            self._file.add({"env": self._env, **asdict(done)})

    def _read(self, wanted: set[ExecutionTrial]) -> dict[ExecutionTrial, ExecutionResult]:
        found = {}
        for number, line in self._file.lines:
            try:
                env, done = _from_line(line)
            except (ValueError, KeyError, TypeError):
                raise LineStoreError(f"{self._file.file}:{number}: not a trial") from None
            if env == self._env and done.trial in wanted:
                found[done.trial] = done
        return found


def _from_line(line: str) -> tuple[str, ExecutionResult]:
    data: dict[str, Any] = json.loads(line)
    env = str(data.pop("env"))
    trial, failures = data.pop("trial"), tuple(data.pop("failures"))
    trial["method"] = ExecutionMethod(trial["method"])
    return env, ExecutionResult(trial=ExecutionTrial(**trial), failures=failures, **data)
