"""Stored results of skill trials, one line of JSON each, written when the trial ends.

An interrupted evaluation continues with the same folder: trials that have a result for the same
environment are not repeated.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from experiments.line_store import LineStore, LineStoreError
from experiments.skills.cases import SkillTrial

FILE = "trials.jsonl"


@dataclass(frozen=True, slots=True)
class TrialResult:
    """The result of a trial.

    ``begun`` tells whether the skill itself was started, since preparations can fail too.
    ``seconds`` (simulated) and ``wall`` are the duration of the skill alone. ``cause`` is the name
    of the failure, ``reason`` the full text. ``measures`` are measurements by the environment.
    ``cpu`` is the CPU time in seconds of the whole trial, including the set-up of its world.
    """

    trial: SkillTrial
    ok: bool
    begun: bool
    cause: str = ""
    reason: str = ""
    seconds: float = 0.0
    wall: float = 0.0
    measures: tuple[tuple[str, float], ...] = ()
    cpu: float = 0.0

    def describe(self) -> str:
        """The result as one line of text."""
        trial = self.trial
        outcome = f"succeeded in {self.seconds:.1f} s" if self.ok else f"failed: {self.cause}"
        return (
            f"{trial.call.words} in {trial.scene}, seed {trial.seed}: {outcome} "
            f"({self.cpu:.1f} s of CPU time)"
        )


class EvaluationFolder:
    """The folder of an evaluation in one environment, with the stored results of its trials."""

    def __init__(self, folder: Path, env: str, trials: Sequence[SkillTrial]) -> None:
        """Open the folder. Raises LineStoreError."""
        self._file, self._env = LineStore(folder, FILE), env
        self.done = self._read({json.dumps(asdict(trial)): trial for trial in trials})

    def add(self, done: TrialResult) -> None:
        """Store a result at once. Raises LineStoreError."""
        self._file.add({"env": self._env, **asdict(done)})

    def _read(self, trials: dict[str, SkillTrial]) -> dict[SkillTrial, TrialResult]:
        found: dict[SkillTrial, TrialResult] = {}
        for number, line in self._file.lines:
            try:
                data = json.loads(line)
                env, trial = data.pop("env"), trials.get(json.dumps(data.pop("trial")))
                measures = tuple((str(name), float(value)) for name, value in data.pop("measures"))
                if env == self._env and trial is not None:
                    found[trial] = TrialResult(trial, **data, measures=measures)
            except (ValueError, KeyError, TypeError):
                raise LineStoreError(f"{self._file.file}:{number}: not a trial") from None
        return found
