"""Trials of skills as they are kept: a line of JSON each, written when it has ended.

What broke off goes on with the same folder: a trial that is there for the same environment does not
happen again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from treec.evaluate.line_store import LineStore, LineStoreError
from treec.evaluate.skills_cases import SkillTrial

FILE = "trials.jsonl"


@dataclass(frozen=True, slots=True)
class TrialResult:
    """What came of a trial.

    ``begun`` is whether the skill itself was started: what had to be done before can fail, too.
    Seconds, simulated and of the wall, are the skill's own. ``cause`` is the name of the failure,
    ``reason`` says more. ``measures`` are what the environment measured of its things. ``cpu`` are
    the processor's seconds for the whole trial, with the world that is made for it.
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

    def told(self) -> str:
        """It as a line for people."""
        trial = self.trial
        came = f"came off in {self.seconds:.1f} s" if self.ok else f"failed: {self.cause}"
        return (
            f"{trial.call.words} in {trial.scene}, seed {trial.seed}: {came} "
            f"({self.cpu:.1f} s of a processor)"
        )


class EvaluationFolder:
    """The folder of an evaluation in an environment, and what there is in it of some trials."""

    def __init__(self, folder: Path, env: str, trials: Sequence[SkillTrial]) -> None:
        """Open it. Raises CannotKeep."""
        self._file, self._env = LineStore(folder, FILE), env
        self.done = self._read({json.dumps(asdict(trial)): trial for trial in trials})

    def add(self, done: TrialResult) -> None:
        """Write a trial down at once. Raises CannotKeep."""
        self._file.add({"env": self._env, **asdict(done)})

    def _read(self, wanted: dict[str, SkillTrial]) -> dict[SkillTrial, TrialResult]:
        found: dict[SkillTrial, TrialResult] = {}
        for number, line in self._file.lines:
            try:
                data = json.loads(line)
                env, trial = data.pop("env"), wanted.get(json.dumps(data.pop("trial")))
                measures = tuple((str(name), float(value)) for name, value in data.pop("measures"))
                if env == self._env and trial is not None:
                    found[trial] = TrialResult(trial, **data, measures=measures)
            except (ValueError, KeyError, TypeError):
                raise LineStoreError(f"{self._file.file}:{number}: not a trial") from None
        return found
