"""Sampled plans as they are kept: a line of JSON each, written when it is there.

What broke off goes on with the same folder: a plan that is there for the same model, temperature
and prompt is not asked for again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from engine.evaluate.dual_arm_judge import Found, Judged

FILE = "plans.jsonl"


class CannotKeep(Exception):
    """The folder cannot be written to or read."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which plan was asked for; `prompt` stands for the text of it."""

    model: str
    temperature: float
    prompt: str
    method: str
    task: str
    sample: int


@dataclass(frozen=True, slots=True)
class Tried:
    """An answer and what was found in it."""

    text: str
    by: str
    findings: tuple[Found, ...]
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Sample:
    """A sampled plan: its answers, and what came of the last; `unanswered` says why none came."""

    asked: Asked
    tried: tuple[Tried, ...]
    judged: Judged = field(default_factory=Judged)
    unanswered: str | None = None


def to_line(sample: Sample) -> str:
    """It as a line of JSON."""
    return json.dumps(asdict(sample), ensure_ascii=False) + "\n"


def from_line(line: str) -> Sample:
    """It from a line. Raises ValueError, KeyError or TypeError for a line that is none."""
    data: dict[str, Any] = json.loads(line)
    tried = tuple(
        Tried(**{**one, "findings": tuple(Found(**f) for f in one["findings"])})
        for one in data["tried"]
    )
    judged = Judged(
        tuple(Found(**one) for one in data["judged"]["findings"]),
        dict(data["judged"]["stages"]),
        {name: Found(**one) for name, one in data["judged"]["failed"].items()},
    )
    return Sample(Asked(**data["asked"]), tried, judged, data["unanswered"])


class Kept:
    """The folder of an evaluation."""

    def __init__(self, folder: Path) -> None:
        """Open it. Raises CannotKeep."""
        self.file = folder / FILE
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._heal()
            self.samples = {sample.asked: sample for sample in self._read()}
        except OSError as error:
            raise CannotKeep(f"{folder}: {error.strerror}") from None

    def add(self, sample: Sample) -> None:
        """Write a plan at once; one without an answer is asked for again another time."""
        if sample.unanswered is not None:
            return
        try:
            with self.file.open("a", encoding="utf-8") as file:
                file.write(to_line(sample))
        except OSError as error:
            raise CannotKeep(f"{self.file}: {error.strerror}") from None

    def _heal(self) -> None:
        """End the line that was being written when it broke off."""
        if self.file.is_file():
            text = self.file.read_bytes()
            if text and not text.endswith(b"\n"):
                self.file.write_bytes(text + b"\n")

    def _read(self) -> Iterator[Sample]:
        if not self.file.is_file():
            return
        for line in self.file.read_text("utf-8", errors="replace").split("\n"):
            try:
                yield from_line(line)
            except (ValueError, KeyError, TypeError):
                continue  # it broke off in the middle of this line
