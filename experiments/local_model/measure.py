"""A model beside the rules: cases of prompts, runs, and confidence against being right.

    python -m experiments.local_model.measure [--small] [--write] [--model NAME --api-base URL]

Cases are the examples of all prompts, each asked without itself, and those of tests/decisions; the
rules' authors know them. A decision model is asked decisions and readings. A run is a shipped
scenario. ``--write`` writes the tables and the picture into docs/local-model.md.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated

import typer

import treec
from experiments.command import main
from experiments.page import write_page
from treec.ask.transport import Answer, Request, Transport, is_decision_model
from treec.cli.progress import progress
from treec.files.kinds import recorded_kind
from treec.files.library import load_library
from treec_models.models import ModelClients
from treec_testing.decisions.case_files import load_cases
from treec_testing.decisions.cases import CaseError, DecisionCase
from treec_testing.decisions.judge import expected

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/local-model.md"
PICTURES = ROOT / "docs/pictures"
MODEL = "local"
TYPED_KINDS = ("decision", "reading")
"""The kinds that a decision model answers."""
PATIENCE = 60.0
"""Seconds that an answer to a case may take."""
BINS = 5
RUNS = (
    ("mosaic", "caesar_salad"),
    ("mosaic_lean", "caesar_salad"),
    ("mosaic_lean", "impatient_user"),
    ("helper", "mary_breakfast"),
    ("dag_plan", "pot_and_arms"),
)
"""Systems with scenarios: the integration test, with a model everywhere and at the reading; a
conversation; a dialogue that becomes a program; a task graph."""


@dataclass
class KindRow:
    """What came of the cases of one kind."""

    cases: int = 0
    rules: int = 0
    model: int = 0
    answers: int = 0
    refused: int = 0
    seconds: float = 0.0


@dataclass
class Reliability:
    """Confidences of answers, each with whether it was right."""

    answers: list[tuple[float, bool]] = field(default_factory=list)

    def bins(self) -> Iterator[tuple[float, float, int]]:
        """The mean confidence, the share that was right and the number, of each bin with any."""
        for number in range(BINS):
            among = [one for one in self.answers if min(int(one[0] * BINS), BINS - 1) == number]
            if among:
                mean = sum(confidence for confidence, _ in among) / len(among)
                yield mean, sum(right for _, right in among) / len(among), len(among)

    @property
    def error(self) -> float:
        """The expected calibration error."""
        total = max(1, len(self.answers))
        return sum(abs(mean - right) * number for mean, right, number in self.bins()) / total


class Patient:
    """The model without a circuit breaker, so that a late answer costs one case and no more."""

    timeout = PATIENCE

    def __init__(self, model: str, api_base: str | None) -> None:
        self.model = model
        self._model = ModelClients(model, api_base)

    async def ask(self, request: Request) -> Answer:
        """The answer. Raises TransportError, TimeoutError."""
        return await self._model.ask(replace(request, timeout=PATIENCE))


async def judge(
    cases: Sequence[tuple[DecisionCase, dict[str, object]]],
    transport: Transport,
) -> tuple[dict[str, KindRow], Reliability]:
    """Ask each case, by the rules and by the model."""
    rows: dict[str, KindRow] = defaultdict(KindRow)
    reliability = Reliability()
    with progress("cases", len(cases)) as advance:
        for case, decision in cases:
            pins = case.pins()
            by_rules = await case.situation(pins).decide(None, pins)
            started = time.perf_counter()
            result = await case.situation(pins).decide(transport, pins)
            row = rows[recorded_kind(case.entry)]
            row.seconds += time.perf_counter() - started
            row.cases += 1
            row.rules += case.is_equivalent(decision, by_rules.decision)
            right = result.accepted and case.is_equivalent(decision, result.decision)
            row.model += right
            for attempt in result.attempts:
                accepted = attempt.verdict == "accepted"
                row.answers += 1
                row.refused += not accepted
                if attempt.confidence is not None:
                    reliability.answers.append((attempt.confidence, right and accepted))
            print(f"{case.id}: {'right' if right else 'wrong'}", file=sys.stderr, flush=True)
            advance()
    return rows, reliability


def cases_of(small: bool, model: str) -> list[tuple[DecisionCase, dict[str, object]]]:
    """The cases with the decisions that they expect; those that no model is asked are left out."""
    found = []
    for case in load_cases(load_library(ROOT)):
        try:
            decision, _ = expected(case)
        except CaseError:
            continue
        is_asked = not is_decision_model(model) or case.entry.kind in TYPED_KINDS
        if decision is not None and case.entry.name != "One_Prompt" and is_asked:
            found.append((case, decision))
    return found[::8] if small else found


def case_table(rows: dict[str, KindRow], reliability: Reliability, name: str) -> str:
    """The table of cases."""
    lines = [
        f"{'cases of a':<12}{'cases':>7}{'rules right':>13}{f'{name} right':>17}"
        f"{'answers':>9}{'refused':>9}{'s/case':>8}"
    ]
    for kind, row in rows.items():
        lines.append(
            f"{kind:<12}{row.cases:>7}{row.rules:>13}{row.model:>17}"
            f"{row.answers:>9}{row.refused:>9}{row.seconds / row.cases:>8.1f}"
        )
    lines += ["", f"{'confidence':<12}{'right':>7}{'answers':>9}"]
    lines += [f"{c:<12.2f}{right:>7.0%}{n:>9}" for c, right, n in reliability.bins()]
    return "\n".join([*lines, f"expected calibration error {reliability.error:.2f}"])


def run_table(small: bool, asked_model: str, api_base: str | None) -> str:
    """The table of runs, by the rules and with the model."""
    lines = [f"{'system':<13}{'scenario':<17}{'by':<11}{'as expected':>12}{'requests':>9}{'s':>7}"]
    runs = RUNS[1:2] if small else RUNS
    opened = treec.open(ROOT)
    with progress("runs", 2 * len(runs)) as advance:
        for system, scenario in runs:
            for model in (None, asked_model):
                started = time.perf_counter()
                result = opened.run(
                    system,
                    scenario=scenario,
                    model=model,
                    api_base=api_base if model else None,
                    model_settings={"timeout": f"{PATIENCE:g}s"} if model else {},
                )
                took = time.perf_counter() - started
                asked = sum(one.asked for one in result.summary.models.values())
                lines.append(
                    f"{system:<13}{scenario:<17}{short_name(model or 'rules'):<11}"
                    f"{'yes' if result.ok else 'no':>12}{asked:>9}{took:>7.1f}"
                )
                advance()
    return "\n".join(lines)


def short_name(model: str) -> str:
    """The first part of a model's name."""
    return model.partition("/")[0]


COLOURS = ("#4a78b5", "#c2703d", "#5b8c5a", "#8a5a9e")


def to_svg(shown: Mapping[str, Reliability]) -> str:
    """The reliability diagram of one or several: the area of a point is the number of answers."""
    size, edge = 320, 48
    span, height = size - 2 * edge, size + 14 * (len(shown) - 1)

    def place(x: float, y: float) -> tuple[float, float]:
        return round(edge + x * span, 1), round(size - edge - y * span, 1)

    (left, bottom), (right, top) = place(0, 0), place(1, 1)
    label = f"Confidence and share right: {', '.join(shown)}"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {height}" width="{size}" '
        f'height="{height}" role="img" aria-label="{label}" '
        'font-family="sans-serif" font-size="11">',
        f'<rect width="{size}" height="{height}" fill="#fff"/>',
        f'<rect x="{left}" y="{top}" width="{span}" height="{span}" fill="none" stroke="#888"/>',
        f'<path d="M{left} {bottom}L{right} {top}" stroke="#bbb" stroke-dasharray="4"/>',
    ]
    most = max((n for one in shown.values() for _, _, n in one.bins()), default=1)
    for colour, reliability in zip(COLOURS, shown.values(), strict=False):
        for mean, share, number in reliability.bins():
            x, y = place(mean, share)
            radius = round(3 + 9 * (number / most) ** 0.5, 1)
            parts.append(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{colour}"/>')
            parts.append(f'<text x="{x}" y="{y - radius - 3}" text-anchor="middle">{number}</text>')
    middle = size / 2
    parts += [
        f'<text x="{middle}" y="{size - 30}" text-anchor="middle">confidence, 0 to 1</text>',
        f'<text x="16" y="{middle}" text-anchor="middle" '
        f'transform="rotate(-90 16 {middle})">share right, 0 to 1</text>',
    ]
    for number, (name, reliability) in enumerate(shown.items()):
        told = f"{name}: expected calibration error {reliability.error:.2f}"
        y, colour = size - 12 + 14 * number, COLOURS[number % len(COLOURS)]
        parts.append(
            f'<text x="{middle}" y="{y}" text-anchor="middle" fill="{colour}">{told}</text>'
        )
    return "\n".join([*parts, "</svg>"]) + "\n"


def command(
    small: Annotated[bool, typer.Option("--small", help="Every eighth case and one run")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write docs/local-model.md")] = False,
    model: Annotated[str, typer.Option("--model", help="The model that is asked")] = MODEL,
    api_base: Annotated[str | None, typer.Option("--api-base", help="URL of its server")] = None,
) -> None:
    """Measure a model beside the rules."""
    started = time.perf_counter()
    cases = cases_of(small, model)
    rows, reliability = asyncio.run(judge(cases, Patient(model, api_base)))
    name = short_name(model)
    table = f"{case_table(rows, reliability, name)}\n\n{run_table(small, model, api_base)}"
    print(table)
    if write:
        took = f"It took {(time.perf_counter() - started) / 60:.0f} min."
        what = "local_model.measure" + ("" if model == MODEL else f" --model {model}")
        write_page(PAGE, table, f"python -m experiments.{what}", took, what)
        picture = PICTURES / f"{name}_model.svg"
        picture.write_text(to_svg({name: reliability}), "utf-8")


if __name__ == "__main__":
    sys.exit(main(command))
