"""Store sampled plans as JSON lines.

An evaluation continues in the same folder: stored plans of the same model, temperature and prompt
are not sampled again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from experiments.dag_plan.plan_judge import PlanError, PlanVerdict
from experiments.line_store import LineStore, LineStoreError

FILE = "plans.jsonl"


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """Identifies a sampled plan; `prompt` is a fingerprint of the prompt's text."""

    model: str
    temperature: float
    prompt: str
    method: str
    task: str
    sample: int


@dataclass(frozen=True, slots=True)
class PlanAttempt:
    """An answer and its faults."""

    text: str
    by: str
    findings: tuple[PlanError, ...]
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None


@dataclass(frozen=True)
class Sample:
    """A sampled plan: its answers and the verdict on the last; `unanswered`: why there is none."""

    asked: PlanRequest
    tried: tuple[PlanAttempt, ...]
    judged: PlanVerdict = field(default_factory=PlanVerdict)
    unanswered: str | None = None


def from_line(line: str) -> Sample:
    """Parse a line. Raises ValueError, KeyError or TypeError for an invalid one."""
    data: dict[str, Any] = json.loads(line)
    tried = tuple(
        PlanAttempt(**{**one, "findings": tuple(PlanError(**f) for f in one["findings"])})
        for one in data["tried"]
    )
    judged = PlanVerdict(
        tuple(PlanError(**one) for one in data["judged"]["findings"]),
        dict(data["judged"]["stages"]),
        {name: PlanError(**one) for name, one in data["judged"]["failed"].items()},
    )
    return Sample(PlanRequest(**data["asked"]), tried, judged, data["unanswered"])


class SampleFolder:
    """The folder of an evaluation."""

    def __init__(self, folder: Path) -> None:
        """Open it. Raises LineStoreError."""
        self._lines = LineStore(folder, FILE)
        self.samples = {sample.asked: sample for sample in self._read()}

    def add(self, sample: Sample) -> None:
        """Write a plan at once; one without an answer is asked for again another time.

        Raises LineStoreError.
        """
        if sample.unanswered is None:
            self._lines.add(asdict(sample))

    def _read(self) -> Iterator[Sample]:
        for number, line in self._lines.lines:
            try:
                yield from_line(line)
            except (ValueError, KeyError, TypeError):
                raise LineStoreError(f"{self._lines.file}:{number}: not a plan") from None
