"""Trials of skills as they are kept: a line of JSON each, written when it has ended.

What broke off goes on with the same folder: a trial that is there for the same environment does not
happen again.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from engine.evaluate.skills_cases import Trial

FILE = "trials.jsonl"


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a trial.

    ``begun`` is whether the skill itself was started: what had to be done before can fail, too.
    Seconds, simulated and of the wall, are the skill's own. ``cause`` is the name of the failure,
    ``reason`` says more. ``measures`` are what the environment measured of its things. ``cpu`` are
    the processor's seconds for the whole trial, with the world that is made for it.
    """

    trial: Trial
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


class CannotKeep(Exception):
    """The folder cannot be written to or read; the text says why."""


class Kept:
    """The folder of an evaluation in an environment, and what there is in it of some trials."""

    def __init__(self, folder: Path, env: str, trials: Sequence[Trial]) -> None:
        """Open it. Raises CannotKeep."""
        self._file, self._env = folder / FILE, env
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._heal()
            text = self._file.read_text("utf-8") if self._file.is_file() else ""
        except (OSError, UnicodeDecodeError) as error:
            raise CannotKeep(f"{folder}: {error}") from None
        self.done = self._read(text, {json.dumps(asdict(trial)): trial for trial in trials})

    def add(self, done: Done) -> None:
        """Write a trial down at once. Raises CannotKeep."""
        line = json.dumps({"env": self._env, **asdict(done)}, ensure_ascii=False)
        try:
            with self._file.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise CannotKeep(f"{self._file}: {error.strerror}") from None

    def _heal(self) -> None:
        """Cut off the line that was being written when it broke off."""
        if self._file.is_file():
            text = self._file.read_bytes()
            if text and not text.endswith(b"\n"):
                self._file.write_bytes(text[: text.rfind(b"\n") + 1])

    def _read(self, text: str, wanted: dict[str, Trial]) -> dict[Trial, Done]:
        found: dict[Trial, Done] = {}
        for number, line in enumerate(text.splitlines(), 1):
            try:
                data = json.loads(line)
                env, trial = data.pop("env"), wanted.get(json.dumps(data.pop("trial")))
                measures = tuple((str(name), float(value)) for name, value in data.pop("measures"))
                if env == self._env and trial is not None:
                    found[trial] = Done(trial, **data, measures=measures)
            except (ValueError, KeyError, TypeError):
                raise CannotKeep(f"{self._file}:{number}: not a trial") from None
        return found
